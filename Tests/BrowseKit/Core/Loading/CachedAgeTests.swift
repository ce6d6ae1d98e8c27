import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import Foundation
import TestLimits
import Testing

private let octocat = GitHub.Login("octocat")

/// Tests `LoadPolicy.cached(upTo:)` on screens; the age is 300 seconds.
@MainActor
@Suite(.bounded)
struct `Cached responses of a permitted age` {
    private let server = ScriptedServer()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "age-\(UUID())")
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let seconds = Monitor(0.0)

    /// The container of another start of the app.
    private func container(_ policy: LoadPolicy = .cached(upTo: .seconds(300))) throws -> Container {
        var configuration = Configuration.localized()
        configuration.loadPolicy = policy
        configuration.retries = .never
        configuration.cacheFolder = folder
        configuration.clock = ImmediateClock()
        configuration.now = { [start, seconds] in start + seconds.value }
        configuration.gitHub.token = try Secret("ghp_1234567890abcdef")
        return .production(on: server.transport(), configuration: configuration)
    }

    private func advance(by seconds: Double) { self.seconds.withLock { $0 += seconds } }

    private func users(_ ids: ClosedRange<Int>, next: String? = nil) -> ScriptedServer.Response {
        var headers: HTTPHeaders = ["X-GitHub-Request-Id": "A:1", "ETag": "\"\(ids)\""]
        headers["Link"] = next.map { "<https://api.github.com/user/1/followers?page=\($0)>; rel=\"next\"" }
        return .json(
            "[\(ids.map { #"{"id":\#($0),"login":"u\#($0)","type":"User"}"# }.joined(separator: ","))]",
            headers: headers
        )
    }

    private var repo: GitHub.Repo {
        GitHub.Repo(id: .init(rawValue: 1), name: "Hello-World", fullName: "octocat/Hello-World")
    }

    private func visit(_ container: Container) async -> FollowerListViewModel {
        let list = container.followerListViewModel()
        await list.show(.followers(of: octocat))
        return list
    }

    @Test func `are shown with their age, and nothing is sent until they're older`() async throws {
        server.on(.any, times: .any, response: users(1...2))
        let container = try container()
        for _ in 0..<3 { #expect(await visit(container).state.content.rows.count == 2) }
        #expect(server.requests.count == 1)
        advance(by: 300)
        let old = await visit(try self.container())
        #expect(server.requests.count == 1)
        #expect(old.state.content.provenance == .stale(since: start) && old.state.content.age?.isEmpty == false)
        advance(by: 1)
        let new = await visit(container)
        #expect(server.requests.count == 2)
        #expect(new.state.content.provenance?.isCurrent == true && new.state.content.age == nil)
        let young = await visit(container)
        await young.refresh()
        #expect(server.requests.count == 3 && young.state.content.provenance?.isCurrent == true)
    }

    @Test func `aren't the answer to Try Again`() async throws {
        func found(_ rows: String) -> ScriptedServer.Response {
            .json(#"{"total_count":1,"incomplete_results":false,"items":[\#(rows)]}"#)
        }
        let rows = [found(""), found(#"{"id":1,"login":"u1","type":"User"}"#)]
        server.on(.get, "/search/users", responses: rows)
        let search = try container().userSearchViewModel()
        search.query.text = "x"
        await search.submit()
        #expect(search.state.content.rows.isEmpty)
        await search.retry()
        #expect(search.state.content.rows.count == 1)
    }

    @Test(arguments: [LoadPolicy.cached(upTo: .zero), .cached(upTo: .seconds(-1))])
    func `are asked for with an age that nothing has`(policy: LoadPolicy) async throws {
        server.on(.any, times: .any, response: users(1...2))
        let container = try container(policy)
        _ = await visit(container)
        advance(by: 1)
        _ = await visit(container)
        #expect(server.requests.count == 2)
    }

    @Test func `with a date in the future have no age`() async throws {
        server.on(.any, times: .any, response: users(1...2))
        advance(by: 1_000)
        _ = await visit(try container())
        advance(by: -900)
        _ = await visit(try container())
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [false, true]) func `are asked for after a change of the account`(restarts: Bool) async throws {
        server.on(.get, "/users/octocat/followers", times: .any, response: users(1...2))
        server.on(.put, "/user/starred/octocat/Hello-World", response: .status(204))
        let first = try container()
        _ = await visit(first)
        advance(by: 1)
        try await first.starRepository().set(true, for: repo)
        advance(by: 1)
        let second = restarts ? try container() : first
        for _ in 0..<2 { _ = await visit(second) }
        #expect(server.requests.count { $0.method == .get } == 2)
    }

    @Test func `that were requested before a change are asked for again`() async throws {
        let (held, gate) = (Monitor(false), Monitor(false))
        server.on(
            .get,
            "/users/octocat/followers",
            times: .exactly(1),
            response: .computed { [users = users(1...2)] _ in
                held.withLock { $0 = true }
                await gate.wait { $0 }
                return users
            }
        )
        server.on(.get, "/users/octocat/followers", times: .any, response: users(1...3))
        server.on(.put, "/user/starred/octocat/Hello-World", response: .status(204))
        let container = try container()
        async let slow = visit(container)
        await held.wait { $0 }
        advance(by: 5)
        try await container.starRepository().set(true, for: repo)
        advance(by: 5)
        gate.withLock { $0 = true }
        _ = await slow
        #expect(await visit(container).state.content.rows.count == 3)
    }

    @Test func `of later pages aren't older than the first page`() async throws {
        server.on(.get, "/users/octocat/followers", times: .any, response: users(1...2, next: "2"))
        server.on(.get, "/user/1/followers", times: .any, response: users(3...4))
        let container = try container()
        func visitAll() async -> Int {
            let list = await visit(container)
            await list.loadAll()
            #expect(list.state.content.rows.map(\.id) == (1...4).map { GitHub.User.ID(rawValue: $0) })
            return server.requests.count
        }
        #expect(await visitAll() == 2)
        advance(by: 200)
        #expect(await visitAll() == 2)
        // The second page is asked for with the first one.
        let list = await visit(container)
        await list.refresh()
        #expect(await visitAll() == 4)
        advance(by: 200)
        #expect(await visitAll() == 4)
    }

    @Test func `of a row show its details`() async throws {
        let character =
            #"{"id":1,"name":"Bram","status":"Alive","species":"Human","type":"","gender":"Male","#
            + #""origin":{"name":"","url":""},"location":{"name":"","url":""},"episode":[],"created":""}"#
        server.on(
            .get,
            "https://rickandmortyapi.com/api/character",
            times: .any,
            response: .json(#"{"info":{"count":1,"pages":1,"next":null,"prev":null},"results":[\#(character)]}"#)
        )
        server.on(.get, "https://rickandmortyapi.com/api/character/1", times: .any, response: .json(character))
        let container = try container()
        let list = container.characterListViewModel()
        await list.show()
        let row = try #require(list.state.content.rows.first)
        func open(_ container: Container) async -> CharacterDetailViewModel {
            let screen = container.characterDetailViewModel()
            screen.showIfNeeded(EntityPreview(row.character, from: row.previewSource))
            #expect(screen.state.title == "Bram" && screen.state.content.provenance != .saved)
            await screen.showIfNeeded(row.id)
            #expect(screen.state.title == "Bram" && screen.state.content.details != nil)
            return screen
        }
        let young = await open(container).state.content
        #expect(server.requests.count == 1 && young.provenance == .stale(since: start) && young.age != nil)
        _ = await open(try self.container(.cachedFirst))
        #expect(server.requests.count == 2)
        advance(by: 250)
        _ = await open(container)
        advance(by: 51)
        // The row is older, and the response to the second visit isn't.
        _ = await open(container)
        #expect(server.requests.count == 3)
    }

    @Test func `of a repository count its stars after the change`() async throws {
        let count = Monitor(80)
        let headers = HTTPHeaders.gitHub
        let user = #"{"id":1,"login":"mona","type":"User"}"#
        server.on(.get, "/user", times: .any, response: .json(user, headers: headers))
        server.on(.get, "/user/starred", times: .any, response: .json("[]", headers: headers))
        let repos = ScriptedServer.Response.computed { _ in
            let owner = #"{"id":2,"login":"octocat","type":"User"}"#
            let names = #""id":7,"name":"r","full_name":"octocat/r""#
            return .json(#"[{\#(names),"owner":\#(owner),"stargazers_count":\#(count.value)}]"#, headers: headers)
        }
        let reads = server.on(.get, "/users/octocat/repos", times: .any, response: repos)
        server.on(.put, "/user/starred/octocat/r", response: .status(204, headers: headers))
        let container = try container()
        await container.gitHubSession().start()
        func visit() async -> RepoListViewModel {
            advance(by: 1)
            let list = container.repoListViewModel()
            await list.show(.publicRepos(of: octocat))
            return list
        }
        let list = await visit()
        _ = await list.setStar(try #require(list.state.content.rows.first?.id), to: true)
        count.withLock { $0 = 85 }
        for _ in 0..<2 {
            let row = try #require(await visit().state.content.rows.first)
            #expect(row.starCount == 85 && row.isStarred && reads.requests.count == 2)
        }
    }

    @Test func `of the starred list don't bring back a star that was removed elsewhere`() async throws {
        let (starred, headers) = (Monitor(true), HTTPHeaders.gitHub)
        server.on(.get, "/user", times: .any, response: .json(#"{"id":1,"login":"mona"}"#, headers: headers))
        let repos = ScriptedServer.Response.computed { _ in
            .json(starred.value ? #"[{"id":7,"name":"r","full_name":"octocat/r"}]"# : "[]", headers: headers)
        }
        server.on(.get, "/user/starred", times: .any, response: repos)
        let container = try container()
        await container.gitHubSession().start()
        for isStarred in [true, false] {
            starred.withLock { $0 = isStarred }
            advance(by: 1)
            await container.gitHubSession().reloadContent()
            let list = container.repoListViewModel()
            await list.show(.starred)
            #expect(list.state.content.rows.map(\.isStarred) == [isStarred])
            #expect(container.gitHubSession().stars.isStarred(.init(rawValue: 7)) == isStarred)
        }
    }

    @Test func `of a repository give no star to another one that has its name now`() async throws {
        func repo(_ name: String) -> ScriptedServer.Response {
            .json(#"{"id":7,"name":"\#(name)","full_name":"octocat/\#(name)"}"#, headers: .gitHub)
        }
        server.on(.get, "/user", times: .any, response: .json(#"{"id":1,"login":"mona"}"#, headers: .gitHub))
        server.on(.get, "/user/starred", times: .any, response: .json("[]", headers: .gitHub))
        server.on(.get, "/repos/octocat/old", response: repo("old"))
        server.on(.get, "/repositories/7/readme", times: .any, response: .gitHubNotFound)
        server.on(.get, "/repositories/7", times: .any, response: repo("new"))
        let star = server.on(.put, "/user/starred/octocat/new", response: .status(204, headers: .gitHub))
        let container = try container(.cached(upTo: .seconds(86_400)))
        await container.gitHubSession().start()
        for _ in 0..<2 {
            advance(by: 100)
            let screen = container.repoDetailViewModel()
            await screen.show(named: "old", of: octocat)
            if screen.state.content.provenance?.isCurrent == false { await screen.setStar(to: true) }
        }
        #expect(star.requests.count == 1)
    }

    @Test func `of one screen's entities are shown one after the other without a connection`() async throws {
        let isOffline = Monitor(false)
        for (id, name) in [(1, "a"), (2, "b")] {
            let profile = ScriptedServer.Response.json(#"{"id":\#(id),"login":"\#(name)","type":"User"}"#)
            let response = ScriptedServer.Response.computed { _ in
                isOffline.value ? .failure(.notConnectedToInternet) : profile
            }
            server.on(.get, "/users/\(name)", times: .any, response: response)
        }
        let screen = try container(.freshElseCached).userProfileViewModel()
        for name in ["b", "a"] {
            await screen.show(GitHub.Login(name))
            advance(by: 100)
        }
        isOffline.withLock { $0 = true }
        for name in ["a", "b"] {
            await screen.show(GitHub.Login(name))
            #expect(screen.state.content.details != nil)
        }
    }

    /// The README of the cached repository may still load when the server sends the other one.
    @Test(arguments: [false, true])
    func `of a name give way to the repository that has it now, and its README`(isHeld: Bool) async throws {
        func repo(_ id: Int) -> ScriptedServer.Response {
            .json(#"{"id":\#(id),"name":"site","full_name":"mona/site"}"#, headers: .gitHub)
        }
        func readme(_ id: Int) -> ScriptedServer.Response { .body(Data("# \(id)".utf8), headers: .gitHub) }
        server.on(.get, "/repos/mona/site", responses: [repo(1), repo(2)])
        server.on(.get, "/repositories/1", response: repo(1))
        server.on(.get, "/repositories/1/readme", times: isHeld ? 2 : .any, response: readme(1))
        server.on(.get, "/repositories/1/readme", times: .any, response: readme(1).held())
        server.on(.get, "/repositories/2/readme", response: readme(2))
        let container = try container(.cachedFirst)
        let (old, new) = (container.repoDetailViewModel(), container.repoDetailViewModel())
        await old.show(named: "site", of: GitHub.Login("mona"))
        await old.refresh()
        #expect(old.state.row?.id == GitHub.Repo.ID(rawValue: 1))
        await new.show(named: "site", of: GitHub.Login("mona"))
        #expect(new.state.row?.id == GitHub.Repo.ID(rawValue: 2) && new.state.readme.details??.text == "# 2")
    }

    @Test func `of an account aren't shown for another one that has taken its login`() async throws {
        func user(_ login: String) -> ScriptedServer.Response {
            .json(#"{"id":9,"login":"\#(login)","type":"User"}"#, headers: .gitHub)
        }
        server.on(.get, "/user/9", responses: [user("nina"), user("octocat")])
        let lost = ScriptedServer.Response.failure(.notConnectedToInternet)
        server.on(.get, "/users/octocat/followers", responses: [users(1...2), lost])
        let container = try container(.cachedFirst)
        let profile = container.userProfileViewModel()
        await profile.show(GitHub.User.ID(rawValue: 9))
        #expect(await visit(container).state.content.rows.count == 2)
        await profile.refresh()
        #expect(profile.state.login == octocat)
        #expect(await visit(container).state.content.rows.isEmpty)
    }

    @Test func `that can't be decoded are requested`() async throws {
        let client = HTTPClient.standard(
            .json(baseURL: try #require(URL(string: "https://own.example")), userAgent: "Tests"),
            transport: server.transport(),
            cache: ResponseCache(folder: folder)
        )
        server.on(.any, responses: [.json(#"["a"]"#), .json(#"{"b":1}"#)])
        let policy = LoadPolicy.cached(upTo: .seconds(300))
        let list = Endpoint<[String]>.json(.path("/a")) { (values: [String], _) in values }
        let object = Endpoint<[String: Int]>.json(.path("/a")) { (values: [String: Int], _) in values }
        let first = try await policy.load { () throws(BrowseError) in
            try await client.send(list)
        } cached: { _ in
        }
        #expect(first.value == ["a"])
        // As for a later page, which no cached one precedes.
        let second = try await policy.load(isShown: true, accepting: policy.accepted) { () throws(BrowseError) in
            try await client.send(object)
        } cached: { _ in
        }
        #expect(second.value == ["b": 1] && second.provenance == .fresh)
    }
}
