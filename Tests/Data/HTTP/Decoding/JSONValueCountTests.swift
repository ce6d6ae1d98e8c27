@testable import BrowseAppStoreData
import BrowseDomain
@testable import BrowseGitHubData
import BrowseMocks
@testable import BrowseRickAndMortyData
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded) struct `The number of JSON values` {
    /// Counts the values of a parsed text.
    private static func count(_ value: Any) -> Int {
        switch value {
        case let list as [Any]: list.reduce(1) { $0 + count($1) }
        case let object as [String: Any]: object.values.reduce(1) { $0 + count($1) }
        default: 1
        }
    }

    /// Returns a random text with a nested value.
    private static func text(_ random: inout SeededGenerator, depth: Int = 0) -> String {
        let spaces = ["", " ", "\n\t"]
        let space = spaces.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<(depth < 5 ? 7 : 5), using: &random) {
        case 0: return space + "0"
        case 1: return "true" + space
        case 2: return #""[{,\"\\""#
        case 3: return "[" + space + "]"
        case 4: return "{" + space + "}"
        case 5:
            let items = (0..<Int.random(in: 1..<5, using: &random)).map { _ in text(&random, depth: depth + 1) }
            return "[" + items.joined(separator: space + ",") + "]"
        default:
            let items = (0..<Int.random(in: 1..<5, using: &random)).map { number in
                "\"a,[\\\"\(number)\"" + space + ":" + text(&random, depth: depth + 1)
            }
            return "{" + items.joined(separator: ",") + "}"
        }
    }

    @Test(arguments: 0..<200) func `is that of the parsed text`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let data = Data(Self.text(&random).utf8)
        let count = Self.count(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
        // Without the short cut for bodies that are too short to have so many.
        let padded = data + Data(repeating: UInt8(ascii: " "), count: 2 * count + 2)
        #expect(!padded.hasMoreJSONValues(than: count))
        if count > 1 { #expect(padded.hasMoreJSONValues(than: count - 1)) }
        #expect(!data.hasMoreJSONValues(than: count))
    }

    /// Bodies of at most 8 MiB that cost much more time or memory than their size suggests.
    @Test(arguments: HostileBody.allCases) func `is limited in each body`(hostile: HostileBody) async throws {
        let body = hostile.body(count: HTTPClient.Response.jsonValueLimit + 1)
        #expect(body.count <= HTTPLimits().bodyBytes)
        let response = HTTPClient.Response(json: body)
        let error = #expect(throws: ResponseFailure.self) { try response.json(LossyArray<UserDTO>.self) }
        let info = BrowseError.RequestInfo(endpoint: "GET /users")
        #expect(error?.error(info) == .unusableResponse(.tooManyValues(limit: 150_000), info))
        #expect(throws: ResponseFailure.self) { try response.decoded(UserDTO.self) }
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32LittleEndian, .utf32BigEndian])
    func `is limited in other encodings, whose characters can look like quotation marks`(encoding: String.Encoding)
        throws
    {
        let text = "[\"\u{122}\u{2200}\",\(repeatElement("0", count: 300_000).joined(separator: ","))]"
        let body = try #require(text.data(using: encoding))
        #expect(body.hasMoreJSONValues(than: HTTPClient.Response.jsonValueLimit))
    }

    @Test func `is limited for errors of every service`() {
        let body = HostileBody.keys.body(
            count: HTTPClient.Response.jsonValueLimit + 1,
            name: "message",
            value: "\"long\""
        )
        let response = HTTPClient.Response(404, json: body)
        let info = BrowseError.RequestInfo(endpoint: "GET /", status: 404)
        let errors = [
            GitHubFailure.error(for: response, info: info, now: testNow),
            RickAndMortyFailure.error(for: response, info: info, now: testNow),
            AppStoreFailure.error(for: response, info: info, now: testNow),
        ]
        for error in errors { #expect(error == .notFound(info)) }
    }

    @Test func `of rows that can't be decoded keeps the good rows, and describes a hundred`() throws {
        var body = HostileBody.emptyRows.body(count: 10_000)
        body.replaceSubrange(0..<1, with: Data(#"[{"id":1,"login":"first"},"#.utf8))
        body.removeLast()
        body += Data(#",{"id":2,"login":"last"}]"#.utf8)
        let list = try HTTPClient.Response(json: body).json(LossyArray<UserDTO>.self)
        #expect(list.rows.map(\.login) == ["first", "last"])
        #expect(list.skipped.count == 9_999)
        #expect(list.skipped.described.count == 100)
        #expect(list.skipped.described.last?.index == 100)
        body.replaceSubrange(0..<1, with: Data("[{},{},".utf8))
        #expect(throws: DecodingError.self) {
            try HTTPClient.Response(json: body).json(LossyArray<UserDTO>.self)
        }
        #expect(throws: DecodingError.self) {
            try HTTPClient.Response(json: HostileBody.emptyRows.body(count: 1000))
                .json(LossyArray<UserDTO>.self)
        }
    }
}

extension HTTPClient.Response {
    fileprivate init(_ status: Int = 200, json body: Data) {
        self.init(status: status, headers: ["Content-Type": "application/json"], body: body, url: URL(filePath: "/"))
    }
}

/// JSON texts whose values cost more than their bytes.
enum HostileBody: CaseIterable {
    case emptyRows, zeros, nulls, nestedErrors, keys

    /// Returns a text with a number of values.
    ///
    /// - Parameters:
    ///   - name: The first key of an object.
    ///   - value: The value of the first key.
    func body(count: Int, name: String = "a", value: String = "0") -> Data {
        switch self {
        case .emptyRows: Self.list("{}", count - 1)
        case .zeros: Self.list("0", count - 1)
        case .nulls: Self.list("null", count - 1)
        case .nestedErrors: Self.list(#"{"id":{"a":[0]}}"#, (count + 2) / 4)
        case .keys: Data("{\"\(name)\":\(value),\((1..<count).map { "\"\($0)\":0" }.joined(separator: ","))}".utf8)
        }
    }

    private static func list(_ row: String, _ count: Int) -> Data {
        Data("[\(repeatElement(row, count: count).joined(separator: ","))]".utf8)
    }
}
