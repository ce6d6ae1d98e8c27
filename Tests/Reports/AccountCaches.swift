import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

private let octocat = GitHub.Login("octocat")
private let profile = #"{"id":1,"login":"octocat","type":"User","name":"Octo"}"#

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
    private let folder = FileManager.default.temporaryDirectory.appending(path: "accounts-\(UUID())")

    init() {
        server.on(
            .any,
            times: .any,
            response: .computed { [service] request in
                let path = request.url.path()
                let (state, isHeld) = service.withLock { state in
                    state.sent.append("\(path) \(request.headers["If-None-Match"] ?? "-")")
                    return (state, state.held.contains(path))
                }
                if isHeld { await Task { await service.wait { !$0.held.contains(path) } }.value }
                let token = request.headers["Authorization"]?.split(separator: " ").last.map(String.init) ?? ""
                let login = state.users[token]
                if service.value.refuses, login != nil {
                    return .json(#"{"message":"Bad credentials"}"#, status: 401, headers: .gitHub)
                }
                let id = login == "mona" ? 1 : 2
                var headers = HTTPHeaders.gitHub
                headers["ETag"] = "\"\(login ?? "nobody") \(path)\""
                switch path {
                case "/user": return .json(#"{"id":\#(id),"login":"\#(login ?? "")","type":"User"}"#, headers: headers)
                case "/user/repos" where login == nil:
                    return .json(#"{"message":"Requires authentication"}"#, status: 401, headers: .gitHub)
                case _ where state.isOffline: return .failure(.notConnectedToInternet)
                case "/user/repos":
                    let row = #"{"id":\#(id),"name":"p","full_name":"\#(login ?? "")/private","private":true}"#
                    return .json("[\(row)]", headers: headers)
                case "/users/octocat": return .json(profile, headers: headers)
                default: return .json("[]", headers: headers)
                }
            }
        )
    }

    private func container() -> Container {
        .reports(server) { ($0.cacheFolder, $0.storageFolder, $0.clock) = (folder, folder, ImmediateClock()) }
    }

    private func signIn(_ name: String, in container: Container) async throws {
        try await container.gitHubSession().signIn(with: Credentials(token: Secret("ghp_\(name)_1234567890")))
    }

    private func names(_ list: RepoListViewModel) -> [String] { list.state.content.rows.map(\.fullName) }

    /// medic/cht-core#7492
    @Test func `stored copies are shown while the user of the token isn't known`() async throws {
        let first = container()
        try await signIn("mona", in: first)
        await first.userProfileViewModel().show(octocat)
        service.withLock { ($0.isOffline, $0.held) = (true, ["/user"]) }
        let second = container()
        let start = Task { await second.gitHubSession().start() }
        let page = second.userProfileViewModel()
        await page.show(octocat)
        #expect(page.state.content.details?.name == "Octo" && page.state.content.age != nil)
        service.withLock { ($0.held, $0.refuses) = ([], true) }
        await start.value
        await second.gitHubSession().retry()
        #expect(second.gitHubSession().current.user == nil)
    }

    /// fire-la/firela-app#345
    @Test func `nothing of an account is shown to the next one, nor asked about`() async throws {
        let all = container()
        try await signIn("mona", in: all)
        let own = all.repoListViewModel()
        await own.show(.own)
        #expect(names(own) == ["mona/private"])
        try await all.gitHubSession().signOut()
        service.withLock { ($0.isOffline, $0.sent) = (true, []) }
        try await signIn("hubot", in: all)
        let other = all.repoListViewModel()
        await other.show(.own)
        await own.retry()
        #expect(names(other).isEmpty && names(own).isEmpty)
        #expect(!service.value.sent.contains { $0.contains("mona") })
        #expect(try !containsStored("mona/private"))
    }

    private func containsStored(_ text: String) throws -> Bool {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try files?.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath }
            .contains { try Data(contentsOf: $0).range(of: Data(text.utf8)) != nil } ?? false
    }

    /// ignaciohermosillacornejo/copilot-money-mcp#521
    @Test func `another program's sign-in replaces the account, and mixes no rows`() async throws {
        let (one, two) = (container(), container())
        try await signIn("mona", in: one)
        let own = one.repoListViewModel()
        await own.show(.own)
        let seen = Monitor<[[String]]>([])
        let reader = Task {
            for await state in own.states.every { seen.withLock { $0.append(state.content.rows.map(\.fullName)) } }
        }
        try await signIn("hubot", in: two)
        service.withLock { $0.users["ghp_mona_1234567890"] = nil }
        await own.refresh()
        try await waitUntil { names(own) == ["hubot/private"] }
        reader.cancel()
        #expect(
            seen.value.allSatisfy { $0.count <= 1 }
                && !seen.value.drop { $0 != ["hubot/private"] }.contains(["mona/private"])
        )
        #expect(one.gitHubSession().current.user?.login == GitHub.Login("hubot"))
        #expect(try !containsStored("mona/private"))
    }

    /// apollographql/apollo-client#2919
    @Test(arguments: [true, false]) func `a reply after a sign-out is neither shown nor stored`(isOther: Bool)
        async throws
    {
        let all = container()
        try await signIn("mona", in: all)
        service.withLock { $0.held = ["/user/repos"] }
        let own = all.repoListViewModel()
        let show = Task { await own.show(.own) }
        await service.wait { $0.sent.contains { $0.hasPrefix("/user/repos") } }
        try await all.gitHubSession().signOut()
        #expect(own.state.notice == nil)
        let signIn = Task { if isOther { try await self.signIn("hubot", in: all) } }
        try await signIn.value
        service.withLock { $0.held = [] }
        await show.value
        try await waitUntil { own.state.content.status != .loading }
        if isOther {
            try await waitUntil { names(own) == ["hubot/private"] }
        } else {
            #expect(names(own).isEmpty)
            guard case .failed(let message) = own.state.content.status else {
                Issue.record("\(own.state.content.status)")
                return
            }
            #expect(message.action == .signIn)
        }
        #expect(try !containsStored("mona/private"))
    }
}
