import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

private let repoID = GitHub.Repo.ID(rawValue: 7)

/// Stars on several screens, of several accounts, and after a restart.
@MainActor
@Suite(.bounded)
struct `Reports about stars on screens` {
    private let clock = TestClock()
    private let server: ScriptedServer
    private let reads = "GET /user/starred"

    init() { server = ScriptedServer(clock: clock) }

    private func container(folder: URL? = nil) -> Container {
        .reports(server, clock: ImmediateClock(), isCaching: false) {
            ($0.storageFolder, $0.now) = (folder, clock.now(from: .reports))
        }
    }

    /// Signs in; the server stores the stars of each account, and knows no others.
    private func signIn(_ container: Container) async throws {
        let starred = Monitor<Set<String>>([])
        server.compute(.get, "/user") { request in
            request.headers["Authorization"]?.contains("mona") == true ? .mona : .user(2, "hubot")
        }
        server.compute(.get, "/user/starred") { request in
            starred.value.contains(request.headers["Authorization"] ?? "") ? .repos(stars: 11) : .rows([])
        }
        server.compute(.put, "/user/starred/mona/r7") { request in
            starred.withLock { _ = $0.insert(request.headers["Authorization"] ?? "") }
            return .status(204, headers: .gitHub)
        }
        try await container.signIn("gho_mona_1234567890")
    }

    /// Ranchero-Software/NetNewsWire#3475, rsyncOSX/RsyncUI#182
    @Test func `a route of a cold start has its title, and its marks when they are known`() async throws {
        let folder = TemporaryFolder()
        let before = container(folder: folder.url)
        try await signIn(before)
        server.on(.get, "/repositories/7", response: .json(.repo(stars: 10), headers: .gitHub))
        server.on(.get, "/repositories/7/readme", times: .any, response: .gitHubNotFound)
        server.on(.get, "/users/mona/repos", response: .repos(stars: 10))
        let list = await before.repos(.ofMona)
        _ = await list.setStar(repoID, to: true)
        await list.setFavorite(repoID, to: true)
        let next = container(folder: folder.url)
        let detail = next.repoDetailViewModel()
        let show = Task { await detail.show(repoID, label: "mona/r7") }
        #expect(await detail.until { !$0.title.isEmpty }.title.contains("r7"))
        await show.value
        try await waitUntil { detail.state.row?.isStarred == true && detail.state.content.isFavorite == true }
        #expect(await next.repos(.ofMona).state.content.rows.map(\.isStarred) == [true])
    }

    /// michaelrambeau/bestofjs#1134, desktop/desktop#12494
    @Test(arguments: [true, false])
    func `a star of a stored row, or one that waits for a sign-in, follows its repository to another name`(
        isStored: Bool
    ) async throws {
        let written = Monitor("")
        server.onSession(as: .mona)
        server.on(.get, "/users/mona/repos", times: isStored ? 1 : .atLeast(1), response: .repos())
        if isStored { server.on(.get, "/users/mona/repos", response: .status(503)) }
        server.on(.get, "/repositories/7", times: .any, response: .json(.repo(of: "mona-new"), headers: .gitHub))
        server.compute { request in
            if request.method == .put { written.withLock { $0 = request.url.path() } }
            return .status(204, headers: .gitHub)
        }
        let container = isStored ? Container.reports(server, clock: ImmediateClock()) : container()
        if isStored {
            try await container.signIn()
            _ = await container.repos(.ofMona)
        }
        let list = await container.repos(.ofMona)
        #expect(list.state.content.rows.count == 1)
        let route = await list.setStar(repoID, to: true)
        if !isStored {
            #expect(route == .signIn)
            try await container.signIn()
            await written.wait { !$0.isEmpty }
        }
        #expect(written.value == "/user/starred/mona-new/r7")
    }

    @Test func `a star that waits for a sign-in is undone if its repository can't be read`() async throws {
        server.onSession(as: .mona)
        server.on(.get, "/users/mona/repos", response: .repos())
        server.on(.get, "/repositories/7", times: .any, response: .status(503))
        let container = container()
        let list = await container.repos(.ofMona)
        #expect(await list.setStar(repoID, to: true) == .signIn)
        try await container.signIn()
        // Until then, the request to sign in can be shown.
        let told = await list.until { $0.notice?.title == "Star Not Changed" }
        #expect(told.content.rows.map(\.isStarred) == [false])
        #expect(!server.requests.contains { $0.url.path().hasPrefix("/user/starred/") })
    }

    /// Returns the state that a new reader gets.
    private func read<Model: ViewModel>(_ model: Model) async -> Model.State? {
        for await state in model.states { return state }
        return nil
    }

    /// fossasia/open-event-attendee-android#1127, 2dust/v2rayNG#5973
    @Test func `a refused star is told to the next reader, until the list is refreshed`() async throws {
        let container = container()
        let refusal = ScriptedServer.Response.json(#"{"message": "No"}"#, status: 403, headers: .gitHub)
        server.on(.put, "/user/starred/mona/r7", times: 1, response: refusal)
        try await signIn(container)
        for path in ["/users/mona/repos", "/user/1/repos"] {
            server.on(.get, path, times: .any, response: .repos(stars: 10))
        }
        let list = await container.repos(.ofMona)
        _ = await list.setStar(repoID, to: true)
        await clock.advance(by: .seconds(20))
        let told = await read(list)
        #expect(told?.notice != nil && told?.content.rows.map(\.isStarred) == [false])
        #expect(told?.content.rows.map(\.starCount) == [10])
        await list.refresh()
        let later = await read(list)
        #expect(later != nil && later?.notice == nil, "\(String(describing: later?.notice))")
    }

    /// Dimillian/IceCubesApp#888, wordpress-mobile/WordPress-iOS#22065
    @Test func `a star changes one row of each list, and no older answer undoes it`() async throws {
        let container = container()
        try await signIn(container)
        let count = Monitor(10)
        let early = ScriptedServer.Response.repos(stars: 10).delayed(by: .seconds(1))
        server.on(.get, "/users/mona/repos", responses: [.repos(stars: 10), early])
        server.compute(.get, "/users/mona/repos") { _ in .repos(stars: count.value) }
        let json = #"{"total_count": 1, "incomplete_results": false, "items": [\#(String.repo(stars: 10))]}"#
        server.on(.get, "/search/repositories", response: .json(json, headers: .gitHub))
        let (search, list) = (await container.repos(for: "r"), await container.repos(.ofMona))
        let before = search.state.content.rows
        // An answer that was sent before the star.
        let refresh = Task { await list.refresh() }
        await clock.waitForSleepers(1)
        _ = await search.setStar(repoID, to: true)
        #expect(search.state.content.rows.change(since: before).positions == [[], [], [], [0]])
        await clock.run { await refresh.value }
        #expect(list.state.content.rows.map(\.starCount) == [11] && list.state.content.rows.map(\.isStarred) == [true])
        #expect(search.state.content.rows.map(\.starCount) == [11])
        count.withLock { $0 = 11 }
        await list.refresh()
        #expect(list.state.content.rows.map(\.starCount) == [11] && search.state.content.rows.map(\.starCount) == [11])
    }

    /// Dimillian/IceCubesApp#812
    @Test func `stars belong to the account, also in a list that was stored before`() async throws {
        let folder = TemporaryFolder()
        let container = container(folder: folder.url)
        server.on(.get, "/users/mona/repos", response: .repos(stars: 10, headers: .gitHub(["ETag": "\"1\""])))
        try await signIn(container)
        let list = await container.repos(.ofMona)
        _ = await list.setStar(repoID, to: true)
        #expect(list.state.notice == nil && list.state.content.rows.map(\.isStarred) == [true])
        for (login, isStarred) in [("hubot", false), ("mona", true)] {
            try await container.gitHubSession().signOut()
            try await container.signIn("gho_\(login)_1234567890")
            let again = container.repoListViewModel()
            let states = StateRecorder(of: again)
            await again.show(.ofMona)
            try await waitUntil { again.state.content.rows.map(\.isStarred) == [isStarred] }
            if !isStarred { #expect(!states.states.contains { $0.content.rows.contains(where: \.isStarred) }) }
        }
    }

    // MARK: What a later answer knows of stars, and of other changes

    private func signedIn(_ server: ScriptedServer) -> Container {
        .reports(server, clock: ImmediateClock(), retries: .standard, isCaching: false, hasToken: true)
    }

    private func row(_ list: RepoListViewModel) -> RepoRow { list.state.content.rows[0] }

    /// A GitHub with three repositories, of which one user has starred some.
    private func service(starred: [Int] = []) -> RowService {
        let service = RowService(starred, of: "/user/starred")
        service.state.withLock { $0.lists["/users/mona/repos"] = [1, 2, 3] }
        return service
    }

    @Test(arguments: [true, false], [true, false])
    func `a read that follows a star doesn't join one that was sent before it`(isStar: Bool, isList: Bool) async {
        let service = service(starred: isStar ? [] : [1])
        let container = await signedIn(service.server).started()
        let session = container.gitHubSession()
        let (list, starred) = (await container.repos(.ofMona), await container.repos(.starred))
        let count = service.state.value.requests.count { $0 == reads }
        service.hold(paths: ["/user/starred"])
        let first = Task { await isList ? starred.refresh() : session.reloadContent() }
        await service.waitForRequests(count + 1, reads)
        await list.setStar(row(list).id, to: isStar)
        service.hold(paths: [])
        let second = Task { await isList ? starred.refresh() : session.reloadContent() }
        await service.waitForRequests(count + 2, reads)
        service.server.release()
        await first.value
        await second.value
        #expect(row(list).isStarred == isStar && row(list).starCount == (isStar ? 6 : 5))
        // The other list receives the star later.
        await starred.until { ($0.content.rows.first?.isStarred ?? false) == isStar }
    }

    @Test func `a list that is shown after a star has the count of after it`() async {
        let service = service()
        let container = await signedIn(service.server).started()
        let list = await container.repos(.ofMona)
        service.hold(paths: ["/users/mona/repos"])
        let first = Task { await list.refresh() }
        await service.waitForRequests(2, "GET /users/mona/repos")
        await list.setStar(row(list).id, to: true)
        service.hold(paths: [])
        // Another list, and the same one.
        let other = await container.repos(.ofMona)
        await list.refresh()
        service.server.release()
        await first.value
        #expect([row(list).starCount, row(other).starCount] == [6, 6])
    }

    @Test(arguments: [
        (true, true, false), (false, true, true), (true, false, true), (false, false, true), (true, false, false),
    ])
    func `a star and its count are right if the stars weren't known, or a read overlapped`(
        sample: (isStarred: Bool, isKnown: Bool, isStar: Bool)
    ) async {
        let (isStarred, isKnown, isStar) = sample
        let service = service(starred: isStarred ? [1] : [])
        let container = signedIn(service.server)
        let session = container.gitHubSession()
        if isKnown { await session.start() } else { service.hold(paths: ["/user/starred"]) }
        let list = await container.repos(.ofMona)
        let start = Task { await session.start() }
        await service.waitForRequests(1, reads)
        // The page is read after the write, and was sent before it.
        if isKnown { service.hold(paths: ["/user/starred/mona/r1"]) }
        let tap = Task { _ = await list.setStar(row(list).id, to: isStar) }
        await service.state.wait { $0.requests.contains { $0.hasSuffix("/r1") } }
        if isKnown { await list.refresh() }
        service.server.release()
        await start.value
        await tap.value
        #expect(service.state.value.lists["/user/starred"] == (isStar ? [1] : []))
        let count = isStar ? 6 : 5
        await list.until { $0.content.rows[0].isStarred == isStar && $0.content.rows[0].starCount == count }
        await list.refresh()
        #expect(row(list).isStarred == isStar && row(list).starCount == count)
    }

    // Reads of the starred list that fail.

    private func page(_ number: Int) -> ScriptedServer.Response {
        let address = "https://api.github.com/user/starred?page="
        let next = number < 3 ? #"<\#(address)\#(number + 1)>; rel="next", "# : ""
        return .repos([number], headers: ["Link": next + #"<\#(address)3>; rel="last""#])
    }

    @Test(arguments: [
        ("user", ScriptedServer.Response.status(500)), ("page", .status(500)),
        ("page", .failure(.networkConnectionLost)),
    ])
    func `stars behind a failure may be missing, and the screen says so until they're read`(
        part: String,
        failure: ScriptedServer.Response
    ) async throws {
        let (isFixed, second) = (Monitor(false), page(2))
        server.compute(.get, "/user") { _ in isFixed.value || part != "user" ? .mona : failure }
        server.on(.get, "/user/starred", response: page(1))
        let repaired = ScriptedServer.Response.computed { _ in isFixed.value || part != "page" ? second : failure }
        server.on(.get, "/user/starred", query: ["page": "2"], response: repaired)
        server.on(.get, "/user/starred", query: ["page": "3"], response: page(3))
        server.on(.get, "/users/mona/repos", response: .repos([1, 2, 3, 4]))
        let container = await signedIn(server).started()
        let isRead = { (request: HTTPClient.Request) in
            part == "user" ? request.url.path() == "/user" : request.page == 2
        }
        let readCount = server.requests.count(where: isRead)
        let list = await container.repos(.ofMona)
        await list.until { $0.notice?.title == "Stars May Be Missing" && $0.notice?.action == .retry }
        if part == "page" { #expect(list.state.content.rows.map(\.isStarred) == [true, false, true, false]) }
        // The list repeats the read by itself, which a retry would join. It fails before the fix.
        try await waitUntil { server.requests.count(where: isRead) > readCount }
        await container.gitHubSession().start()
        await container.gitHubSession().reloadContent()
        isFixed.withLock { $0 = true }
        await list.retry()
        await list.until { $0.notice == nil && $0.content.rows.map(\.isStarred) == [true, true, true, false] }
    }

    @Test(arguments: [
        ("[\(String.repo(1))]", "<?page=3>; rel=\"last\"", true),
        ("[\(String.repo(1))]", "<?page=1>; rel=\"next\"", true),
        (#"[{"id":"x"}]"#, "", true), ("[\(String.repo(1)),null]", "", false),
    ])
    func `a read that lacks rows unsets no star, and is told if it lacks a page`(
        read: (rows: String, link: String, isTold: Bool)
    ) async {
        let answer = Monitor(ScriptedServer.Response.repos([1, 2]))
        server.on(.get, "/user", times: .any, response: .mona)
        server.compute(.get, "/user/starred") { _ in answer.value }
        server.on(.get, "/users/mona/repos", times: .any, response: .repos([1, 2]))
        let container = await signedIn(server).started()
        let list = await container.repos(.ofMona)
        await list.until { $0.content.rows.map(\.isStarred) == [true, true] }
        answer.withLock { $0 = .json(read.rows, headers: ["Link": read.link]) }
        await container.gitHubSession().reloadContent()
        await list.until { ($0.notice?.title == "Stars May Be Missing") == read.isTold }
        #expect(list.state.content.rows.map(\.isStarred) == [true, true])
        answer.withLock { $0 = .repos([1]) }
        await container.gitHubSession().reloadContent()
        await list.until { $0.notice == nil && $0.content.rows.map(\.isStarred) == [true, false] }
    }
}
