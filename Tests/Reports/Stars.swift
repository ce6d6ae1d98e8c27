import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// A GitHub with the stars of one user, whose responses can be held back.
private final class StarService: Sendable {
    struct State: Sendable {
        var starred: Set<Int> = []
        var held: Set<String> = []
        var sent: [String] = []
    }

    let state = Monitor(State())
    let gate = ControlledResponses<String, Void>()
    let server = ScriptedServer()

    init(starred: Set<Int> = []) {
        state.withLock { $0.starred = starred }
        server.on(RequestMatcher.any, times: .any, response: .computed { [self] in await respond(to: $0) })
    }

    /// The row of a repository, of which 5 others have set the star.
    private func row(_ id: Int, _ starred: Set<Int>) -> String {
        #"{"id": \#(id), "name": "r\#(id)", "full_name": "mona/r\#(id)", "private": false, "#
            + #""stargazers_count": \#(starred.contains(id) ? 6 : 5)}"#
    }

    private func respond(to request: HTTPClient.Request) async -> ScriptedServer.Response {
        let path = request.url.path()
        let (starred, isHeld) = state.withLock { state in
            state.sent.append("\(request.method.rawValue) \(path)")
            if let id = Int(path.dropFirst("/user/starred/mona/r".count)), request.method != .get {
                if request.method == .put { state.starred.insert(id) } else { state.starred.remove(id) }
            }
            return (state.starred, state.held.contains(path))
        }
        if isHeld { try? await gate.response(to: path) }
        switch path {
        case "/user": return .json(#"{"id": 1, "login": "mona", "type": "User"}"#, headers: .gitHub)
        case "/user/starred": return list(starred.sorted().map { row($0, starred) })
        case "/users/mona/repos": return list((1...3).map { row($0, starred) })
        case "/repos/mona/r1": return .json(row(1, starred), headers: .gitHub)
        default: return .status(204, headers: .gitHub)
        }
    }

    private func list(_ rows: [String]) -> ScriptedServer.Response {
        .json("[\(rows.joined(separator: ","))]", headers: .gitHub)
    }

    func count(of request: String) -> Int { state.value.sent.count { $0 == request } }

    func waitForRequests(_ count: Int, _ request: String) async {
        await state.wait { $0.sent.count { $0 == request } >= count }
    }

    func release() {
        state.withLock { $0.held = [] }
        for number in 0..<9 { gate.answer(number, with: .success(())) }
    }
}

/// What a later answer knows of stars, and of other changes.
@MainActor
@Suite(.bounded)
struct `Reports about stars` {
    private let reads = "GET /user/starred"

    private func container(_ service: StarService) -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: "en_US")
            $0.timeZone = .gmt
        }
        configuration.clock = ImmediateClock()
        configuration.gitHub.token = try? Secret("ghp_any_1234567890")
        return .production(on: service.server.transport(), configuration: configuration)
    }

    private func repos(_ container: Container) async -> RepoListViewModel {
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: GitHub.Login("mona")))
        return list
    }

    private func row(_ list: RepoListViewModel) -> RepoRow { list.state.content.rows[0] }

    @Test(arguments: [true, false], [true, false])
    func `a read that follows a star doesn't join one that was sent before it`(isStar: Bool, isList: Bool) async {
        let service = StarService(starred: isStar ? [] : [1])
        let container = container(service)
        let session = container.gitHubSession()
        await session.start()
        let (list, starred) = (await repos(container), container.repoListViewModel())
        await starred.show(.starred)
        let count = service.count(of: reads)
        service.state.withLock { $0.held = ["/user/starred"] }
        let first = Task { await isList ? starred.refresh() : session.reloadContent() }
        await service.waitForRequests(count + 1, reads)
        await list.setStar(row(list).id, to: isStar)
        service.state.withLock { $0.held = [] }
        let second = Task { await isList ? starred.refresh() : session.reloadContent() }
        await service.waitForRequests(count + 2, reads)
        service.release()
        await first.value
        await second.value
        #expect(row(list).isStarred == isStar && row(list).starCount == (isStar ? 6 : 5))
        #expect(starred.state.content.rows.first?.isStarred ?? false == isStar)
    }

    @Test func `a list that is shown after a star has the count of after it`() async {
        let service = StarService()
        let container = container(service)
        await container.gitHubSession().start()
        let list = await repos(container)
        service.state.withLock { $0.held = ["/users/mona/repos"] }
        let first = Task { await list.refresh() }
        await service.waitForRequests(2, "GET /users/mona/repos")
        await list.setStar(row(list).id, to: true)
        service.state.withLock { $0.held = [] }
        // Another list, and the same one.
        let other = await repos(container)
        await list.refresh()
        service.release()
        await first.value
        #expect([row(list).starCount, row(other).starCount] == [6, 6])
    }

    @Test(arguments: [true, false], [true, false])
    func `a count is right although the stars weren't known, or a read overlapped`(isStarred: Bool, isKnown: Bool) async
    {
        let service = StarService(starred: isStarred ? [1] : [])
        let container = container(service)
        let session = container.gitHubSession()
        if isKnown { await session.start() } else { service.state.withLock { $0.held = ["/user/starred"] } }
        let list = await repos(container)
        let start = Task { await session.start() }
        await service.waitForRequests(1, reads)
        // The page is read after the write, and was sent before it.
        if isKnown { service.state.withLock { $0.held = ["/user/starred/mona/r1"] } }
        let tap = Task { _ = await list.setStar(row(list).id, to: isKnown ? !isStarred : true) }
        await service.state.wait { $0.sent.contains { $0.hasSuffix("/r1") } }
        if isKnown { await list.refresh() }
        service.release()
        await start.value
        await tap.value
        let isShown = isKnown ? !isStarred : true
        await list.until {
            $0.content.rows[0].isStarred == isShown && $0.content.rows[0].starCount == (isShown ? 6 : 5)
        }
        await list.refresh()
        #expect(row(list).isStarred == isShown && row(list).starCount == (isShown ? 6 : 5))
    }

    @Test func `an unknown star is unset`() async {
        let service = StarService(starred: [1])
        let container = container(service)
        service.state.withLock { $0.held = ["/user/starred"] }
        let list = await repos(container)
        let start = Task { await container.gitHubSession().start() }
        await service.waitForRequests(1, reads)
        await list.setStar(row(list).id, to: false)
        #expect(service.state.value.starred == [])
        service.release()
        await start.value
        #expect(!row(list).isStarred)
    }
}

/// Reads of the starred list that fail.
@MainActor
@Suite(.bounded)
struct `Reports about missing stars` {
    private let server = ScriptedServer()

    private nonisolated static let mona = ScriptedServer.Response.json(#"{"id": 1, "login": "mona", "type": "User"}"#)

    private func container(
        user: ScriptedServer.Response = mona,
        pageTwo: ScriptedServer.Response = .status(500)
    ) -> Container {
        server.on(.get, "/user", times: .any, response: user)
        for page in 1...3 {
            let next = page < 3 ? "<https://api.github.com/user/starred?page=\(page + 1)>; rel=\"next\", " : ""
            let link = "\(next)<https://api.github.com/user/starred?page=3>; rel=\"last\""
            let row = #"[{"id": \#(page), "name": "r\#(page)", "full_name": "mona/r\#(page)"}]"#
            let response = ScriptedServer.Response.json(row, headers: ["Link": link])
            let query = page == 1 ? [:] : ["page": "\(page)"]
            server.on(.get, "/user/starred", query: query, times: .any, response: page == 2 ? pageTwo : response)
        }
        let rows = (1...4).map { #"{"id": \#($0), "name": "r\#($0)", "full_name": "mona/r\#($0)"}"# }
        server.on(.get, "/users/mona/repos", times: .any, response: .json("[\(rows.joined(separator: ","))]"))
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: "en_US")
            $0.timeZone = .gmt
        }
        configuration.clock = ImmediateClock()
        configuration.gitHub.token = try? Secret("ghp_any_1234567890")
        return .production(on: server.transport(), configuration: configuration)
    }

    @Test(arguments: [ScriptedServer.Response.status(500), .failure(.networkConnectionLost)])
    func `stars behind a failed page are shown, and the screen says that some may be missing`(
        failure: ScriptedServer.Response
    ) async {
        let isFixed = Monitor(false)
        let fixed = ScriptedServer.Response.json(
            #"[{"id": 2, "name": "r2", "full_name": "mona/r2"}]"#,
            headers: ["Link": "<https://api.github.com/user/starred?page=3>; rel=\"next\""]
        )
        let container = container(pageTwo: .computed { _ in isFixed.value ? fixed : failure })
        await container.gitHubSession().start()
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: GitHub.Login("mona")))
        await list.until { $0.notice?.action == .retry }
        #expect(list.state.notice?.title == "Stars May Be Missing")
        #expect(list.state.content.rows.map(\.isStarred) == [true, false, true, false])
        isFixed.withLock { $0 = true }
        await list.retry()
        await list.until { $0.notice == nil }
        #expect(list.state.content.rows.map(\.isStarred) == [true, true, true, false])
    }

    @Test func `the screen says that stars may be missing while the user isn't known`() async {
        let isFixed = Monitor(false)
        let container = container(
            user: .computed { _ in isFixed.value ? Self.mona : .status(500) },
            pageTwo: .json("[]")
        )
        await container.gitHubSession().start()
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: GitHub.Login("mona")))
        await list.until { $0.notice?.title == "Stars May Be Missing" }
        isFixed.withLock { $0 = true }
        await list.retry()
        await list.until { $0.notice == nil && $0.content.rows[0].isStarred }
    }
}

extension ViewModel {
    /// Returns the first state that meets a condition.
    @discardableResult
    fileprivate func until(_ condition: (State) -> Bool) async -> State {
        for await state in states.every where condition(state) { return state }
        return state
    }
}
