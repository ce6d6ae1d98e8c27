import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@MainActor
@Suite(.bounded)
struct `Reports about stored responses of accounts` {
    struct Service: Sendable {
        var users = ["ghp_mona_1234567890": "mona", "ghp_hubot_1234567890": "hubot"]
        var isOffline = false
        var refuses = false
        var held: Set<String> = []
        var sent: [String] = []
    }

    private let server = ScriptedServer()
    private let service = Monitor(Service())
    private let folder = URL.temporaryDirectory.appending(path: "accounts-\(UUID())")

    init() {
        server.compute { [service] request in
            let path = request.url.path()
            let (state, isHeld) = service.withLock { state in
                state.sent.append("\(path) \(request.headers["If-None-Match"] ?? "-")")
                return (state, state.held.contains(path))
            }
            if isHeld { await Task { await service.wait { !$0.held.contains(path) } }.value }
            let token = request.headers["Authorization"]?.split(separator: " ").last.map(String.init) ?? ""
            let (login, id) = (state.users[token], state.users[token] == "mona" ? 1 : 2)
            if service.value.refuses, login != nil { return .badCredentials }
            let headers = HTTPHeaders.gitHub(["ETag": "\"\(login ?? "nobody") \(path)\""])
            switch path {
            case "/user": return .user(id, login ?? "", headers: headers)
            case "/user/repos" where login == nil:
                return .json(#"{"message":"Requires authentication"}"#, status: 401, headers: .gitHub)
            case _ where state.isOffline: return .offline
            case "/user/repos":
                let row = #"{"id":\#(id),"name":"p","full_name":"\#(login ?? "")/private","private":true}"#
                return .json("[\(row)]", headers: headers)
            case "/users/octocat": return .octocat(headers)
            default: return .json("[]", headers: headers)
            }
        }
    }

    private func container() -> Container {
        .reports(server, clock: ImmediateClock()) { ($0.cacheFolder, $0.storageFolder) = (folder, folder) }
    }

    private func names(_ list: RepoListViewModel) -> [String] { list.state.content.rows.map(\.fullName) }

    /// medic/cht-core#7492
    @Test func `stored copies are shown while the user of the token isn't known`() async throws {
        let first = container()
        try await first.signIn("ghp_mona_1234567890")
        _ = await first.profile()
        service.withLock { ($0.isOffline, $0.held) = (true, ["/user"]) }
        let second = container()
        let start = Task { await second.gitHubSession().start() }
        let page = await second.profile()
        #expect(page.state.content.details?.name == "Octo" && page.state.content.age != nil)
        service.withLock { ($0.held, $0.refuses) = ([], true) }
        await start.value
        await second.gitHubSession().retry()
        // A refusal ends the session in a task of its own.
        for await session in second.gitHubSession().sessions where session.user == nil { break }
    }

    /// fire-la/firela-app#345
    @Test func `nothing of an account is shown to the next one, nor asked about`() async throws {
        let all = container()
        try await all.signIn("ghp_mona_1234567890")
        let own = await all.repos(.own)
        #expect(names(own) == ["mona/private"])
        try await all.gitHubSession().signOut()
        service.withLock { ($0.isOffline, $0.sent) = (true, []) }
        try await all.signIn("ghp_hubot_1234567890")
        let other = await all.repos(.own)
        await own.retry()
        #expect(names(other).isEmpty)
        // It can receive the end of its session later.
        await own.until { $0.content.rows.isEmpty }
        #expect(!service.value.sent.contains { $0.contains("mona") })
        #expect(try !containsStored("mona/private"))
    }

    private func containsStored(_ text: String) throws -> Bool {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        // A response that is still being stored changes its name.
        return files?.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }
            .contains { (try? Data(contentsOf: $0))?.range(of: Data(text.utf8)) != nil } ?? false
    }

    /// ignaciohermosillacornejo/copilot-money-mcp#521
    @Test func `another program's sign-in replaces the account, and mixes no rows`() async throws {
        let (one, two) = (container(), container())
        try await one.signIn("ghp_mona_1234567890")
        let own = await one.repos(.own)
        let seen = StateRecorder(of: own)
        try await two.signIn("ghp_hubot_1234567890")
        service.withLock { $0.users["ghp_mona_1234567890"] = nil }
        await own.refresh()
        try await waitUntil { names(own) == ["hubot/private"] }
        let rows = seen.states.map { $0.content.rows.map(\.fullName) }
        #expect(rows.allSatisfy { $0.count <= 1 })
        #expect(!rows.drop { $0 != ["hubot/private"] }.contains(["mona/private"]))
        // The rows may be there before the user is known.
        for await session in one.gitHubSession().sessions where session.user?.login == GitHub.Login("hubot") { break }
        #expect(try !containsStored("mona/private"))
    }
}
