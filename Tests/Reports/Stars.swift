import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// A GitHub with the stars of one user, which can hold back its responses until it's released.
private final class StarService: Sendable {
    struct State: Sendable {
        var starred: Set<Int> = []
        var held: Set<String> = []
        var sent: [String] = []
    }

    let state = Monitor(State())
    let server = ScriptedServer()

    init(starred: Set<Int> = []) {
        state.withLock { $0.starred = starred }
        server.compute { [self] in respond(to: $0) }
    }

    private func respond(to request: HTTPClient.Request) -> ScriptedServer.Response {
        let path = request.url.path()
        let (starred, isHeld) = state.withLock { state in
            state.sent.append("\(request.method.rawValue) \(path)")
            if let id = Int(path.dropFirst("/user/starred/mona/r".count)), request.method != .get {
                if request.method == .put { state.starred.insert(id) } else { state.starred.remove(id) }
            }
            return (state.starred, state.held.contains(path))
        }
        // 5 others have set each star.
        func repo(_ id: Int) -> String { .repo(id, stars: starred.contains(id) ? 6 : 5) }
        let response: ScriptedServer.Response =
            switch path {
            case "/user": .mona
            case "/user/starred": .rows(starred.sorted().map(repo))
            case "/users/mona/repos": .rows((1...3).map(repo))
            case "/repos/mona/r1": .json(repo(1), headers: .gitHub)
            default: .status(204, headers: .gitHub)
            }
        return isHeld ? response.held() : response
    }

    func waitForRequests(_ count: Int, _ request: String) async {
        await state.wait { $0.sent.count { $0 == request } >= count }
    }

    func hold(_ paths: String...) { state.withLock { $0.held = Set(paths) } }
}

@MainActor
private func signedIn(_ server: ScriptedServer) -> Container {
    .reports(server, clock: ImmediateClock(), retries: .standard, isCaching: false, hasToken: true)
}

/// What a later answer knows of stars, and of other changes.
@MainActor
@Suite(.bounded)
struct `Reports about stars` {
    private let reads = "GET /user/starred"

    private func row(_ list: RepoListViewModel) -> RepoRow { list.state.content.rows[0] }

    @Test(arguments: [true, false], [true, false])
    func `a read that follows a star doesn't join one that was sent before it`(isStar: Bool, isList: Bool) async {
        let service = StarService(starred: isStar ? [] : [1])
        let container = signedIn(service.server)
        let session = container.gitHubSession()
        await session.start()
        let (list, starred) = (await container.repos(.ofMona), await container.repos(.starred))
        let count = service.state.value.sent.count { $0 == reads }
        service.hold("/user/starred")
        let first = Task { await isList ? starred.refresh() : session.reloadContent() }
        await service.waitForRequests(count + 1, reads)
        await list.setStar(row(list).id, to: isStar)
        service.hold()
        let second = Task { await isList ? starred.refresh() : session.reloadContent() }
        await service.waitForRequests(count + 2, reads)
        service.server.release()
        await first.value
        await second.value
        #expect(row(list).isStarred == isStar && row(list).starCount == (isStar ? 6 : 5))
        #expect(starred.state.content.rows.first?.isStarred ?? false == isStar)
    }

    @Test func `a list that is shown after a star has the count of after it`() async {
        let service = StarService()
        let container = signedIn(service.server)
        await container.gitHubSession().start()
        let list = await container.repos(.ofMona)
        service.hold("/users/mona/repos")
        let first = Task { await list.refresh() }
        await service.waitForRequests(2, "GET /users/mona/repos")
        await list.setStar(row(list).id, to: true)
        service.hold()
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
        isStarred: Bool,
        isKnown: Bool,
        isStar: Bool
    ) async {
        let service = StarService(starred: isStarred ? [1] : [])
        let container = signedIn(service.server)
        let session = container.gitHubSession()
        if isKnown { await session.start() } else { service.hold("/user/starred") }
        let list = await container.repos(.ofMona)
        let start = Task { await session.start() }
        await service.waitForRequests(1, reads)
        // The page is read after the write, and was sent before it.
        if isKnown { service.hold("/user/starred/mona/r1") }
        let tap = Task { _ = await list.setStar(row(list).id, to: isStar) }
        await service.state.wait { $0.sent.contains { $0.hasSuffix("/r1") } }
        if isKnown { await list.refresh() }
        service.server.release()
        await start.value
        await tap.value
        #expect(service.state.value.starred == (isStar ? [1] : []))
        let count = isStar ? 6 : 5
        await list.until { $0.content.rows[0].isStarred == isStar && $0.content.rows[0].starCount == count }
        await list.refresh()
        #expect(row(list).isStarred == isStar && row(list).starCount == count)
    }
}

/// Reads of the starred list that fail.
@MainActor
@Suite(.bounded)
struct `Reports about missing stars` {
    private let server = ScriptedServer()

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
    ) async {
        let (isFixed, second) = (Monitor(false), page(2))
        server.compute(.get, "/user") { _ in isFixed.value || part != "user" ? .mona : failure }
        server.on(.get, "/user/starred", response: page(1))
        let repaired = ScriptedServer.Response.computed { _ in isFixed.value || part != "page" ? second : failure }
        server.on(.get, "/user/starred", query: ["page": "2"], response: repaired)
        server.on(.get, "/user/starred", query: ["page": "3"], response: page(3))
        server.on(.get, "/users/mona/repos", response: .repos([1, 2, 3, 4]))
        let container = signedIn(server)
        await container.gitHubSession().start()
        let list = await container.repos(.ofMona)
        await list.until { $0.notice?.title == "Stars May Be Missing" && $0.notice?.action == .retry }
        if part == "page" { #expect(list.state.content.rows.map(\.isStarred) == [true, false, true, false]) }
        isFixed.withLock { $0 = true }
        await list.retry()
        await list.until { $0.notice == nil && $0.content.rows.map(\.isStarred) == [true, true, true, false] }
    }
}
