import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@MainActor
private func signedIn(_ server: ScriptedServer) -> Container {
    .reports(server, clock: ImmediateClock(), retries: .standard, isCaching: false, hasToken: true)
}

/// What a later answer knows of stars, and of other changes.
@MainActor
@Suite(.bounded)
struct `Reports about stars` {
    private let server = ScriptedServer()
    private let reads = "GET /user/starred"

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
        let container = signedIn(service.server)
        let session = container.gitHubSession()
        await session.start()
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
        #expect(starred.state.content.rows.first?.isStarred ?? false == isStar)
    }

    @Test func `a list that is shown after a star has the count of after it`() async {
        let service = service()
        let container = signedIn(service.server)
        await container.gitHubSession().start()
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
        isStarred: Bool,
        isKnown: Bool,
        isStar: Bool
    ) async {
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
