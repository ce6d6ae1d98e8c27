import BrowseCore
import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

/// Tests the screen of a repository, and an app's own list of them, through all layers.
@MainActor @Suite(.bounded)
struct `The screen of a repository` {
    private let gitHub = OfflineGitHub()
    private let tentacles = GitHub.Repo.ID(rawValue: 5_000_043_831)
    private let fork = GitHub.Repo.ID(rawValue: 410_221_969)

    private func container(as login: GitHub.Login? = nil) throws -> Container {
        var configuration = Configuration.localized()
        configuration.clock = ImmediateClock()
        configuration.gitHub.token = try login.map(gitHub.token)
        configuration.retries = .never
        return Container.production(on: gitHub.transport(), configuration: configuration)
    }

    @Test func `has the facts, and the README after them`() async throws {
        let screen = try container().repoDetailViewModel()
        await screen.show(tentacles, label: "octocat/hello")
        let details = try #require(screen.state.content.details)
        #expect(screen.state.title == "octocat/hello-tentacles" && screen.state.id == tentacles)
        #expect(details["issues"]?.label == "Open Issues and Pull Requests" && details["issues"]?.value == "457")
        #expect(details["stars"]?.value == "2,481" && details["flags"]?.value == "Public")
        #expect(details["topics"]?.value == "swift, hello-world, octopus" && details["license"]?.value == "MIT License")
        #expect(details["homepage"]?.route == .webPage(WebAddress("hello-tentacles.example/docs")))
        #expect(details["webPage"]?.route == .webPage(WebAddress("https://github.com/octocat/hello-tentacles")))
        #expect(details["owner"]?.route == .gitHub(.account(.init(rawValue: 583_231))))
        #expect(details["parent"] == nil)
        #expect(screen.state.readme.details??.text.hasPrefix("# hello-tentacles 🐙") == true)
    }

    @Test func `has the original of a fork as a route, and no README, which isn't a failure`() async throws {
        let screen = try container().repoDetailViewModel()
        await screen.show(named: "Linguist-Fork", of: .octocat)
        #expect(screen.state.id == fork && screen.state.content.details?["flags"]?.value == "Public and Fork")
        guard case .other(let parent)? = screen.state.content.details?["parent"]?.route,
            case .repo(let id, _)? = parent.value(as: GitHub.Screen.self)
        else {
            Issue.record("There is no route to the original.")
            return
        }
        await screen.showIfNeeded(id)
        #expect(screen.state.title == "mockworks/mockingbird")
        await screen.show(fork)
        #expect(screen.state.readme.status == .loaded(nil) && screen.state.notice == nil)
    }

    /// cli/cli#4151
    @Test func `doesn't call a repository private that its whole enterprise sees`() async {
        let server = ScriptedServer()
        let body = #"{"id":7,"name":"y","full_name":"o/y","private":true,"visibility":"internal"}"#
        server.on(.get("/repositories/7"), response: .json(body))
        let none = #"{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}"#
        server.on(.get("/repositories/7/readme"), response: .json(none, status: 404))
        let screen = Container.production(on: server.transport(), configuration: .localized()).repoDetailViewModel()
        await screen.show(.init(rawValue: 7))
        #expect(screen.state.content.details?["flags"]?.value == "Internal")
    }

    @Test func `doesn't take the text of a portal, to which a request was redirected, for its README`() async {
        let server = ScriptedServer()
        server.on(.get("/repositories/7"), response: .json(#"{"id":7,"name":"y","full_name":"o/y"}"#))
        server.on(.get("/repositories/7/readme"), response: .redirect(to: "https://portal.example/login"))
        let text = #"{"message":"Sign in","documentation_url":"https://portal.example/help"}"#
        server.on(.get, "https://portal.example/login", response: .json(text).ofProxy())
        let screen = Container.production(on: server.transport(), configuration: .localized()).repoDetailViewModel()
        await screen.show(.init(rawValue: 7))
        #expect(screen.state.readme.details == nil && screen.state.readme.status.message?.kind == .offline)
    }

    /// octokit/rest.js#337
    @Test func `doesn't show JSON in place of the README, which a cache can have at its address`() async {
        let server = ScriptedServer()
        let gitHub: HTTPHeaders = ["X-GitHub-Request-Id": "1"]
        server.on(.get("/repositories/7"), response: .json(#"{"id":7,"name":"y","full_name":"o/y"}"#))
        let json = #"{"name":"README.md","encoding":"base64","content":"IyBUZWE="}"#
        let text = ScriptedServer.Response.body(Data("# Tea".utf8), headers: gitHub)
        server.on(.get("/repositories/7/readme"), responses: [.json(json, headers: gitHub), text])
        let screen = Container.production(on: server.transport(), configuration: .localized()).repoDetailViewModel()
        await screen.show(.init(rawValue: 7))
        #expect(screen.state.content.details != nil && screen.state.readme.status.message?.kind == .serverFailure)
        await screen.retry()
        #expect(screen.state.readme.details??.text == "# Tea")
    }

    @Test func `shows a repository whose README fails, and loads that again`() async throws {
        let readme = RequestMatcher.get("/repositories/\(tentacles)/readme")
        gitHub.scenarios.set(.serverError, for: readme)
        let screen = try container().repoDetailViewModel()
        await screen.show(tentacles)
        #expect(screen.state.content.details != nil && screen.state.readme.status.message?.kind == .serverFailure)
        gitHub.scenarios.set(.normal, for: readme)
        await screen.retry()
        #expect(screen.state.readme.details??.isTruncated == false)
    }

    @Test func `follows stars and favorites of other screens, and they follow it`() async throws {
        let container = try container(as: .octocat)
        await container.gitHubSession().start()
        let (screen, list) = (container.repoDetailViewModel(), container.repoListViewModel())
        await screen.show(fork)
        await list.show(.publicRepos(of: .octocat))
        let before = try #require(screen.state.row)
        #expect(await screen.setStar(to: !before.isStarred) == nil)
        let change = before.isStarred ? -1 : 1
        #expect(screen.state.row?.isStarred == !before.isStarred)
        #expect(screen.state.content.details?["stars"]?.value == "\(3 + change)")
        await list.until { [fork] in $0.content.rows.first { $0.id == fork }?.isStarred == !before.isStarred }
        // GitHub's number includes the star now.
        await screen.refresh()
        #expect(screen.state.row?.starCount == 3 + change)
        await list.toggleStar(fork)
        await screen.until { $0.row?.isStarred == before.isStarred && $0.row?.starCount == 3 }
        await screen.toggleFavorite()
        await list.until { [fork] in $0.content.rows.first { $0.id == fork }?.isFavorite == true }
        let favorites = container.favoriteListViewModel()
        await favorites.show()
        #expect(favorites.state.content.rows.first?.route == .gitHub(.repo(fork)))
    }

    @Test func `offers the sign-in for a star, and removes a private repository when the user signs out`() async throws
    {
        let visitor = try container().repoDetailViewModel()
        await visitor.show(tentacles)
        #expect(await visitor.toggleStar() == .signIn && visitor.state.notice?.action == .signIn)
        let container = try container(as: .octocat)
        await container.gitHubSession().start()
        let screen = container.repoDetailViewModel()
        await screen.show(.init(rawValue: 419_109_509))
        #expect(screen.state.content.details?["flags"]?.value == "Private and Fork")
        try await container.gitHubSession().signOut()
        await screen.until { $0.content.status.message?.kind == .notFound }
        #expect(screen.state.row == nil && screen.state.readme.details == nil && screen.state.title.isEmpty)
    }

    @Test(arguments: [GitHub.Screen.repo(.init(rawValue: 7)), GitHub.Screen.repoNamed("tea.swift", of: .octocat)])
    func `has a path`(_ screen: GitHub.Screen) throws {
        let path = try #require(Route.gitHub(screen).path)
        #expect(Route(path: path, among: [GitHub.Screen.self]) == .gitHub(screen))
        for path in ["/github/repos/x", "/github/repos/7/x", "/github/users/octocat/repos/a/b"] {
            #expect(Route(path: path, among: [GitHub.Screen.self]) == nil)
        }
    }

    @Test func `a list of an app's own follows stars with one call, also their count`() async throws {
        let container = try container(as: .octocat)
        await container.gitHubSession().start()
        let repos = container.repoRepository()
        let list = PagedListViewModel<GitHub.Login, RepoRow>(
            options: container.screenOptions(for: .gitHub),
            title: \.rawValue,
            empty: { _ in container.texts().noMatches },
            page: { login, cursor throws(BrowseError) in
                try await repos.page(of: .publicRepos(of: login), at: cursor)
            },
            row: { RepoRow($0) }
        )
        list.pages.markStars(of: container.gitHubSession())
        await list.show(.octocat)
        let row = try #require(list.row(fork))
        await list.toggleStar(fork)
        let count = 3 + (row.isStarred ? -1 : 1)
        #expect(list.row(fork)?.isStarred == !row.isStarred && list.row(fork)?.starCount == count)
        await list.refresh()
        #expect(list.row(fork)?.starCount == count)
        try await container.gitHubSession().signOut()
        await list.until { [fork] in $0.content.rows.first { $0.id == fork }?.isStarred == false }
    }
}

extension GitHub.Login {
    fileprivate static let octocat = GitHub.Login("octocat")
}
