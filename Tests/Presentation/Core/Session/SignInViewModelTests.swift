import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseGitHubPresentation
@testable import BrowsePresentation

@MainActor @Suite(.bounded)
struct `The sign-in` {
    private let clock = TestClock()
    private let polls = ControlledResponses<Secret, DevicePoll>()
    private let exchanges = ControlledResponses<Secret, Credentials>()
    private let codes = ControlledResponses<Int, DeviceCode>()
    private let session: GitHub.SessionManager
    private let mona = GitHub.User.sample(1, login: "mona")
    private let credentials: Credentials
    private let code: DeviceCode
    private let redirect = "app.browsekit:/signed-in"

    init() throws {
        session = .inMemory()
        credentials = Credentials(token: try Secret("token"), user: mona)
        code = DeviceCode(
            userCode: "WDJB-MJHT",
            page: WebAddress(rawValue: "https://github.com/login/device"),
            lifetime: .seconds(900),
            interval: .seconds(5),
            deviceCode: try Secret("device")
        )
    }

    private func model(
        redirect: String? = "app.browsekit:/signed-in",
        in session: GitHub.SessionManager? = nil
    ) -> SignInViewModel<GitHub.User> {
        let redirect = redirect.flatMap(URL.init)
        let authorization = InMemoryAuthorizationRepository(redirect: redirect) {
            [codes, polls, exchanges] call throws(BrowseError) in
            switch call {
            case .deviceCode: .code(try await codes.response(to: 0))
            case .poll(let code): .poll(try await polls.response(to: code.deviceCode))
            case .exchange(let code, _): .credentials(try await exchanges.response(to: code))
            case .refresh, .revoke: nil
            }
        }
        return model(authorization, in: session)
    }

    private func model(
        _ authorization: InMemoryAuthorizationRepository,
        in session: GitHub.SessionManager? = nil
    ) -> SignInViewModel<GitHub.User> {
        SignInViewModel(
            session: session ?? self.session,
            oauth: OAuthSignIn(
                authorization: authorization,
                clock: clock,
                now: { [clock] in Date(timeIntervalSince1970: 1_700_000_000 + clock.now.offset / .seconds(1)) }
            ),
            texts: .english
        )
    }

    private func state(of page: Route?) throws -> String {
        guard case .webPage(let address) = page else { throw BrowseError.cancelled }
        return try #require(address.rawValue.split(separator: "state=").last.map(String.init))
    }

    private func callback(_ query: String) throws -> URL { try #require(URL(string: "\(redirect)?\(query)")) }

    @Test func `by code shows the code and the page, waits, and signs in`() async throws {
        let model = model()
        let recorder = Task { [states = model.states.every] in
            var seen: [SignInViewModel<GitHub.User>.State] = []
            for await state in states {
                seen.append(state)
                if case .signedIn = state { break }
            }
            return seen
        }
        let signIn = Task { await model.signInByCode() }
        codes.answer(0, with: .success(code))
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(5))
        await polls.waitForRequests(1)
        polls.answer(0, with: .success(.granted(credentials)))
        await signIn.value
        let prompt = SignInViewModel<GitHub.User>.DevicePrompt(
            userCode: "WDJB-MJHT",
            page: WebAddress(rawValue: "https://github.com/login/device"),
            text: "Enter WDJB-MJHT at https://github.com/login/device",
            lifetime: .seconds(900)
        )
        #expect(await recorder.value == [.idle, .askingForCode, .waitingForCode(prompt), .signingIn, .signedIn(mona)])
        #expect(session.current == .ready(mona))
    }

    @Test func `by browser accepts only the callback of this sign-in`() async throws {
        let model = model()
        let state = try state(of: model.signInByBrowser())
        guard case .waitingForBrowser = model.state else { throw BrowseError.cancelled }
        for wrong in ["code=evil&state=x", "code=evil", "error=access_denied&state=x"] {
            #expect(try await !model.finishSignIn(with: callback(wrong)))
            guard case .waitingForBrowser = model.state else { throw BrowseError.cancelled }
        }
        let other = try #require(URL(string: "https://evil.example/?code=evil&state=\(state)"))
        #expect(await !model.finishSignIn(with: other))
        exchanges.answer(0, with: .success(credentials))
        #expect(try await model.finishSignIn(with: callback("code=good&state=\(state)")))
        #expect(model.state == .signedIn(mona))
        #expect(exchanges.requests == [try Secret("good")])
        #expect(session.current == .ready(mona))
        // The same address once more, as from a browser that reloads, doesn't end another way of signing in.
        let asking = Task { await model.signInByCode() }
        await codes.waitForRequests(1)
        _ = await model.finishSignIn(with: try callback("code=good&state=\(state)"))
        #expect(model.state == .askingForCode)
        model.cancel()
        await asking.value
    }

    @Test(arguments: [
        ("error=access_denied", BrowseError.SignInFailure.denied), ("other=1", .callback(.noCode)),
        ("code=a&code=b", .callback(.noCode)), ("error=redirect_uri_mismatch", .redirectMismatch),
    ])
    func `by browser reports the error in the callback`(
        query: String,
        failure: BrowseError.SignInFailure
    ) async throws {
        let model = model()
        let state = try state(of: model.signInByBrowser())
        #expect(try await model.finishSignIn(with: callback("\(query)&state=\(state)")))
        #expect(model.state == .failed(Texts.english.message(for: .signInFailed(failure))))
        #expect(exchanges.requests.isEmpty)
        // That sign-in is over, and some browsers deliver a callback twice.
        for late in [query, "code=late"] {
            #expect(try await !model.finishSignIn(with: callback("\(late)&state=\(state)")))
        }
        #expect(model.state == self.failure(failure))
        #expect(exchanges.requests.isEmpty)
    }

    /// QuackbackIO/quackback#346
    @Test func `by browser asks for the account after a sign-out, unless the server has refused to`() async throws {
        try await session.signIn(with: credentials)
        try await session.signOut()
        let model = model()
        func query() throws -> [String: String] {
            guard case .webPage(let page) = model.signInByBrowser() else { throw BrowseError.cancelled }
            let items = URLComponents(string: page.rawValue)?.queryItems ?? []
            return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        }
        let first = try query()
        #expect(first["prompt"] == "select_account")
        await model.finishSignIn(with: try callback("error=invalid_request&state=\(first["state"] ?? "")"))
        #expect(model.state == failure(.other("invalid_request")))
        let second = try query()
        #expect(second["prompt"] == nil)
        // The person can choose again.
        await model.finishSignIn(with: try callback("error=access_denied&state=\(second["state"] ?? "")"))
        let third = try query()
        #expect(third["prompt"] == "select_account")
        // An outage is no refusal to ask.
        await model.finishSignIn(with: try callback("error=temporarily_unavailable&state=\(third["state"] ?? "")"))
        #expect(model.state == failure(.other("temporarily_unavailable")))
        #expect(try query()["prompt"] == "select_account")
    }

    @Test func `by browser asks for the account after a sign-out, although one by code was refused`() async throws {
        try await session.signIn(with: credentials)
        try await session.signOut()
        let model = model()
        codes.answer(0, with: .failure(.signInFailed(.other("unauthorized_client"))))
        await model.signInByCode()
        #expect(model.state == failure(.other("unauthorized_client")))
        guard case .webPage(let page) = model.signInByBrowser() else { throw BrowseError.cancelled }
        #expect(page.rawValue.contains("prompt=select_account"))
    }

    @Test func `by browser says which URL it ignored, without what may be secret`() throws {
        let redirect = try #require(URL(string: "letters:/signed-in"))
        for (url, place) in [("letters://signed-in/p-1?code=c-1", "letters://signed-in,"), ("other:/p-1", "other:,")] {
            let url = try #require(URL(string: url))
            let text = ScreenMisuse.ignored(url, for: redirect, .otherAddress)
            #expect(text.contains(place) && text.contains("letters:/signed-in.") && !text.contains("-1"))
            let state = ScreenMisuse.ignored(url, for: redirect, .wrongState)
            #expect(state.contains(place) && state.contains("its state isn't") && !state.contains("-1"))
        }
        let other = ScreenMisuse.ignored(try #require(URL(string: "letters:/p-1")), for: redirect, .otherAddress)
        #expect(other.contains("its port, path, or query differs") && !other.contains("-1"))
    }

    @Test func `that lacks its app says which setting has it`() {
        #expect(ScreenMisuse.missing("OAuthApp.redirect").hasPrefix("A sign-in needs OAuthApp.redirect. "))
        #expect(ScreenMisuse.missing("OAuthApp").contains("`app` of the service's settings in Configuration"))
    }

    @Test func `by browser rejects an unexpected callback`() async throws {
        let model = model()
        #expect(try await !model.finishSignIn(with: callback("code=a&state=b")))
        #expect(model.state == .failed(Texts.english.message(for: .signInFailed(.callback(.notExpected)))))
        #expect(exchanges.requests.isEmpty)
    }

    @Test func `by browser can be tried again if the browser couldn't be opened`() async throws {
        let model = model()
        let first = try state(of: model.signInByBrowser())
        model.browserFailed()
        let message = try #require(model.state.message)
        #expect(model.state == .failed(message))
        #expect(message.text == "The browser couldn’t be opened. Try again.")
        #expect(message.action == .retry)
        // The page may have been opened after all, but isn't expected any more.
        #expect(await !model.finishSignIn(with: try callback("code=c&state=\(first)")))
        #expect(exchanges.requests.isEmpty)
        let second = try state(of: model.signInByBrowser())
        exchanges.answer(0, with: .success(credentials))
        #expect(await model.finishSignIn(with: try callback("code=c&state=\(second)")))
        #expect(model.state == .signedIn(mona))
        // Too late.
        model.browserFailed()
        #expect(model.state == .signedIn(mona))
    }

    @Test func `by browser requires a configured app`() {
        let model = model(redirect: nil)
        #expect(model.signInByBrowser() == nil)
        guard case .failed(let message) = model.state else { return #expect(Bool(false)) }
        #expect(message.kind == .signInFailed && message.action == nil)
    }

    @Test(arguments: ["", "  ", "two words", "tökén"])
    func `with a text that can't be a token asks to change it`(text: String) async throws {
        let model = model()
        await model.signIn(withToken: text)
        guard case .failed(let message) = model.state else { throw BrowseError.cancelled }
        #expect(message.kind == .signInFailed && message.action == .changeInput)
        // The message doesn't repeat a token.
        for word in text.split(separator: " ") { #expect(!message.text.contains(word)) }
    }

    @Test func `can be canceled, together with the stars that wait for it`() async throws {
        let model = model()
        _ = session.stars.setStarred(true, for: .sample(1))
        let signIn = Task { await model.signInByCode() }
        codes.answer(0, with: .success(code))
        await model.until { if case .waitingForCode = $0 { true } else { false } }
        model.cancel()
        #expect(model.state == .idle)
        await signIn.value
        #expect(model.state == .idle)
        #expect(clock.sleeperCount == 0)
        try await session.signIn(with: credentials)
        #expect(session.stars.pendingCount == 0)
        #expect(!session.stars.isStarred(.init(rawValue: 1)))
    }

    @Test func `shows nothing after its cancellation, even if GitHub has accepted`() async throws {
        let stars = ControlledResponses<InMemoryStarRepository.Call, [GitHub.Repo.ID]>()
        let session = GitHub.SessionManager.inMemory(
            users: InMemoryUserRepository(
                profiles: [GitHub.UserProfile(user: mona) { $0.memberSince = .distantPast }],
                own: mona.login
            ),
            stars: InMemoryStarRepository(onCall: stars.response)
        )
        let model = model(InMemoryAuthorizationRepository(), in: session)
        let signIn = Task { await model.signIn(withToken: "token") }
        await stars.waitForRequests(1)
        model.cancel()
        stars.answer(0, with: .success([]))
        await signIn.value
        #expect(model.state == .idle)
    }

    @Test func `is canceled with its caller`() async throws {
        let model = model()
        let signIn = Task { await model.signInByCode() }
        codes.answer(0, with: .success(code))
        await clock.waitForSleepers(1)
        signIn.cancel()
        await signIn.value
        #expect(model.state == .idle)
    }

    @Test func `by code shows the page without characters that disguise it`() async throws {
        let model = model()
        let signIn = Task { await model.signInByCode() }
        let page = WebAddress(rawValue: "https://a.example/\u{202E}moc.buhtig\u{200B}")
        let secret = try Secret("device")
        let long = Duration.seconds(900)
        codes.answer(
            0,
            with: .success(DeviceCode(userCode: "A", page: page, lifetime: long, interval: long, deviceCode: secret))
        )
        await clock.waitForSleepers(1)
        guard case .waitingForCode(let prompt) = model.state else { throw BrowseError.cancelled }
        #expect(prompt.text == "Enter A at https://a.example/moc.buhtig" && prompt.page == page)
        signIn.cancel()
        await signIn.value
    }

    @Test func `requests credentials away from the main actor`() async {
        let wasOnMain = Monitor<Bool?>(nil)
        let authorization = InMemoryAuthorizationRepository { _ throws(BrowseError) in
            wasOnMain.withLock { $0 = MainQueue.isCurrent }
            throw .cancelled
        }
        await model(authorization).signInByCode()
        #expect(MainQueue.isCurrent)
        #expect(wasOnMain.value == false)
    }

    @Test func `ignores the result of an earlier attempt`() async throws {
        let model = model()
        let first = Task { await model.signInByCode() }
        await codes.waitForRequests(1)
        let state = try state(of: model.signInByBrowser())
        codes.answer(0, with: .success(code))
        await first.value
        guard case .waitingForBrowser = model.state else { throw BrowseError.cancelled }
        exchanges.answer(0, with: .success(credentials))
        await model.finishSignIn(with: try callback("code=a&state=\(state)"))
        #expect(model.state == .signedIn(mona))
    }

    @Test(arguments: [Texts.english, .korean])
    func `has a message for every failure`(texts: Texts) {
        let failures: [BrowseError.SignInFailure] = [
            .notConfigured(missing: "OAuthApp"), .denied, .expired, .invalidCode, .incorrectClient, .unverifiedEmail,
            .deviceFlowDisabled, .alreadyUsed, .callback(.wrongState), .other("x"),
        ]
        let messages = failures.map { texts.message(for: .signInFailed($0)) }
        #expect(Set(messages.map(\.text)).count == failures.count)
        #expect(messages.allSatisfy { $0.kind == .signInFailed && !$0.title.isEmpty })
        // What a refresh fails with, on any screen, until the person signs in again.
        let refusals: [BrowseError.SignInFailure] = [.denied, .expired, .unverifiedEmail, .other("invalid_request")]
        for refusal in refusals { #expect(texts.message(for: .signInFailed(refusal)).action == .signIn) }
        for outage in ["server_error", "temporarily_unavailable"] {
            #expect(texts.message(for: .signInFailed(.other(outage))).action == .retry)
        }
        let exposed = texts.message(for: .storageFailed(StorageFailure(reason: .exposed, file: "x")))
        #expect(exposed.kind == .storage && !exposed.text.isEmpty)
        // Reading the file again doesn't help.
        #expect(exposed.action == .signIn && exposed.actionTitle == texts(.signIn))
        for reason in [StorageFailure.Reason.busy, .full, .notWritable] {
            #expect(texts.message(for: .storageFailed(StorageFailure(reason: reason, file: "x"))).action == .retry)
        }
    }

    // MARK: - Pending sign-ins

    /// Returns a copy of the model's sign-in, as a store returns it.
    private func stored(_ model: SignInViewModel<GitHub.User>) throws -> PendingSignIn {
        let data = try JSONEncoder().encode(try #require(model.pending))
        return try JSONDecoder().decode(PendingSignIn.self, from: data)
    }

    /// Starts a sign-in by code, until it shows the code.
    private func startByCode(_ model: SignInViewModel<GitHub.User>) async -> Task<Void, Never> {
        let number = codes.requests.count
        let signIn = Task { await model.signInByCode() }
        codes.answer(number, with: .success(code))
        await model.until { if case .waitingForCode = $0 { true } else { false } }
        return signIn
    }

    private func failure(_ failure: BrowseError.SignInFailure) -> SignInViewModel<GitHub.User>.State {
        .failed(Texts.english.message(for: .signInFailed(failure)))
    }

    @Test func `by browser is finished in another process`() async throws {
        let first = model()
        #expect(first.pending == nil)
        let state = try state(of: first.signInByBrowser())
        let pending = try stored(first)
        let second = model(in: .inMemory())
        await second.resume(pending)
        #expect(second.state == first.state && second.pending == pending)
        // A wrong state uses nothing up.
        #expect(try await !second.finishSignIn(with: callback("code=evil&state=x")))
        #expect(second.pending == pending)
        exchanges.answer(0, with: .success(credentials))
        #expect(try await second.finishSignIn(with: callback("code=good&state=\(state)")))
        #expect(second.state == .signedIn(mona) && second.pending == nil)
        // The callback once more, in the process that finished it.
        await second.resume(pending)
        #expect(try await second.finishSignIn(with: callback("code=good&state=\(state)")))
        #expect(second.state == failure(.alreadyUsed) && second.pending == nil)
        #expect(exchanges.requests == [try Secret("good")])
    }

    @Test func `by browser is finished by one of two that resume it`() async throws {
        let models = [model(), model(), model()]
        let state = try state(of: models[0].signInByBrowser())
        let pending = try stored(models[0])
        for model in models.dropFirst() { await model.resume(pending) }
        let callback = try callback("code=good&state=\(state)")
        exchanges.answer(0, with: .success(credentials))
        await withTaskGroup(of: Void.self) { group in
            for model in models { group.addTask { _ = await model.finishSignIn(with: callback) } }
        }
        #expect(models.count { $0.state == .signedIn(mona) } == 1)
        #expect(models.count { $0.state == failure(.alreadyUsed) } == 2)
        #expect(exchanges.requests.count == 1)
    }

    @Test func `by browser isn't resumed after its code may have been sent`() async throws {
        let model = model()
        let state = try state(of: model.signInByBrowser())
        let pending = try stored(model)
        let callback = try callback("code=good&state=\(state)")
        let finishing = Task { await model.finishSignIn(with: callback) }
        await exchanges.waitForRequests(1)
        model.cancel()
        _ = await finishing.value
        #expect(model.state == .idle && model.pending == nil)
        await model.resume(pending)
        _ = await model.finishSignIn(with: callback)
        #expect(model.state == failure(.alreadyUsed) && exchanges.requests.count == 1)
    }

    @Test func `by browser expires, before it's resumed and after`() async throws {
        let model = model()
        let state = try state(of: model.signInByBrowser())
        let pending = try stored(model)
        await clock.advance(by: .seconds(599))
        await model.resume(pending)
        guard case .waitingForBrowser = model.state else { throw BrowseError.cancelled }
        await clock.advance(by: .seconds(1))
        #expect(try await model.finishSignIn(with: callback("code=late&state=\(state)")))
        #expect(model.state == failure(.expired))
        await model.resume(pending)
        #expect(model.state == failure(.expired) && model.pending == nil)
        #expect(exchanges.requests.isEmpty)
    }

    @Test func `by code continues in another process, for the rest of the code's lifetime`() async throws {
        let first = model()
        let started = await startByCode(first)
        let pending = try stored(first)
        started.cancel()
        await started.value
        #expect(first.pending == nil)
        await clock.advance(by: .seconds(599))
        let second = model(in: .inMemory())
        // A child task, so that the time limit of the test cancels it.
        async let resumed: Void = second.resume(pending)
        await clock.waitForSleepers(1)
        guard case .waitingForCode(let prompt) = second.state else { throw BrowseError.cancelled }
        #expect(prompt.userCode == "WDJB-MJHT" && second.pending == pending)
        #expect(prompt.lifetime == .seconds(301))
        // 301 seconds remain, so there are 60 polls.
        for number in 0..<60 {
            await clock.waitForSleepers(1)
            polls.answer(number, with: .success(.pending))
            await clock.advance(by: .seconds(5))
            await polls.waitForRequests(number + 1)
        }
        await resumed
        #expect(second.state == failure(.expired) && polls.requests.count == 60)
    }

    @Test func `by code is polled for by one of two that resume it, and again after a cancellation`() async throws {
        let first = model()
        let started = await startByCode(first)
        let pending = try stored(first)
        let second = model()
        await second.resume(pending)
        #expect(second.state == failure(.alreadyUsed))
        started.cancel()
        await started.value
        let resumed = Task { await second.resume(pending) }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(5))
        await polls.waitForRequests(1)
        polls.answer(0, with: .success(.granted(credentials)))
        await resumed.value
        #expect(second.state == .signedIn(mona))
        await first.resume(pending)
        #expect(first.state == failure(.alreadyUsed) && polls.requests.count == 1)
    }
}
