@_spi(Services) import BrowseCore
@_spi(Services) import BrowseData
@_spi(Services) import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
@_spi(Services) import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import BrowseTesting
import Foundation
import TestLimits
import Testing

/// A page of a book, for kinds of favorites.
struct Leaf: Favoritable, Hashable {
    static let favoriteKind = Favorite.Kind(rawValue: "library.leaf")
    var favoriteKey: String { "1" }
    var favoriteTitle: String { "1" }
}

struct Library: ServiceSettings {
    static let name = "Library"
    static var favoriteKinds: [FavoriteKind] {
        [FavoriteKind(Leaf.self, title: Phrase("leaf", "Leaf", ko: "쪽")) { _ in nil }]
    }
    func service(in configuration: Configuration) -> HTTPClient.Service {
        .json(baseURL: URL(string: "https://library.example") ?? URL(filePath: "/"), userAgent: "Tests")
    }
}

/// A service whose requests with secrets would be sent over http.
struct Annex: ServiceSettings {
    static let name = "Annex"
    func service(in configuration: Configuration) -> HTTPClient.Service {
        var service = Library().service(in: configuration)
        service.baseURL = URL(string: "http://annex.example") ?? service.baseURL
        service.carriesSecrets = true
        return service
    }
}

struct Branch: ServiceSettings {
    static let name = "Library"
    func service(in configuration: Configuration) -> HTTPClient.Service { Library().service(in: configuration) }
}

struct Archive: ServiceSettings {
    static let name = "Archive"
    static var favoriteKinds: [FavoriteKind] { Library.favoriteKinds }
    func service(in configuration: Configuration) -> HTTPClient.Service { Library().service(in: configuration) }
}

/// The screens of an archive, with all mistakes of paths.
enum Desk: RouteDestination {
    case book(String), edition(String), shelf(Int), nameless

    static let routeName = "desk"

    var routePath: [String] {
        switch self {
        case .book(let id), .edition(let id): ["books", id]
        case .shelf(let number): ["shelves", "\(number)"]
        case .nameless: [""]
        }
    }

    init?(routePath path: [String]) {
        switch path.first {
        case "books": self = .book(path[1])
        case "shelves": self = .shelf(0)
        default: return nil
        }
    }
}

/// A screen that has the name of another type's, and isn't read.
struct Lamp: RouteDestination {
    static let routeName = "desk"
    var routePath: [String] { ["lamp"] }
    init() {}
    init?(routePath: [String]) { nil }
}

struct Door: RouteDestination {
    static let routeName = "sign-in"
    var routePath: [String] { [] }
    init() {}
    init?(routePath: [String]) {}
}

@Suite(.bounded) struct `The registration of services` {
    private static let screens: [any RouteDestination] = [
        GitHub.Screen.followList(.followers(of: GitHub.Login("octocat"))),
        GitHub.Screen.followList(.following(by: GitHub.Login("octocat"))),
        GitHub.Screen.userProfile(GitHub.Login("octocat")), GitHub.Screen.account(GitHub.User.ID(rawValue: 1)),
        GitHub.Screen.repoList(.publicRepos(of: GitHub.Login("octocat"))), GitHub.Screen.repoList(.own),
        GitHub.Screen.repoList(.starred), RickAndMorty.Screen.character(RickAndMorty.Character.ID(rawValue: 1)),
        RickAndMorty.Screen.episode(RickAndMorty.Episode.ID(rawValue: 1)),
        RickAndMorty.Screen.location(RickAndMorty.Location.ID(rawValue: 1)),
    ]

    @Test(arguments: ServiceConformance.rules(screens: screens, among: .all))
    func `of the SDK follows the rules`(rule: ConformanceRule<Container>) async throws {
        try await rule.verify(Container())
    }

    private static func violations(
        _ services: [any ServiceSettings.Type] = [],
        _ screens: [any RouteDestination] = [],
        among types: [any RouteDestination.Type] = []
    ) async -> [String] {
        var violations: [String] = []
        for rule in ServiceConformance.rules(screens: screens, among: types) {
            do { try await rule.verify(Container(services: services)) } catch { violations.append("\(error)") }
        }
        return violations.map { String($0.split(separator: "Instead: ").last ?? "") }
    }

    @Test func `has mistakes that the rules find`() async {
        #expect(
            await Self.violations([Library.self, Branch.self, Archive.self]) == [
                #"The service name "Library" is used by TestingTests.Library and TestingTests.Branch."#,
                #"The kind of favorites "library.leaf" is used by TestingTests.Library and TestingTests.Archive."#,
            ]
        )
        #expect(
            await Self.violations([Annex.self])
                == ["Annex: The base URL must use https, because requests contain secrets."]
        )
        #expect(
            await Self.violations([Library.self, Library.self])
                == [#"The service name "Library" is used by TestingTests.Library twice."#]
        )
        #expect(
            await Self.violations([], [Desk.book("1"), Desk.edition("1")])
                == [#"The path "/desk/books/1" is used by book("1") and edition("1")."#]
        )
        #expect(
            await Self.violations([], [Desk.shelf(7)])
                == [#"Desk(routePath: ["shelves", "7"]) is shelf(0), whose path is ["shelves", "0"]."#]
        )
        #expect(
            await Self.violations([], [Desk.nameless])
                == ["nameless has a segment that is empty, `.`, or `..`, or too long a path."]
        )
        #expect(
            await Self.violations([], [Desk.book("1"), Lamp()]) == [
                #"The name "desk" is used by TestingTests.Desk and TestingTests.Lamp."#,
                #"Lamp(routePath: ["lamp"]) is nil."#,
            ]
        )
        #expect(await Self.violations([], [Door()]) == [#"The name "sign-in" is used by Route and TestingTests.Door."#])
        let unread = "the app doesn't read paths of Desk: pass it in among:, too."
        #expect(await Self.violations([], [Desk.book("1")], among: .all) == [unread])
        #expect(await Self.violations([Library.self], [Desk.book("1"), Desk.book("2"), Desk.shelf(0)]) == [])
    }

    @Test func `has mistakes that are issues of a test that verifies its mocks`() async throws {
        let issues = try await verifiedIssues {
            let types: [any ServiceSettings.Type] = [Library.self, Branch.self, Archive.self]
            _ = Container.production(on: ScriptedServer().transport(), services: types)
            // The first one answers.
            _ = Container.offline(services: [OfflineAppStore(), OfflineAppStore()])
        }
        #expect(
            issues.map(\.text) == [
                #"The service name "Library" is used by TestingTests.Library and TestingTests.Branch."#,
                #"The kind of favorites "library.leaf" is used by TestingTests.Library and TestingTests.Archive."#,
                #"The offline service "BrowseAppStoreMocks.OfflineAppStore" is used by the container twice."#,
            ]
        )
    }
}

@MainActor @Suite(.bounded) struct `Facts with one identifier` {
    private struct Details: EntityDetails {
        var facts: [Fact]
    }

    @Test func `are an issue of a test that verifies its mocks`() async throws {
        let issues = try await verifiedIssues { await Self.show(["year", "author", "year"]) }
        let text = "Several facts have the id year, so front ends can't tell them apart. Give each its own."
        #expect(issues.map(\.text) == [text])
        #expect(try await verifiedIssues { await Self.show(["year", "author"]) }.isEmpty)
    }

    private static func show(_ ids: [String]) async {
        let store = StateStore(EntityState<Details>())
        let options = Container.offline().screenOptions()
        let detail = DetailController<[String], Details>(
            in: store,
            at: \.content,
            notice: \.notice,
            options: options
        ) { ids in
            Details(facts: ids.map { Fact($0, "", "") })
        }
        await detail.begin { () throws(BrowseError) in ids }()
    }
}
