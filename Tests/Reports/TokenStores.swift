import BrowseKit
import BrowseMocks
import Dispatch
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

private let goodToken = "gho_good_1234567890"

/// Where tokens are stored, where they're sent, and which texts are tokens.
@MainActor
@Suite(.bounded)
struct `Reports about token stores` {
    private let server = ScriptedServer()
    private let folder = TemporaryFolder()

    private func container(
        _ store: (any TokenStore)? = nil,
        token: String? = nil,
        at server: String = "https://github.com",
        clock: any Clock<Duration> = ImmediateClock(),
        folder: URL? = nil,
        observers: [any HTTPObserver] = []
    ) -> Container {
        scriptUsers()
        // A test clock that advances while a request starts doesn't end it.
        let transport = self.server.transport(clock: ContinuousClock())
        return .reports(self.server, transport: transport, at: server, clock: clock, isCaching: false, store: store) {
            ($0.storageFolder, $0.cacheByteLimit, $0.observers) = (folder, 0, observers)
            $0.gitHub.token = token.flatMap { try? Secret($0) }
            $0.gitHub.app = .gitHub(clientID: "client")
        }
    }

    /// Answers `GET /user` by the token: that of hubot, another good one, or a refused one.
    private func scriptUsers() {
        let own = ScriptedServer.Response.computed { request in
            let token = request.headers["Authorization"] ?? ""
            guard !token.contains("refused") else { return .badCredentials }
            return token.contains("hubot") ? .user(2, "hubot") : .mona
        }
        for root in ["", "https://ghe.example.co/api/v3"] {
            server.onSession(as: own, at: root)
            server.on(.get, root + "/users/octocat", times: .any, response: .user(583_231, "octocat"))
        }
    }

    private func signIn(_ container: Container, _ token: String = goodToken) async -> Message? {
        await container.paste(token).state.message
    }

    // MARK: Stores that fail

    /// grafana/gcx#964
    @Test func `a store that hangs delays what needs the account, and nothing for good`() async throws {
        let (clock, semaphore) = (TestClock(), DispatchSemaphore(value: 0))
        defer { semaphore.signal() }
        let queue = QueueExecutor("test", patience: .seconds(10), clock: clock)
        var store = FileTokenStore(folder: folder.url, name: SessionName("GitHub", at: GitHubSettings().url))
        (store.clock, store.queue) = (clock, queue)
        queue.handOver { semaphore.wait() }
        let container = container(store, clock: clock)
        func drive(while condition: @escaping @Sendable () -> Bool = { true }) -> Task<Void, Never> {
            Task.detached {
                while !Task.isCancelled, condition() {
                    await clock.waitForSleepersAndTimeLimits(1)
                    if condition() { await clock.advance(by: .milliseconds(500)) }
                }
            }
        }
        // Not while a request is in flight, whose deadline could pass.
        let waiting = drive { [server] in server.requests.isEmpty }
        let (profile, account) = (await container.profile(), container.gitHubAccountViewModel())
        waiting.cancel()
        let driver = drive()
        await account.show()
        #expect(profile.state.content.details != nil)
        #expect(account.state.content.status.message?.kind == .storage && clock.now.offset < .seconds(120))
        let canceled = Task { await account.retry() }
        canceled.cancel()
        await canceled.value
        driver.cancel()
        // A token of the configuration needs no store.
        let own = self.container(token: goodToken, clock: clock, folder: folder.url)
        #expect(try await own.userRepository().ownProfile().user.login == .mona)
    }

    /// Azure/azure-cli#21848
    @Test(arguments: [Data(), Data(#"{"version":1,"session":"GitHub https://api.git"#.utf8), Data(count: 512)])
    func `a damaged file is told, and replaced by signing in or removed by signing out`(contents: Data) async throws {
        _ = await signIn(container(folder: folder.url))
        let file = try #require(folder.names.first { $0.hasSuffix(".json") })
        for isSigningIn in [true, false] {
            try contents.write(to: folder.file(file))
            let next = container(folder: folder.url)
            let account = await next.account()
            #expect(account.state.content.status.message?.kind == .storage)
            if isSigningIn {
                #expect(await signIn(next) == nil && next.gitHubSession().current.user != nil)
            } else {
                await account.signOut()
                #expect(next.gitHubSession().current == .signedOut(.requested) && account.state.notice == nil)
            }
            #expect(folder.names.contains(file) == isSigningIn)
        }
    }

    /// gethouston/houston#1192
    @Test func `a token that can't be deleted is told, and deleted as soon as possible`() async throws {
        let store = FailingTokenStore()
        let container = container(store)
        _ = await signIn(container)
        let account = await container.account()
        store.isFailing.withLock { $0 = true }
        await account.signOut()
        #expect(container.gitHubSession().current == .signedOut(.requested))
        #expect(account.state.notice?.kind == .storage && account.state.notice?.error != nil)
        #expect(account.state.notice?.text.contains("may be signed in again") == true)
        store.isFailing.withLock { $0 = false }
        await account.show()
        #expect(try await store.load() == nil && container.gitHubSession().current.user == nil)
    }

    /// kishikawakatsumi/KeychainAccess#52
    @Test func `a token that can't be stored is named, with the number of the error`() async throws {
        let store = FailingTokenStore(isFailing: Monitor(true))
        let message = await signIn(container(store))
        #expect(message?.error == .storageFailed(store.failure) && message?.kind == .storage)
        // A program that needs no store has one in memory.
        let other = container(InMemoryTokenStore())
        #expect(await signIn(other) == nil && other.gitHubSession().current.user != nil)
    }

    /// onecodex/onecodex#113
    @Test func `a folder that can't be made stops nothing but storing`() async throws {
        let folder = folder.file("file")
        try FileManager.default.createDirectory(at: self.folder.url, withIntermediateDirectories: true)
        try Data().write(to: folder)
        let home = folder.appending(path: "home", directoryHint: .isDirectory)
        let own = container(token: goodToken, folder: home)
        let account = await own.account()
        #expect(account.state.user?.login == .mona)
        let next = container(folder: home)
        #expect(await next.profile().state.content.details != nil)
        #expect(await signIn(next)?.kind == .storage)
        #expect(self.folder.names == ["file"])
    }

    // MARK: Whose token

    /// aenix-io/aeman#186
    @Test func `all belongs to the account that signed in elsewhere`() async throws {
        let store = InMemoryTokenStore()
        let (here, elsewhere) = (container(store), container(store))
        server.compute(.get, "/user/repos") { request in
            .repos(of: request.headers["Authorization"]?.contains("hubot") == true ? "hubot" : "mona")
        }
        _ = await signIn(here)
        let account = await here.account()
        let repos = await here.repos(.own)
        #expect(await signIn(elsewhere, "gho_hubot_1234567890") == nil)
        await account.show()
        await repos.refresh()
        #expect(account.state.user?.login == GitHub.Login("hubot"))
        #expect(here.gitHubSession().current.user?.login == GitHub.Login("hubot"))
        // The list can start over for the account at any time, also while it's refreshed.
        await repos.until { $0.content.rows.map(\.fullName) == ["hubot/r7"] }
    }

    /// cli/cli#9646
    @Test func `a refused token of the settings touches no stored session`() async throws {
        _ = await signIn(container(folder: folder.url))
        let own = container(token: "ghp_refused_1234567890", folder: folder.url)
        let account = await own.account()
        let message = account.state.content.status.message
        #expect(message?.text == "GitHub doesn’t accept the token in this app’s settings. Replace the token.")
        #expect(message?.action == .retry)
        await account.signOut()
        let next = await container(folder: folder.url).started()
        #expect(next.gitHubSession().current.user?.login == .mona)
    }

    /// gitify-app/gitify#669, cli/cli#7449
    @Test func `a token is sent to its own server only`() async throws {
        let one = container(token: "ghp_one_1234567890")
        let other = container(token: "ghp_other_1234567890", at: "https://ghe.example.co")
        for container in [one, other] {
            await container.gitHubSession().start()
            _ = await container.profile()
            _ = await container.image(at: "https://ghe.example.co/avatars/1")
        }
        await one.gitHubAccountViewModel().signOut()
        #expect(try await other.userRepository().ownProfile().user.login == .mona)
        for request in server.requests {
            let isOther = request.url.path().hasPrefix("/api/v3/")
            let own = request.url.host() == "api.github.com" ? "Bearer ghp_one_1234567890" : nil
            let token = isOther ? "Bearer ghp_other_1234567890" : own
            #expect(request.headers["Authorization"] == token, "\(request)")
        }
    }

    // MARK: Texts of tokens

    private nonisolated static let forms = [
        "0123456789abcdef0123456789abcdef01234567", "ghp_" + String(repeating: "aZ09", count: 9),
        "github_pat_" + String(repeating: "aZ_9", count: 20) + "aa",
        "ghs_" + String(repeating: "eyJ-h_0", count: 25) + "." + String(repeating: "aZ", count: 100) + ".x-_9",
        "v1." + String(repeating: "0a", count: 20),
    ]
    private nonisolated static let surrounded = [
        "gho_abc\n", "gho_abc\r\n", " gho_abc", "\tgho_abc ", #""gho_abc""#, "'gho_abc'", #" "gho_abc" "#,
    ]

    /// cli/cli#9731, r-lib/gh#231
    @Test(arguments: surrounded.map { ($0, "gho_abc") } + forms.map { ($0, $0) })
    func `a token is read without what surrounds it, and sent whole`(text: String, token: String) async throws {
        #expect(try Secret(environmentVariable: "TOKEN", in: ["TOKEN": text]) == Secret(token))
        #expect(await signIn(container(), text) == nil)
        #expect(server.requests.last?.headers["Authorization"] == "Bearer \(token)")
        #expect(try Secret(environmentVariable: "TOKEN", in: ["TOKEN": " \r\n"]) == nil)
    }

    /// Gentleman-Programming/gentle-ai#4752
    @Test(arguments: ["ghp_xxx\nX-Evil: 1", "ghp_xxx\u{0}1", "ghp_xxxé", "ghp_x\u{200B}xx", "ghp_xxx\r\n\r\nGET /"])
    func `a text that can't be a token isn't sent`(text: String) async {
        #expect(throws: Secret.ValidationError.self) { try Secret(environmentVariable: "T", in: ["T": text]) }
        let message = await signIn(container(), text)
        // Invisible characters of a pasted text are removed.
        let isInvisible = text.unicodeScalars.contains { $0 == "\u{0}" || $0 == "\u{200B}" }
        let expected = "This token isn’t valid. It’s empty or contains characters that aren’t allowed."
        #expect(message?.text == (isInvisible ? nil : expected) && server.requests.isEmpty == !isInvisible)
    }

    /// github/gh-aw-firewall#3785
    @Test(arguments: forms[1...3])
    func `a token that a server repeats is shown nowhere`(text: String) async throws {
        let shown = Monitor<[String]>([])
        let printer = ExchangePrinter { line in shown.withLock { $0.append(line) } }
        let container = container(observers: [printer])
        let half = text.index(text.startIndex, offsetBy: text.count / 2)
        let json = #"{"message": "No \#(text), and\n\#(text[..<half])\n\#(text[half...]) here"}"#
        server.on(.get, "/users/leak", response: .json(json, status: 403, headers: .gitHub))
        let profile = await container.profile(of: "leak")
        let message = try #require(profile.state.content.status.message)
        shown.withLock { $0 += ["\(message)", message.text, message.error.map { "\($0)" } ?? ""] }
        let recorder = RecordingTransport(over: server.transport())
        let url = try #require(URL(string: "https://api.github.com/users/leak"))
        _ = try await recorder.send(HTTPClient.Request(url: url, endpoint: "GET /users/leak"))
        let place = folder.file("recording")
        try recorder.recording.write(to: place)
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path())
        let recorded = try names.map { try String(contentsOf: place.appending(path: $0), encoding: .utf8) }.joined()
        for part in [text, String(text.suffix(24))] {
            for line in shown.value { #expect(!line.contains(part)) }
            #expect(!recorded.contains(part))
        }
        #expect(message.text.contains("here"), "\(message.text)")
    }

    /// google/go-github#2650
    @Test(arguments: ["2026-06-03 19:52:44 UTC", "2026-06-03 19:52:44 +0200", "2026-06-03 7:52:44 UTC", "soon", ""])
    func `the end of a token that a server names fails no response`(date: String) async {
        let container = container()
        let fields: HTTPHeaders = ["GitHub-Authentication-Token-Expiration": date]
        server.on(.get, "/users/dated", response: .user(4, "dated", headers: fields))
        #expect(await signIn(container) == nil)
        let profile = await container.profile(of: "dated")
        #expect(profile.state.content.details != nil && container.gitHubSession().current.user != nil)
    }
}
