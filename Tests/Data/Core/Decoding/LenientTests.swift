import BrowseAppStoreData
import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import BrowseRickAndMortyData
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

@Suite(.bounded) struct `An optional field of an unexpected type` {
    /// A fixture, its required fields, and the decoded rows of a body.
    struct Sample: Sendable, CustomTestStringConvertible {
        let fixtures: Fixtures
        let fixture: String
        let required: Set<String>
        let read: @Sendable (Data) async throws -> [String]
        var testDescription: String { fixture }
    }

    @Test(arguments: samples)
    func `is nil, and nothing else is lost`(sample: Sample) async throws {
        let body = try JSONDecoder().decode(JSONValue.self, from: sample.fixtures[sample.fixture])
        let fields = body.fields.filter { !sample.required.contains($0.joined(separator: ".")) }
        #expect(!fields.isEmpty)
        for field in fields {
            let known = body.rows.compactMap { $0[field] }.filter { $0 != .null }
            let missing = try await sample.read(body.replacing(field, with: nil))
            #expect(!missing.isEmpty && !missing.contains { $0.hasPrefix("skipped") })
            for value in JSONValue.samples
            where !known.contains(where: { $0.isOfSameType(as: value) }) && !known.isEmpty {
                let found = try await sample.read(body.replacing(field, with: value))
                #expect(found == missing, "\(field.joined(separator: ".")) = \(value)")
            }
        }
    }

    @Test func `loses only the elements of a list that can't be decoded`() async throws {
        let app = try await Self.app(#""trackName":"A","languageCodesISO2A":["EN",null,7,{},"KO"]"#)
        #expect(app.languageCodes == ["en", "ko"])
    }

    @Test func `loses a price that is a string, but keeps the formatted price`() async throws {
        let app = try await Self.app(#""trackName":"A","price":"4.99","currency":"USD","formattedPrice":"$4.99""#)
        #expect(app.price?.amount == nil)
        #expect(app.price?.text == "$4.99")
    }

    @Test(arguments: [
        #""trackName":"A","trackCensoredName":"B""#, #""trackCensoredName":"A""#,
        #""trackName":null,"trackCensoredName":"A""#, #""trackName":42,"trackCensoredName":"A""#,
        #""trackName":" ","trackCensoredName":"A""#, #""trackName":"A","trackCensoredName":[]"#,
    ])
    func `leaves an app with its name or censored name`(names: String) async throws {
        #expect(try await Self.app(names).name == "A")
    }

    @Test func `doesn't lose a user without counts`() async throws {
        let users = RemoteGitHubRepository(client: try Self.gitHub(Data(#"{"id":1,"login":"a"}"#.utf8)))
        let profile = try await users.profile(of: GitHub.Login("a"))
        #expect(profile.user.login == GitHub.Login("a"))
        #expect(
            [profile.followerCount, profile.followingCount, profile.publicRepoCount, profile.publicGistCount] == [
                nil, nil, nil, nil,
            ]
        )
        #expect(profile.memberSince == nil)
    }
}

extension `An optional field of an unexpected type` {
    private static let samples: [Sample] = {
        let users = ["user-octocat", "user-lonely", "user-rtl"].map { name in
            Sample(fixtures: .gitHub, fixture: "\(name)", required: ["id", "login"]) { body in
                ["\(try await RemoteGitHubRepository(client: gitHub(body)).profile(of: GitHub.Login("a")))"]
            }
        }
        let followers = Sample(fixtures: .gitHub, fixture: "followers-octocat-1", required: ["id", "login"]) { body in
            let list = GitHub.FollowList.followers(of: GitHub.Login("a"))
            return texts(try await RemoteGitHubRepository(client: gitHub(body)).page(of: list, at: nil))
        }
        let repos = ["repos-octocat-1", "private-octocat-1", "starred-octocat-1"].map { name in
            // An owner or a license without its own required fields is missing as a whole.
            let inner: Set<String> = ["owner.id", "owner.login", "license.name"]
            return Sample(fixtures: .gitHub, fixture: "\(name)", required: inner.union(["id", "name", "full_name"])) {
                body in
                let list = GitHub.RepoList.publicRepos(of: GitHub.Login("a"))
                return texts(try await RemoteGitHubRepository(client: gitHub(body)).page(of: list, at: nil))
            }
        }
        let apps = ["apps", "apps-kr"].map { name in
            // A wrapper type other than software isn't an app.
            Sample(fixtures: .appStore, fixture: "\(name)", required: ["trackId", "trackName", "wrapperType"]) { body in
                let apps = RemoteAppRepository(client: try appStore(body))
                return texts(try await apps.search(for: AppStore.SearchTerm("x"), in: .init(), limit: 200))
            }
        }
        let characters = Sample(fixtures: .rickAndMorty, fixture: "character-1", required: ["id", "name"]) { body in
            texts(try await RemoteCharacterRepository(client: rickAndMorty(body)).page(of: .init(), at: nil))
        }
        let episodes = Sample(fixtures: .rickAndMorty, fixture: "episode-1", required: ["id", "name"]) { body in
            texts(try await RemoteEpisodeRepository(client: rickAndMorty(body)).page(of: .init(), at: nil))
        }
        let locations = Sample(fixtures: .rickAndMorty, fixture: "location-1", required: ["id", "name"]) { body in
            texts(try await RemoteLocationRepository(client: rickAndMorty(body)).page(of: .init(), at: nil))
        }
        return users + [followers] + repos + apps + [characters, episodes, locations]
    }()

    private static func transport(of body: Data) -> FakeTransport {
        FakeTransport(json: String(decoding: body, as: UTF8.self))
    }

    private static func gitHub(_ body: Data) throws -> HTTPClient {
        try .gitHub(at: "https://api.github.com", transport: transport(of: body))
    }

    private static func appStore(_ body: Data) throws -> HTTPClient {
        try .appStore(at: "https://itunes.apple.com", transport: transport(of: body))
    }

    private static func rickAndMorty(_ body: Data) throws -> HTTPClient {
        try .rickAndMorty(at: "https://rickandmortyapi.com/api", transport: transport(of: body))
    }

    /// The app of a row with the given fields, as JSONValue.
    private static func app(_ fields: String) async throws -> AppStore.App {
        let body = Data(#"{"results":[{"trackId":7,\#(fields)}]}"#.utf8)
        return try await RemoteAppRepository(client: try appStore(body)).lookUp(.id(AppStore.AppID(7)), in: .init())
    }

    /// The rows of a page, and a word for each row that couldn't be read.
    private static func texts<Row: Sendable>(_ page: Page<Row>) -> [String] {
        page.items.map { "\($0)" } + Array(repeating: "skipped", count: page.skipped.count)
    }
}

extension JSONValue {
    /// A value of each type.
    fileprivate static let samples: [JSONValue] = [
        .string("x"), .number(42.5), .bool(true), .array([]), .array([.null]), .object([:]),
    ]

    fileprivate func isOfSameType(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null), (.bool, .bool), (.integer, .integer), (.integer, .number), (.number, .integer),
            (.number, .number), (.string, .string), (.array, .array),
            (.object, .object):
            true
        default: false
        }
    }

    /// The first rows of a body, which have every field.
    fileprivate var rows: [JSONValue] {
        switch self {
        case .array(let rows): Array(rows.prefix(4))
        case .object(let fields): fields["results"]?.rows ?? [self]
        default: []
        }
    }

    /// The paths of the rows' fields, and of the fields of objects in them.
    fileprivate var fields: [[String]] {
        var paths: Set<[String]> = []
        for case .object(let row) in rows {
            for (name, value) in row {
                paths.insert([name])
                guard case .object(let inner) = value else { continue }
                for innerName in inner.keys { paths.insert([name, innerName]) }
            }
        }
        return paths.sorted { $0.joined(separator: ".") < $1.joined(separator: ".") }
    }

    fileprivate subscript(path: [String]) -> JSONValue? {
        get {
            guard let name = path.first else { return self }
            guard case .object(let fields) = self else { return nil }
            return fields[name]?[Array(path.dropFirst())]
        }
        set {
            guard let name = path.first, case .object(var fields) = self else { return }
            if path.count == 1 {
                fields[name] = newValue
            } else {
                fields[name]?[Array(path.dropFirst())] = newValue
            }
            self = .object(fields)
        }
    }

    /// Returns the body with only the first rows, and one field replaced or removed.
    fileprivate func replacing(_ field: [String], with value: JSONValue?) throws -> Data {
        let rows = rows.map { row in
            var row = row
            row[field] = value
            return row
        }
        var body = self
        switch self {
        case .object(let fields) where fields["results"] == nil: body = rows[0]
        case .object: body[["results"]] = .array(rows)
        default: body = .array(rows)
        }
        return try JSONEncoder().encode(body)
    }
}

/// Any JSON value.
private enum JSONValue: Hashable, Sendable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
