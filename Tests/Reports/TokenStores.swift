import BrowseKit
import BrowseMocks
import Dispatch
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// Where tokens are stored, where they're sent, and which texts are tokens.
@MainActor
@Suite(.bounded)
struct `Reports about token stores` {
    private let server = ScriptedServer()
    private let folder = TemporaryFolder()
    private let name = SessionName("GitHub", at: GitHubSettings().url)
    private let token = "gho_good_1234567890"

    private func container(
        _ store: (any TokenStore)? = nil,
        token: Secret? = nil,
        server url: String = "https://github.com",
        clock: any Clock<Duration> = ImmediateClock(),
        folder: URL? = nil,
        observers: [any HTTPObserver] = []
    ) -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: "en_US")
            $0.timeZone = .gmt
            $0.storageFolder = folder
            $0.cacheByteLimit = 0
            $0.observers = observers
        }
        configuration.clock = clock
        configuration.retries = .never
        configuration.gitHub = URL(string: url).map { GitHubSettings(server: $0) } ?? GitHubSettings()
        configuration.gitHub.token = token
        configuration.gitHub.app = .gitHub(clientID: "client")
        scriptUsers()
        let container = Container.production(on: server.transport(), configuration: configuration)
        if let store { container.gitHubTokenStore.override { _ in store } }
        return container
    }

    /// Answers `GET /user` by the token: that of hubot, another good one, or a refused one.
    private func scriptUsers() {
        let own = ScriptedServer.Response.computed { request in
            let token = request.headers["Authorization"] ?? ""
            guard !token.contains("refused") else {
                return .json(#"{"message": "Bad credentials"}"#, status: 401, headers: .gitHub)
            }
            return token.contains("hubot") ? user(2, "hubot") : user(1, "mona")
        }
        for root in ["", "https://ghe.example.co/api/v3"] {
            server.on(.get, root + "/user", times: .any, response: own)
            server.on(.get, root + "/user/starred", times: .any, response: .json("[]", headers: .gitHub))
            server.on(.get, root + "/users/octocat", times: .any, response: user(583_231, "octocat"))
        }
    }

    private nonisolated func user(_ id: Int, _ login: String, headers: HTTPHeaders = [:]) -> ScriptedServer.Response {
        var all = HTTPHeaders.gitHub
        all.merge(headers)
        return .json(#"{"id": \#(id), "login": "\#(login)", "type": "User"}"#, headers: all)
    }

    private func signIn(_ container: Container, _ token: String = "gho_good_1234567890") async -> Message? {
        let model = container.gitHubSignInViewModel()
        await model.signIn(withToken: token)
        return model.state.message
    }

    // MARK: Stores that fail

    /// grafana/gcx#964
    @Test func `a store that hangs delays what needs the account, and nothing for good`() async throws {
        let (clock, semaphore) = (TestClock(), DispatchSemaphore(value: 0))
        defer { semaphore.signal() }
        let queue = QueueExecutor("test", patience: .seconds(10), clock: clock)
        var store = FileTokenStore(folder: folder.url, name: name)
        (store.clock, store.queue) = (clock, queue)
        queue.handOver { semaphore.wait() }
        let container = container(store, clock: clock)
        let (profile, account) = (container.userProfileViewModel(), container.gitHubAccountViewModel())
        // Not while a request is in flight, whose time limit could end it.
        let waiting = Task.detached { [server] in
            while !Task.isCancelled, server.requests.isEmpty {
                await clock.waitForSleepersAndTimeLimits(1)
                await clock.advance(by: .seconds(5))
            }
        }
        await profile.show(GitHub.Login("octocat"))
        waiting.cancel()
        let driver = Task.detached {
            while !Task.isCancelled {
                await clock.waitForSleepersAndTimeLimits(1)
                await clock.advance(by: .seconds(5))
            }
        }
        await account.show()
        #expect(profile.state.content.details != nil)
        #expect(account.state.content.status.message?.kind == .storage && clock.now.offset < .seconds(120))
        let canceled = Task { await account.retry() }
        canceled.cancel()
        await canceled.value
        driver.cancel()
        // A token of the configuration needs no store.
        let own = self.container(token: try Secret(token), clock: clock, folder: folder.url)
        #expect(try await own.userRepository().ownProfile().user.login == GitHub.Login("mona"))
    }

    /// Azure/azure-cli#21848
    @Test(arguments: [Data(), Data(#"{"version":1,"session":"GitHub https://api.git"#.utf8), Data(count: 512)])
    func `a damaged file is told, and replaced by signing in or removed by signing out`(contents: Data) async throws {
        _ = await signIn(container(folder: folder.url))
        let file = try #require(folder.names.first { $0.hasSuffix(".json") })
        for isSigningIn in [true, false] {
            let handle = try FileHandle(forWritingTo: folder.file(file))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: contents)
            try handle.close()
            let next = container(folder: folder.url)
            let account = next.gitHubAccountViewModel()
            await account.show()
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

    /// A store whose changes fail while a flag is set.
    private struct FailingStore: TokenStore {
        let store = InMemoryTokenStore()
        let failure = StorageFailure(reason: .other, file: "session", code: -34018)
        let isFailing = Monitor(false)

        func load() async throws(BrowseError) -> Credentials? { try await store.load() }
        func update(
            _ change: @escaping @Sendable (Result<Credentials?, BrowseError>) -> TokenChange
        ) async throws(BrowseError) {
            guard !isFailing.value else { throw .storageFailed(failure) }
            try await store.update(change)
        }
    }

    /// gethouston/houston#1192
    @Test func `a token that can't be deleted is told, and deleted as soon as possible`() async throws {
        let store = FailingStore()
        let container = container(store)
        _ = await signIn(container)
        let account = container.gitHubAccountViewModel()
        await account.show()
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
        let store = FailingStore()
        store.isFailing.withLock { $0 = true }
        let container = container(store)
        let message = await signIn(container)
        #expect(message?.error == .storageFailed(store.failure) && message?.kind == .storage)
        // A program that needs no store has one in memory.
        let other = self.container(InMemoryTokenStore())
        #expect(await signIn(other) == nil && other.gitHubSession().current.user != nil)
    }

    /// onecodex/onecodex#113
    @Test func `a folder that can't be made stops nothing but storing`() async throws {
        let folder = folder.file("file")
        try FileManager.default.createDirectory(at: self.folder.url, withIntermediateDirectories: true)
        try Data().write(to: folder)
        let home = folder.appending(path: "home", directoryHint: .isDirectory)
        let own = container(token: try Secret(token), folder: home)
        let account = own.gitHubAccountViewModel()
        await account.show()
        #expect(account.state.user?.login == GitHub.Login("mona"))
        let next = container(folder: home)
        let profile = next.userProfileViewModel()
        await profile.show(GitHub.Login("octocat"))
        #expect(profile.state.content.details != nil)
        #expect(await signIn(next)?.kind == .storage)
        #expect(self.folder.names == ["file"])
    }

    // MARK: Whose token

    /// aenix-io/aeman#186
    @Test func `all belongs to the account that signed in elsewhere`() async throws {
        let store = InMemoryTokenStore()
        let (here, elsewhere) = (container(store), container(store))
        server.on(
            .get,
            "/user/repos",
            times: .any,
            response: .computed { request in
                let login = request.headers["Authorization"]?.contains("hubot") == true ? "hubot" : "mona"
                return .json(
                    #"[{"id": 7, "name": "r", "full_name": "\#(login)/r", "owner": {"id": 1, "login": "\#(login)"}}]"#,
                    headers: .gitHub
                )
            }
        )
        _ = await signIn(here)
        let (account, repos) = (here.gitHubAccountViewModel(), here.repoListViewModel())
        await account.show()
        await repos.show(.own)
        #expect(await signIn(elsewhere, "gho_hubot_1234567890") == nil)
        await account.show()
        await repos.refresh()
        #expect(account.state.user?.login == GitHub.Login("hubot"))
        #expect(here.gitHubSession().current.user?.login == GitHub.Login("hubot"))
        #expect(repos.state.content.rows.map(\.fullName) == ["hubot/r"])
    }

    /// cli/cli#9646
    @Test func `a refused token of the settings touches no stored session`() async throws {
        _ = await signIn(container(folder: folder.url))
        let own = container(token: try Secret("ghp_refused_1234567890"), folder: folder.url)
        let account = own.gitHubAccountViewModel()
        await account.show()
        let message = account.state.content.status.message
        #expect(message?.text == "GitHub doesn’t accept the token in this app’s settings. Replace the token.")
        #expect(message?.action == .retry)
        await account.signOut()
        let next = container(folder: folder.url)
        await next.gitHubSession().start()
        #expect(next.gitHubSession().current.user?.login == GitHub.Login("mona"))
    }

    /// gitify-app/gitify#669, cli/cli#7449
    @Test func `a token is sent to its own server only`() async throws {
        let one = container(token: try Secret("ghp_one_1234567890"))
        let other = container(token: try Secret("ghp_other_1234567890"), server: "https://ghe.example.co")
        for container in [one, other] {
            await container.gitHubSession().start()
            let profile = container.userProfileViewModel()
            await profile.show(GitHub.Login("octocat"))
            let image = ImageRequest(WebAddress(rawValue: "https://ghe.example.co/avatars/1"))
            await container.remoteImageViewModel().show(image)
        }
        await one.gitHubAccountViewModel().signOut()
        #expect(try await other.userRepository().ownProfile().user.login == GitHub.Login("mona"))
        for request in server.requests {
            let isAPI = request.url.path().hasPrefix("/api/v3/") || request.url.host() == "api.github.com"
            let own =
                request.url.host() == "api.github.com" ? "Bearer ghp_one_1234567890" : "Bearer ghp_other_1234567890"
            #expect(request.headers["Authorization"] == (isAPI ? own : nil), "\(request)")
        }
    }

    // MARK: Texts of tokens

    /// cli/cli#9731
    @Test(arguments: [
        "gho_abc\n", "gho_abc\r\n", " gho_abc", "\tgho_abc ", #""gho_abc""#, "'gho_abc'",
        #" "gho_abc" "#,
    ])
    func `a token is read without what surrounds it`(text: String) async throws {
        #expect(try Secret(environmentVariable: "TOKEN", in: ["TOKEN": text]) == Secret("gho_abc"))
        #expect(await signIn(container(), text) == nil)
        #expect(server.requests.last?.headers["Authorization"] == "Bearer gho_abc")
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

    private nonisolated static let forms = [
        "0123456789abcdef0123456789abcdef01234567", "ghp_" + String(repeating: "aZ09", count: 9),
        "github_pat_" + String(repeating: "aZ_9", count: 20) + "aa",
        "ghs_" + String(repeating: "eyJ-h_0", count: 25) + "." + String(repeating: "aZ", count: 100) + ".x-_9",
        "v1." + String(repeating: "0a", count: 20),
    ]

    /// r-lib/gh#231
    @Test(arguments: forms)
    func `a token of any form is accepted, and sent whole`(text: String) async {
        #expect(await signIn(container(), text) == nil)
        #expect(server.requests.last?.headers["Authorization"] == "Bearer \(text)")
    }

    /// github/gh-aw-firewall#3785
    @Test(arguments: forms[1...3])
    func `a token that a server repeats is shown nowhere`(text: String) async throws {
        let shown = Monitor<[String]>([])
        let printer = ExchangePrinter { line in shown.withLock { $0.append(line) } }
        let container = container(observers: [printer])
        let half = text.index(text.startIndex, offsetBy: text.count / 2)
        server.on(
            .get,
            "/users/leak",
            times: .any,
            response: .json(
                #"{"message": "No \#(text), and\n\#(text[..<half])\n\#(text[half...]) here"}"#,
                status: 403,
                headers: .gitHub
            )
        )
        let profile = container.userProfileViewModel()
        await profile.show(GitHub.Login("leak"))
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
        server.on(.get, "/users/dated", times: .any, response: user(4, "dated", headers: fields))
        #expect(await signIn(container, token) == nil)
        let profile = container.userProfileViewModel()
        await profile.show(GitHub.Login("dated"))
        #expect(profile.state.content.details != nil && container.gitHubSession().current.user != nil)
    }
}
