import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import BrowsePresentation
import BrowseTesting
import Foundation
import TestLimits
import TestSupport
import Testing

// The samples of the guides; those of the tests run as tests, too.

nonisolated struct Release: Codable, Hashable, Identifiable, Sendable {
    let id: Int64
    let name: String?
    let tag: String
    let page: WebAddress?

    private enum CodingKeys: String, CodingKey {
        case id
        case name
        case tag = "tag_name"
        case page = "html_url"
    }
}

nonisolated extension Endpoint<Page<Release>> {
    /// `GET /repos/{owner}/{repo}/releases`.
    static func releases(of repo: String, by owner: GitHub.Login, at cursor: PageCursor?) -> Self {
        let path: EndpointPath = "/repos/\(owner)/\(repo)/releases"
        return .json(
            cursor.map { .page($0, of: path) } ?? .path(path),
            query: [QueryItem("per_page", "100")]
        ) { (releases: LossyArray<Release>, response) in
            Page(items: releases.rows, skipped: releases.skipped, linkedBy: response)
        }
    }
}

nonisolated struct ReleaseRepository: Sendable {
    let client: HTTPClient

    func page(
        of repo: String,
        by owner: GitHub.Login,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<Release> {
        try await client.send(.releases(of: repo, by: owner, at: cursor))
    }
}

nonisolated extension Container {
    var releaseRepository: Dependency<ReleaseRepository> {
        dependency(.singleton) { ReleaseRepository(client: $0.gitHubClient()) }
    }
}

nonisolated extension Endpoint<Void> {
    /// `GET /gists/{id}/star`: 204 if the user has starred the gist, and 404 if not.
    static func star(of gist: String) -> Self { .json(method: .get, .path("/gists/\(gist)/star")) }
}

nonisolated struct GistRepository: Sendable {
    let client: HTTPClient

    func isStarred(_ gist: String) async throws(BrowseError) -> Bool {
        do throws(BrowseError) {
            try await client.send(.star(of: gist))
            return true
        } catch .notFound {
            return false
        }
    }
}

/// A row of a list of releases.
nonisolated struct ReleaseRow: ListRow {
    let release: Release
    var id: Int64 { release.id }
}

@Suite(.bounded)
struct `The samples of the guides` {
    @Test(.verifiesMocks)
    func readsReleases() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = ScriptedServer()
        let path = "/repos/octocat/hello/releases"
        let page = ScriptedServer.Response.json(
            #"[{"id": 1, "name": null, "tag_name": "v1"}]"#,
            headers: [
                "ETag": #""one""#,
                "Link": #"<https://api.github.com/repositories/7/releases?page=2>; rel="next""#,
            ]
        )
        server.on(.get, path, responses: [.status(502), page])
        server.on(.get(path).header("If-None-Match", #""one""#), response: .status(304))
        server.on(.get, "/repositories/7/releases", query: ["page": "2"], response: .json("[]"))

        let releases = chain(on: server).releaseRepository()
        let first = try await releases.page(of: "hello", by: GitHub.Login("octocat"), at: nil)
        let again = try await releases.page(of: "hello", by: GitHub.Login("octocat"), at: nil)
        let last = try await releases.page(of: "hello", by: GitHub.Login("octocat"), at: first.next)
        #expect(first.items.map(\.tag) == ["v1"])
        #expect(again == first)
        #expect(last.items.isEmpty)
        #expect(last.next == nil)
    }

    @Test(.verifiesMocks) func `ask whether a gist is starred`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = ScriptedServer()
        let portal = ScriptedServer.Response.body(Data("<html>".utf8), headers: ["Content-Type": "text/html"])
        server.on(.get, "/gists/1/star", responses: [.status(204), .gitHubNotFound, portal.ofProxy()])
        let gists = GistRepository(client: chain(on: server).gitHubClient())
        #expect(try await gists.isStarred("1"))
        #expect(try await !gists.isStarred("1"))
        await #expect(throws: BrowseError.self) { try await gists.isStarred("1") }
    }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "guides-\(UUID().uuidString)")

    private func chain(on server: ScriptedServer) -> Container {
        var configuration = Configuration()
        configuration.cacheFolder = folder
        configuration.clock = ImmediateClock()
        return Container.production(on: server.transport(), configuration: configuration)
    }

    @Test(.verifiesMocks)
    func reachesTheLimit() async throws {
        let server = ScriptedServer()
        let clock = TestClock()
        var configuration = Configuration()
        configuration.clock = clock
        configuration.now = clock.now(from: Date(timeIntervalSince1970: 1_800_000_000))
        let container = Container.production(on: server.transport(), configuration: configuration)
        server.on(
            .get,
            "/users/octocat",
            responses: [
                .status(429, headers: ["Retry-After": "60", "X-GitHub-Request-Id": "1"]),
                .fixture("user-octocat", in: .gitHub),
            ]
        )
        let users = container.userRepository()
        await #expect(throws: BrowseError.self) { try await users.profile(of: GitHub.Login("octocat")) }
        await #expect(throws: BrowseError.self) { try await users.profile(of: GitHub.Login("octocat")) }
        await clock.advance(by: .seconds(60))
        let profile = try await users.profile(of: GitHub.Login("octocat"))
        #expect(profile.user.login == GitHub.Login("octocat"))
    }

    @Test(.verifiesMocks)
    func losesConnections() async throws {
        let server = ScriptedServer()
        let user = ScriptedServer.Response.fixture("user-octocat", in: .gitHub)
        let faults = [.failure(.networkConnectionLost), user.truncated(after: 100), user]
        server.on(.get, "/users/octocat", responses: faults)
        server.on(.get, "/users/mona", response: .gitHubNotFound.held())
        let listener = try server.listen()
        defer { listener.stop() }
        let configuration = Configuration().with { $0.gitHub.url = listener.url }
        let container = Container.production(on: HTTPClient.makeTransport(), configuration: configuration)
        let profile = try await container.userRepository().profile(of: GitHub.Login("octocat"))
        #expect(profile.user.login == GitHub.Login("octocat"))

        let hanging = Task { try await container.userRepository().profile(of: GitHub.Login("mona")) }
        _ = await server.waitForRequests(4)
        server.release()
        await #expect(throws: BrowseError.self) { try await hanging.value }
    }

    @Test(.verifiesMocks)
    func timesOut() async throws {
        let clock = TestClock()
        let server = ScriptedServer()
        server.on(.get, "/users/mona", response: .gitHubNotFound.held())
        let configuration = Configuration().with { ($0.clock, $0.retries) = (clock, .never) }
        let users = Container.production(on: server.transport(), configuration: configuration).userRepository()
        let profile = Task { try await users.profile(of: GitHub.Login("mona")) }
        await server.waitForRequests(1)
        await clock.advance(by: configuration.limits.duration)
        await #expect(throws: BrowseError.self) { try await profile.value }
    }

    @Test func `wait for a rate limit`() async throws {
        let clock = TestClock()
        let now = { @Sendable in Date(timeIntervalSince1970: clock.now.offset / .seconds(1)) }
        let limit = BrowseError.RateLimit(kind: .primary, retryAt: now() + 60, isServerTime: true)
        func readPage() async throws(BrowseError) -> Date {
            if now() < limit.retryAt { throw .rateLimited(limit, .init(endpoint: "GET /a")) }
            return now()
        }
        func readPageWhenPossible() async throws -> Date {
            while true {
                do throws(BrowseError) {
                    return try await readPage()
                } catch {
                    guard case .rateLimited(let limit, _) = error else { throw error }
                    try await clock.sleep(for: .seconds(limit.retryAt.timeIntervalSince(now())))
                }
            }
        }
        #expect(try await clock.run { try await readPageWhenPossible() } == limit.retryAt)
    }

    @Test func `describe an enterprise server`() throws {
        let server = try #require(URL(string: "https://github.example.com"))
        let clientID = "Iv1.example"
        let configuration = Configuration().with {
            $0.gitHub = GitHubSettings(server: server)
            $0.gitHub.app = OAuthApp.gitHub(clientID: clientID)
            $0.storageFolder = Configuration.defaultStorageFolder.appending(path: "github.example.com")
            $0.cacheFolder = Configuration.defaultCacheFolder.appending(path: "github.example.com")
        }
        try configuration.validate()
        #expect(configuration.gitHub.url.absoluteString == "https://github.example.com/api/v3")
    }

    @Test func `describe an app of GitHub`() throws {
        let clientID = "Iv1.example"
        let clientSecret = try Secret("made-up")
        let redirect = try #require(URL(string: "https://example.com/signed-in"))
        var configuration = Configuration()
        configuration.gitHub.app = OAuthApp.gitHub(clientID: clientID, clientSecret: clientSecret, redirect: redirect)
        try configuration.validate()
    }

    @Test func `check typed names`() {
        for text in ["", "a b", String(repeating: "a", count: 40), "-a"] { #expect(login(typed: text) == nil) }
        #expect(login(typed: " https://github.com/octocat ") == GitHub.Login("octocat"))
    }

    @Test func `use a token in a test`() async throws {
        let services = OfflineServices()
        let token = try services.gitHub.token(for: GitHub.Login("haneul-kim"))
        let configuration = Configuration().with { $0.gitHub.token = token }
        let container = Container.offline(services, configuration: configuration)
        #expect(try await container.userRepository().ownProfile().user.login == GitHub.Login("haneul-kim"))
    }

    @Test func `read the reason of a service's error`() async throws {
        let url = try #require(URL(string: "https://api.example"))
        var service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
        service.failure = { response, info, now in
            let reason = (try? response.decoded(Refusal.self))?.reason
            var info = info.reporting(reason)
            if response.status == 400 { info.rejection = .input }
            return BrowseError(response, info: info, now: now)
        }
        let server = ScriptedServer()
        server.on(.get, "/a", response: .json(#"{"reason": "The title is empty."}"#, status: 400))
        let client = HTTPClient(service: service, transport: server.transport())
        let error = await #expect(throws: BrowseError.self) {
            try await client.send(Endpoint(.path("/a")) { $0.status })
        }
        #expect(error?.request?.serverMessage == "The title is empty." && error?.request?.rejection == .input)
    }

    /// inaturalist/iNaturalistAPI#379
    @Test(arguments: [401, 403, 404, 409, 416, 500])
    func `end a list at the limit of a service, whatever its status`(status: Int) async throws {
        let url = try #require(URL(string: "https://api.example"))
        var service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
        service.failure = { response, info, now in
            var info = info
            info.rejection = .pageLimit
            return BrowseError(response, info: info, now: now)
        }
        let server = ScriptedServer()
        server.on(.get, "/a", response: .json("{}", status: status))
        let client = HTTPClient(service: service, transport: server.transport())
        let error = await #expect(throws: BrowseError.self) {
            try await client.send(Endpoint(.path("/a")) { $0.status })
        }
        guard case .rejected(let info)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(info.rejection == .pageLimit && info.status == status)
    }

    @Test @MainActor func `add a kind of favorites without a service`() async throws {
        var configuration = Configuration()
        configuration.favoriteKinds = [FavoriteKind(Release.self, title: .releases) { $0.page.map(Route.webPage) }]
        let container = Container.offline(configuration: configuration)
        let page = WebAddress("https://github.com/octocat/hello/releases/tag/v1")
        let release = Favorite(Release(id: 1, name: nil, tag: "v1", page: page))
        let stored = Favorite(id: release.id, title: "v1", image: nil, payload: try #require(release.payload))
        _ = try await container.favoriteRepository().add(stored)
        let list = container.favoriteListViewModel()
        await list.show()
        #expect(list.state.content.rows.map(\.route) == [Route.webPage(page)])
    }

    @Test func `ask for more scopes`() {
        let clientID = "Iv1.example"
        var configuration = Configuration()
        configuration.gitHub.app = OAuthApp.gitHub(clientID: clientID, scopes: ["public_repo", "gist"])
        #expect(configuration.gitHub.app != OAuthApp.gitHub(clientID: clientID))
    }

    @Test(.verifiesMocks) @MainActor func `name the scope that a write lacks`() async throws {
        let server = ScriptedServer()
        let headers: HTTPHeaders = [
            "X-GitHub-Request-Id": "1", "X-OAuth-Scopes": "public_repo", "X-Accepted-OAuth-Scopes": "gist",
        ]
        let response = ScriptedServer.Response.json(#"{"message": "Not Found"}"#, status: 404, headers: headers)
        server.on(.any, times: 2, response: response)
        let container = Container.production(on: server.transport())
        let texts = container.texts().about(.gitHub)
        let messages: [(HTTPMethod, Message.Kind, Message.Action?)] = [
            (.post, .forbidden, .signIn), (.get, .notFound, nil),
        ]
        for (method, kind, action) in messages {
            let error = await #expect(throws: BrowseError.self) {
                try await container.gitHubClient().send(Endpoint(method: method, .path("/gists")) { $0.status })
            }
            let message = texts.message(for: try #require(error))
            #expect(message.kind == kind && message.action == action)
        }
    }

    @Test(arguments: ["2026-01-02T03:04:05Z", nil] as [String?])
    func `show a date as a fact`(text: String?) {
        let texts = Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt)
        let date = text.flatMap { try? Date($0, strategy: .iso8601) }
        let fact = Fact("added", texts(.added), date.map(texts.formats.day), missing: texts(.unknown))
        #expect(fact.value == (text == nil ? "Unknown" : "Jan 2, 2026"))
    }

    @Test func `change a copy of a configuration`() {
        let configuration = Configuration().with { $0.loadPolicy = .offline }
        #expect(configuration.loadPolicy == .offline)
    }

    @Test func `log events`() async throws {
        let lines = Monitor<[String]>([])
        let logger = Logger { line in lines.withLock { $0.append(line) } }
        let observers: [any HTTPObserver] = [LoggingObserver(logger: logger), printer(logger)]
        let container = Container.offline(
            .serverError,
            configuration: Configuration().with { $0.observers = observers }
        )
        await #expect(throws: BrowseError.self) {
            try await container.userRepository().profile(of: GitHub.Login("octocat"))
        }
        #expect(lines.value.contains { $0.hasPrefix("error: #") })
        #expect(lines.value.contains { $0.hasPrefix("debug: ") })
    }

    @Test func `read events from a stream`() async throws {
        let events = Broadcast<HTTPEvent>()
        let configuration = Configuration().with { $0.observers = [events] }
        let stream = events.stream(.bufferingNewest(1_000))
        _ = try await Container.offline(configuration: configuration).userRepository().profile(
            of: GitHub.Login("octocat")
        )
        events.finish()
        var texts: [String] = []
        for await event in stream { texts.append(event.description) }
        #expect(texts.contains { $0.contains("done") })
    }

    private func printer(_ logger: Logger) -> ExchangePrinter {
        ExchangePrinter { line in logger.debug("\(line)") }
    }

    @Test func `refresh in the background`() async throws {
        let services = OfflineServices()
        let container = Container.offline(services)
        #expect(await refresh(container))
        services.setScenario(.offline)
        #expect(await !refresh(container))
    }

    private func refresh(_ container: Container) async -> Bool {
        do {
            _ = try await LoadOptions(priority: .prefetch).load { () throws(BrowseError) in
                try await container.followerRepository().page(of: .followers(of: GitHub.Login("octocat")), at: nil)
            }
            return true
        } catch {
            return false
        }
    }

    @Test func `erase everything`() async throws {
        let services = OfflineServices()
        let token = try services.gitHub.token(for: GitHub.Login("haneul-kim"))
        let configuration = Configuration().with {
            $0.storageFolder = folder
            $0.gitHub.token = token
            // Waits for the disk have no limit, however busy the machine is.
            $0.clock = ImmediateClock()
        }
        let container = Container.offline(services, configuration: configuration)
        let user = try await container.userRepository().profile(of: GitHub.Login("octocat")).user
        let avatar = try #require(user.avatar)
        _ = try await container.imageRepository().image(for: ImageRequest(avatar))
        let responses = await container.responseCache().byteCount() ?? 0
        let images = await container.imageRepository().byteCount() ?? 0
        print(container.texts().formats.size(Int64(responses + images)))
        #expect(responses > 0 && images > 0)
        do {
            try await container.gitHubSession().signOut()
        } catch {
            print("The session has ended, but the token wasn't deleted or revoked:", error)
        }
        await container.responseCache().removeAll()
        await container.imageRepository().removeAll()
        #expect(cachedFiles(in: folder).isEmpty)
        try? FileManager.default.removeItem(at: folder)
    }

    @Test func `run without the main actor`() async throws {
        let container = Container.offline()
        let profiles = try await withThrowingTaskGroup(of: GitHub.UserProfile.self) { group in
            for name in ["octocat", "haneul-kim"] {
                group.addTask { try await container.userRepository().profile(of: GitHub.Login(name)) }
            }
            var profiles: [GitHub.UserProfile] = []
            for try await profile in group { profiles.append(profile) }
            return profiles
        }
        #expect(profiles.count == 2)
    }

    @Test func `cancel one of two callers`() async throws {
        let users = Container.offline().userRepository()
        let first = Task { try await users.profile(of: GitHub.Login("octocat")) }
        let second = Task { try await users.profile(of: GitHub.Login("octocat")) }
        first.cancel()
        let profile = try await second.value
        #expect(profile.user.login == GitHub.Login("octocat"))
    }
}

/// The error of a service: `{"reason": "The title is empty."}`.
nonisolated struct Refusal: Decodable, Sendable {
    let reason: String?
}

nonisolated extension Release: Favoritable {
    static let favoriteKind = Favorite.Kind(rawValue: "example.github.release")
    var favoriteKey: String { String(id) }
    var favoriteTitle: String { name ?? tag }
}

nonisolated extension Phrase {
    fileprivate static let releases = Phrase("example.releases", "Releases", ko: "릴리스")
    fileprivate static let added = Phrase("example.added", "Added", ko: "추가됨")
}

func login(typed text: String) -> GitHub.Login? {
    do throws(GitHub.Username.ValidationError) {
        return try GitHub.Username(text).login
    } catch {
        switch error {
        case .empty: print("Enter a username.")
        case .characterNotAllowed(let character): print("A username can’t contain \(character).")
        case .tooLong(let excess): print("Remove \(excess) characters.")
        case .hyphenFirst: print("A username can’t start with a hyphen.")
        case .addressWithoutAccount: print("This address names no account.")
        }
        return nil
    }
}

nonisolated struct LoggingObserver: HTTPObserver {
    let logger: Logger

    func observe(_ event: HTTPEvent) {
        switch event.kind {
        case .ended(.failure(.cancelled)), .ended(.failure(.unreachable(.notCached, _))): break
        case .ended(.failure): logger.error("#\(event.exchange) \(event.endpoint): \(event.description)")
        case .retrying, .waiting: logger.notice("#\(event.exchange) \(event.endpoint): \(event.description)")
        default: break
        }
    }
}

/// Stands in for the loggers of swift-log and of Apple platforms, which have the same methods.
nonisolated struct Logger: Sendable {
    let write: @Sendable (String) -> Void

    func debug(_ message: String) { write("debug: " + message) }
    func notice(_ message: String) { write("notice: " + message) }
    func error(_ message: String) { write("error: " + message) }
}
