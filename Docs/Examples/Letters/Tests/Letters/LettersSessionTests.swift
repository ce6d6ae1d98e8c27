import BrowseCore
import BrowseCoreMocks
import BrowseData
import Foundation
import Letters
import Synchronization
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5))) final class `A session of Letters` {
    private let server: LettersServer
    private let folder = FileManager.default.temporaryDirectory.appending(path: "Letters-\(UUID().uuidString)")
    private let haneul = Writer(name: "haneul")

    init() throws {
        server = try LettersServer()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns a container as a new launch of the app has it.
    private func container() throws -> Container {
        var configuration = Configuration().with { $0.userAgent = "Letters-Tests" }
        configuration.storageFolder = folder
        configuration.cacheByteLimit = 0
        configuration.letters.url = try #require(URL(string: server.origin))
        configuration.letters.app = OAuthApp(
            clientID: "letters-app",
            redirect: URL(string: "letters:/signed-in"),
            scopes: ["read"]
        )
        let container = Container(configuration, services: [LettersSettings.self])
        // The same on every platform: the test has no keychain.
        let store = try store(at: server)
        container.lettersTokens.override { container in
            container.makeTokenRepository(
                for: container.configuration.letters.url,
                store: store,
                authorization: container.lettersAuthorization()
            )
        }
        return container
    }

    private func store(at server: LettersServer) throws -> FileTokenStore {
        FileTokenStore(folder: folder, name: SessionName("Letters", at: try #require(URL(string: server.origin))))
    }

    private func model(in container: Container) -> SignInViewModel<Writer> {
        let authorization = container.lettersAuthorization()
        let count = Mutex(0)
        return SignInViewModel(
            session: container.lettersSession(),
            oauth: OAuthSignIn(
                authorization: authorization,
                clock: ImmediateClock(),
                // 32 bytes of state, then 32 of the verifier.
                random: {
                    count.withLock { count in
                        defer { count += 1 }
                        return UInt8(count / 32)
                    }
                }
            ),
            texts: container.texts().about(.letters)
        )
    }

    /// Returns the server's first pair of tokens.
    private func credentials(lifetime: TimeInterval) throws -> Credentials {
        Credentials(
            token: try Secret("access-1"),
            expiresAt: Date(timeIntervalSinceNow: lifetime),
            refreshToken: try Secret("refresh-1")
        )
    }

    @Test func `begins by code on another device, and is restored at the next launch`() async throws {
        let container = try container()
        let model = model(in: container)
        var seen: [SignInViewModel<Writer>.State] = []
        let states = model.states.every
        await model.signInByCode()
        for await state in states {
            seen.append(state)
            if case .signedIn = state { break }
        }
        let prompts = seen.compactMap { if case .waitingForCode(let prompt) = $0 { prompt } else { nil } }
        #expect(prompts.map(\.userCode) == ["ABCD-EFGH"])
        #expect(prompts.first?.text == "Enter ABCD-EFGH at \(server.origin)/device")
        #expect(server.current.pendingPolls == 0)
        #expect(model.state == .signedIn(haneul))
        let session = container.lettersSession()
        #expect(session.current == .ready(haneul))
        #expect(session.content.titles == ["To the sea"])

        let restored = try self.container().lettersSession()
        await restored.start()
        #expect(restored.current == .ready(haneul))
    }

    @Test func `begins in a browser with state and PKCE`() async throws {
        let container = try container()
        let model = model(in: container)
        guard case .webPage(let address) = model.signInByBrowser(), let page = address.url,
            let parts = URLComponents(url: page, resolvingAgainstBaseURL: false)
        else {
            Issue.record("no page")
            return
        }
        let state = String(repeating: "A", count: 43)
        let items = Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
        #expect(parts.path == "/authorize")
        #expect(
            items == [
                "response_type": "code", "client_id": "letters-app", "redirect_uri": "letters:/signed-in",
                "scope": "read", "state": state,
                "code_challenge": "VtX6czP210fbQsI5QH5dpMMvTHnzXQkrE0_TWkAtnFw", "code_challenge_method": "S256",
            ]
        )
        server.change { $0.verifier = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE" }
        let forged = try #require(URL(string: "letters:/signed-in?code=code-1&state=forged"))
        #expect(await !model.finishSignIn(with: forged))
        #expect(server.current.pair == 0)
        let callback = try #require(URL(string: "letters:/signed-in?code=code-1&state=\(state)"))
        #expect(await model.finishSignIn(with: callback))
        #expect(model.state == .signedIn(haneul))
    }

    @Test func `is declined, or begins, on its page`() async throws {
        let declined = model(in: try container())
        await declined.finishSignIn(with: try SignInPage(declined.signInByBrowser()).deny())
        #expect(declined.state.message?.error == .signInFailed(.denied))

        server.change { $0.verifier = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE" }
        let model = model(in: try container())
        let page = try SignInPage(model.signInByBrowser())
        #expect(await model.finishSignIn(with: page.agree(code: "code-1")))
        #expect(model.state == .signedIn(haneul))
        #expect(throws: BrowseError.self) { try SignInPage(nil) }
    }

    @Test func `begins in one process, and is finished by the callback in another`() async throws {
        let began = model(in: try container())
        _ = began.signInByBrowser()
        let data = try seal(JSONEncoder().encode(began.pending))

        server.change { $0.verifier = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE" }
        let state = String(repeating: "A", count: 43)
        let callback = try #require(URL(string: "letters:/signed-in?code=code-1&state=\(state)"))
        let container = try container()
        let model = model(in: container)
        let pending = try JSONDecoder().decode(PendingSignIn.self, from: open(data))
        await model.resume(pending)
        await model.finishSignIn(with: callback)
        #expect(model.state == .signedIn(haneul))
        #expect(container.lettersSession().current == .ready(haneul))
    }

    @Test func `begins by a code that outlives its process`() async throws {
        let began = SignInViewModel(
            session: try container().lettersSession(),
            oauth: OAuthSignIn(authorization: try container().lettersAuthorization(), clock: TestClock()),
            texts: Texts(locale: Locale(identifier: "en"), timeZone: .gmt).about(.letters)
        )
        let asking = Task { await began.signInByCode() }
        for await state in began.states { if case .waitingForCode = state { break } }
        let data = try seal(JSONEncoder().encode(began.pending))
        asking.cancel()
        await asking.value

        let model = model(in: try container())
        await model.resume(try JSONDecoder().decode(PendingSignIn.self, from: open(data)))
        #expect(model.state == .signedIn(haneul))
    }

    /// Stands for encryption.
    private func seal(_ data: Data) -> Data { Data(data.reversed()) }

    private func open(_ data: Data) -> Data { Data(data.reversed()) }

    @Test func `is one user's among several in a process`() async throws {
        let site = try self.container()
        func user(_ name: String) -> Container {
            site.container(for: UserStores(folder: folder.appending(path: name)))
        }
        let (one, two) = (user("one"), user("two"))
        server.change { $0.pair = 1 }
        try await one.lettersSession().signIn(with: credentials(lifetime: 3600))
        await two.lettersSession().start()
        #expect(one.lettersSession().current == .ready(haneul) && one.lettersSession().content.titles == ["To the sea"])
        #expect(two.lettersSession().current == .signedOut(.noSession) && two.lettersSession().content.titles == [])
        await #expect(throws: BrowseError.self) { try await two.lettersClient().send(.me) }
        let restored = user("one").lettersSession()
        await restored.start()
        #expect(restored.current == .ready(haneul))
    }

    @Test func `reports a refusal with the service's name`() async throws {
        let model = model(in: try container())
        _ = model.signInByBrowser()
        let state = String(repeating: "A", count: 43)
        let callback = try #require(URL(string: "letters:/signed-in?error=access_denied&state=\(state)"))
        #expect(await model.finishSignIn(with: callback))
        guard case .failed(let message) = model.state else {
            Issue.record("\(model.state)")
            return
        }
        #expect(message.text == "Letters didn’t give this app access to your account.")
    }

    @Test func `refreshes its token once for all waiting requests`() async throws {
        let container = try container()
        server.change { $0.pair = 1 }
        // Stored by an earlier launch.
        try await store(at: server).save(credentials(lifetime: -1))
        let client = container.lettersClient()
        try await withThrowingTaskGroup(of: Writer.self) { group in
            for _ in 0..<20 { group.addTask { try await client.send(.me) } }
            for try await writer in group { #expect(writer == haneul) }
        }
        #expect(server.current.refreshCount == 1)
        #expect(server.current.deadTokenCount == 0)
    }

    #if os(Linux) || os(macOS)
    @Test func `is refreshed by two processes`() async throws {
        let server = try LettersServer(processCount: 2)
        server.change { state in
            state.pair = 1
            state.shortLivedTokens = 6
        }
        let store = try store(at: server)
        var credentials = try credentials(lifetime: 0)
        // Half a minute after the processes' first request, which therefore refreshes it, but can be sent with it.
        credentials.expiresAt = Date(timeIntervalSinceReferenceDate: 30)
        try await store.save(credentials)
        let path = folder.path(percentEncoded: false)
        let children = try ["first", "second"].map { try ChildProcess(server.origin, path, $0, "10") }
        for child in children { #expect(await child.exitStatus() == 0) }
        let state = server.current
        #expect(state.processes == ["first", "second"])
        #expect(state.deadTokenCount == 0)
        #expect(state.refreshCount == 7)
        #expect(try await store.load()?.token == Secret("access-\(state.pair)"))
    }
    #endif

    @Test func `doesn't get the drafts of one that has ended`() async throws {
        let scripted = ScriptedServer()
        let request = scripted.on(.get, "/drafts", response: .json(#"["To the sea"]"#).held())
        let container = try container()
        // Without tokens, the client doesn't notice the end of the session.
        container.lettersClient.override { container in
            let service = container.configuration.letters.service(in: container.configuration)
            return HTTPClient.standard(service, transport: scripted.transport())
        }
        let drafts = container.lettersSession().content
        let load = Task { await drafts.load() }
        await request.waitForRequests(1)
        drafts.end()
        scripted.release()
        await load.value
        #expect(drafts.titles == [])
    }

    @Test func `ends with a revocation, and is gone at the next launch`() async throws {
        let container = try container()
        server.change { $0.pair = 1 }
        let session = container.lettersSession()
        try await session.signIn(with: credentials(lifetime: 3600))
        #expect(session.content.titles == ["To the sea"])
        try await session.signOut()
        #expect(session.current == .signedOut(.requested))
        #expect(session.content.titles == [])
        #expect(server.current.revokedTokens == ["refresh-1", "access-1"])
        let restored = try self.container().lettersSession()
        await restored.start()
        #expect(restored.current == .signedOut(.noSession))
    }
}
