import BrowseData
import BrowseKit
import BrowseMocks
import Foundation

/// A GitHub whose lists change between requests, and whose responses can be held back.
final class RowService: Sendable {
    struct State: Sendable {
        /// The numbers of the rows, by path, or by the text of a search.
        var lists: [String: [Int]] = [:]
        var names: [Int: String] = [:]
        var total: Int?
        var pageSize = 100
        /// The answers in place of pages, by method and number.
        var answers: [String: ScriptedServer.Response] = [:]
        /// The requests whose responses are held back, by number.
        var held: Set<Int> = []
        /// The paths whose responses are held back until the server releases them.
        var heldPaths: Set<String> = []
        var sent: [String] = []
        /// The requests so far, by method and path.
        var requests: [String] = []
    }

    static let followers = "/users/octocat/followers"

    let state: Monitor<State>
    let server = ScriptedServer()

    init(_ rows: [Int] = [], of list: String = followers, pageSize: Int = 100) {
        state = Monitor(State(lists: [list: rows], pageSize: pageSize))
        server.compute { [self] in await respond(to: $0) }
    }

    /// The requests so far, as "GET 2" for the second page, and "DELETE r7" for a star.
    var sent: [String] { state.value.sent }

    func hold(_ requests: Int...) { state.withLock { $0.held = Set(requests) } }
    func hold(paths: Set<String>) { state.withLock { $0.heldPaths = paths } }
    func release(_ request: Int) { state.withLock { _ = $0.held.remove(request) } }
    func release() { state.withLock { $0.held = [] } }
    func answer(_ request: String, with response: ScriptedServer.Response?) {
        state.withLock { $0.answers[request] = response }
    }
    func waitForRequests(_ count: Int) async { await state.wait { $0.sent.count >= count } }
    func waitForRequests(_ count: Int, _ request: String) async {
        await state.wait { $0.requests.count { $0 == request } >= count }
    }

    private func respond(to request: HTTPClient.Request) async -> ScriptedServer.Response {
        let (path, text, page) = (request.url.path(), request.item("q"), request.page)
        guard path != "/user" else { return .mona }
        let name = "\(request.method.rawValue) \(request.method == .get ? "\(page)" : request.url.lastPathComponent)"
        let (number, response, isHeld) = state.withLock { state in
            state.sent.append(name)
            state.requests.append("\(request.method.rawValue) \(path)")
            let response = state.answers[name] ?? state.page(page, of: text ?? path, request)
            return (state.sent.count - 1, response, state.heldPaths.contains(path))
        }
        // Not a child, so a response arrives although its request was canceled.
        await Task { [state] in await state.wait { !$0.held.contains(number) } }.value
        return isHeld ? response.held() : response
    }
}

extension RowService.State {
    fileprivate mutating func page(_ page: Int, of list: String, _ request: HTTPClient.Request)
        -> ScriptedServer.Response
    {
        guard request.method == .get else {
            let id = Int(request.url.lastPathComponent.dropFirst()) ?? 0
            lists["/user/starred"]?.removeAll { $0 == id }
            if request.method == .put { lists["/user/starred"]?.insert(id, at: 0) }
            return .status(204, headers: .gitHub)
        }
        if list.hasPrefix("/user/starred/") {
            let isStarred = lists["/user/starred"]?.contains { list.hasSuffix("/r\($0)") } == true
            return .status(isStarred ? 204 : 404, headers: .gitHub)
        }
        let (all, path) = (lists[list] ?? [], request.url.path())
        // 5 others have set each star.
        func row(_ id: Int) -> String {
            let stars = lists["/user/starred"]?.contains(id) == true ? 6 : 5
            return #"{"id":\#(id),"login":"\#(names[id] ?? "u\(id)")","type":"User","name":"r\#(id)","#
                + #""full_name":"mona/r\#(id)","private":false,"stargazers_count":\#(stars)}"#
        }
        if path.hasPrefix("/repositories/") {
            return .json(row(Int(request.url.lastPathComponent) ?? 0), headers: .gitHub)
        }
        let rows = all.dropFirst(pageSize * (page - 1)).prefix(pageSize).map { row($0) }
        let last = max(1, (all.count + pageSize - 1) / pageSize)
        var headers = HTTPHeaders.gitHub(["ETag": "\"\(list) \(page)\""])
        if page < last {
            let query = request.url.query()?.split(separator: "&").filter { !$0.hasPrefix("page=") } ?? []
            let url = "https://api.github.com\(path)?\(query.joined(separator: "&"))&page="
            headers["Link"] = "<\(url)\(page + 1)>; rel=\"next\", <\(url)\(last)>; rel=\"last\""
        }
        let json = "[\(rows.joined(separator: ","))]"
        guard path.hasPrefix("/search/") else { return .json(json, headers: headers) }
        let count = total ?? all.count
        return .json(#"{"total_count":\#(count),"incomplete_results":false,"items":\#(json)}"#, headers: headers)
    }
}

@MainActor
extension RowService {
    func container(_ change: (inout Configuration) -> Void = { _ in }) -> Container {
        .reports(server, clock: ImmediateClock(), change)
    }

    func followers(in container: Container? = nil) async -> FollowerListViewModel {
        await (container ?? self.container()).followers()
    }

    /// Holds back the response to the next request, which some work sends, until something else is done.
    func hold(
        _ work: @escaping @MainActor () async -> Void,
        meanwhile body: @MainActor () async throws -> Void
    ) async rethrows {
        let count = sent.count
        hold(count)
        let task = Task { await work() }
        await waitForRequests(count + 1)
        try await body()
        release()
        await task.value
    }

    /// A list of a user who is signed in; requests before it aren't counted.
    func repos(_ kind: GitHub.RepoList) async -> RepoListViewModel {
        let container = await container { $0.gitHub.token = try? Secret("ghp_any_1234567890") }.started()
        state.withLock { $0.sent = [] }
        return await container.repos(kind)
    }
}

extension ListViewModel where Row.ID: RawRepresentable<Int64> {
    var ids: [Int] { state.content.rows.map { Int(clamping: $0.id.rawValue) } }

    /// Reports a row as visible.
    func appear(_ id: Int) async {
        if let row = Row.ID(rawValue: Int64(id)) { await rowAppeared(row) }
    }
}

extension ListChange {
    /// The positions that were removed, inserted, appended, and updated; `nil` if it isn't an update.
    var positions: [[Int]]? {
        guard case .update(let update) = self else { return nil }
        return [update.removed, update.inserted, Array(update.appended), update.updated]
    }
}
