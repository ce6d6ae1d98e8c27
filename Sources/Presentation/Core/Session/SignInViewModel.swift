public import BrowseDomain
public import Foundation

/// A screen for signing in to a service: by code on another device, in a browser, or with a token.
///
/// After signing in, it observes the session until the next attempt. Signing out on another screen
/// or in another process updates it at once, and so does a token that the service revokes.
@MainActor
public final class SignInViewModel<User: SessionUser>: ViewModel {
    /// The state of the screen.
    public enum State: Equatable, Sendable {
        /// No sign-in is in progress.
        case idle
        /// A code is being requested.
        case askingForCode
        /// The person types the code on another device, while the server is polled.
        case waitingForCode(DevicePrompt)
        /// The person authorizes the app on this page, which then calls back.
        case waitingForBrowser(WebAddress)
        /// The code is being exchanged, or the user and the session's content are loading.
        case signingIn
        /// The user is signed in.
        case signedIn(User)
        /// The session has ended after the user was signed in, for the reason in the message.
        case signedOut(Message)
        /// Signing in failed.
        case failed(Message)

        /// The reason why nobody is signed in after an attempt or a session; `nil` in other states.
        public var message: Message? {
            switch self {
            case .failed(let message), .signedOut(let message): message
            case .idle, .askingForCode, .waitingForCode, .waitingForBrowser, .signingIn, .signedIn: nil
            }
        }
    }

    /// The instructions for signing in on another device.
    public struct DevicePrompt: Equatable, Sendable {
        /// The code to type, such as `WDJB-MJHT`.
        public var userCode: String
        /// The page on which to type it.
        public var page: WebAddress
        /// The localized instructions, with the code and the page.
        public var text: String
        /// The time until the code expires, from when this prompt appears.
        public var lifetime: Duration
        /// The reason why the service couldn't be asked last; it's asked again.
        public var problem: Message?
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }

    /// The sign-in in progress, to be finished in another process, or when the system has ended
    /// this one.
    ///
    /// It's set in the states ``State/waitingForCode(_:)`` and ``State/waitingForBrowser(_:)``, and
    /// `nil` in all others. Store it, encrypted, when the app moves to the background or the
    /// browser leaves your server's page, and delete it when it's `nil`.
    public private(set) var pending: PendingSignIn?

    private let store = StateStore(State.idle)
    /// The request for the credentials of the current attempt.
    private var work: Task<Result<Credentials, BrowseError>, Never>?
    /// Changes with each attempt; the result of an earlier one is ignored.
    private var attempts = 0
    /// The code with which the server refused the last page, instead of showing it.
    private var refusal: String?
    /// Observes the session after a sign-in has succeeded.
    private var observer: AccountObserver?
    private let session: SessionManager<User>
    private let oauth: OAuthSignIn
    private let texts: Texts

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - session: The session to begin.
    ///   - oauth: Signs in by code, or with a browser.
    ///   - texts: The texts about the service; see ``Texts/about(_:)``.
    public init(session: SessionManager<User>, oauth: OAuthSignIn, texts: Texts) {
        self.session = session
        self.oauth = oauth
        self.texts = texts
    }

    deinit { work?.cancel() }
}

extension SignInViewModel {
    /// Requests a code, shows it, and waits until the person has typed it on another device.
    ///
    /// Returns when signing in has succeeded or failed. ``cancel()`` ends it, and so does canceling
    /// the task.
    public func signInByCode() async {
        let attempt = begin(.askingForCode)
        await finish(attempt) { [oauth, poll] show throws(BrowseError) in
            // The code's lifetime begins before its response arrives.
            let start = oauth.now()
            let elapsed = oauth.clock.stopwatch()
            let code = try await oauth.authorization.deviceCode()
            let pending = PendingSignIn(.device(code), startedAt: start, elapsed: elapsed)
            return try await poll(pending, code, show)
        }
    }

    /// Starts to sign in with a browser.
    ///
    /// - Returns: The page to open; `nil`, with the state `.failed`, if the app isn't configured
    ///   for it.
    public func signInByBrowser() -> Route? {
        do throws(BrowseError) {
            // Otherwise, the browser would sign in the same account again. A server that can't ask
            // for one refuses, and would do so again (OpenID Connect Core, section 3.1.2.6), unless
            // it was only out of order (RFC 6749, section 4.1.2.1).
            let canChoose = refusal.take().map { ["server_error", "temporarily_unavailable"].contains($0) } ?? true
            let signIn = try oauth.begin(choosesAccount: canChoose && session.current == .signedOut(.requested))
            let pending = PendingSignIn(.web(signIn), startedAt: oauth.now(), elapsed: oauth.clock.stopwatch())
            return .webPage(waitForBrowser(signIn, pending))
        } catch {
            fail(error)
            return nil
        }
    }

    /// Resumes a sign-in that another process began, or this app before the system ended it.
    ///
    /// For a browser, it then waits for ``finishSignIn(with:)``; a server calls both in a row. For
    /// a code, it shows the code and polls, and returns as ``signInByCode()`` does. A sign-in that
    /// has expired, or is used elsewhere in the same container, fails with a message.
    public func resume(_ pending: PendingSignIn) async {
        guard pending.isValid(at: oauth.now()) else { return fail(.signInFailed(.expired)) }
        switch pending.step {
        case .web(let signIn): waitForBrowser(signIn, pending)
        case .device(let code):
            let last = work
            await finish(begin(.idle)) { [poll] show throws(BrowseError) in
                await show(pending, code, nil)
                // The poll of a canceled attempt removes its mark when it ends.
                _ = await last?.value
                return try await poll(pending, code, show)
            }
        }
    }

    /// Completes a sign-in with the callback URL that the browser opened.
    ///
    /// A URL of another sign-in is ignored, since the right one may follow; in the state
    /// ``State/idle``, it's a failure. In a debug build, a line on standard error names its place,
    /// and whether it isn't at the app's redirect, or has another `state`.
    ///
    /// - Returns: Whether the URL belongs to this sign-in.
    @discardableResult
    public func finishSignIn(with callback: URL) async -> Bool {
        guard let pending, case .web(let signIn) = pending.step else {
            // A late callback must not disturb another sign-in, or hide why this one failed.
            if case .idle = state { fail(.signInFailed(.callback(.notExpected))) }
            return false
        }
        do throws(BrowseError) {
            _ = try signIn.code(in: callback)
        } catch .signInFailed(.callback(let problem)) where problem != .noCode {
            ScreenMisuse.note(ScreenMisuse.ignored(callback, for: signIn.redirect, problem))
            return false
        } catch {
            if case .signInFailed(.other(let code)) = error { refusal = code }
            fail(error)
            return true
        }
        // The code in the URL can be exchanged only once.
        let attempt = begin(.signingIn)
        await finish(attempt) { [oauth, session] _ throws(BrowseError) in
            try await session.take(pending, at: oauth.now())
            return try await oauth.finish(signIn, with: callback)
        }
        return true
    }

    /// Reports that the browser couldn't show the page.
    ///
    /// Does nothing unless the sign-in waits for the browser. If the person closes the browser,
    /// call ``cancel()`` instead.
    public func browserFailed() {
        guard case .waitingForBrowser = state else { return }
        begin(.failed(texts.message(.signInFailed, .browserFailed, titled: .signInFailedTitle, action: .retry)))
    }

    /// Signs in with a personal access token that the person created at the service.
    public func signIn(withToken text: String) async {
        guard let token = try? AccessToken(TypedText(text).withStraightQuotes.text.unquoted) else {
            begin(.failed(texts.tokenNotUsable))
            return
        }
        await signIn(withToken: token)
    }

    /// Signs in with a token of the service, such as one that an offline service of the mocks
    /// issued.
    public func signIn(withToken token: AccessToken) async {
        await finish(begin(.signingIn), isTyped: true) { _ throws(BrowseError) in Credentials(token: token) }
    }

    /// Cancels the sign-in, and the changes that wait for it.
    ///
    /// If the service has accepted already, the user is signed in, which other screens show. A
    /// token that arrives afterward is revoked; if the app can't revoke it, the user is signed in,
    /// so that they can see it.
    public func cancel() {
        session.content.discardPending()
        begin(.idle)
    }
}

extension SignInViewModel {
    private typealias Show = @Sendable (PendingSignIn, DeviceCode, BrowseError?) async -> Void

    /// Waits for the browser; returns the page to open.
    @discardableResult
    private func waitForBrowser(_ signIn: WebSignIn, _ pending: PendingSignIn) -> WebAddress {
        let page = WebAddress(rawValue: signIn.page.absoluteString)
        begin(.waitingForBrowser(page), pending)
        return page
    }

    /// Shows a code and polls for it, which no other view model of the session does.
    private var poll: @Sendable (PendingSignIn, DeviceCode, @escaping Show) async throws(BrowseError) -> Credentials {
        { [oauth, session] pending, code, show throws(BrowseError) in
            await show(pending, code, nil)
            let start = oauth.now()
            try await session.take(pending, at: start)
            do throws(BrowseError) {
                return try await oauth.finish(code, after: pending.age(at: start)) { await show(pending, code, $0) }
            } catch {
                if error == .cancelled { await session.putBack(pending) }
                throw error
            }
        }
    }

    /// Starts an attempt, or ends it, which replaces the previous one.
    @discardableResult
    private func begin(_ state: State, _ pending: PendingSignIn? = nil) -> Int {
        work?.cancel()
        observer = nil
        self.pending = pending
        attempts += 1
        store.update { $0 = state }
        return attempts
    }

    /// - Parameter isTyped: Whether a person can correct the token.
    private func finish(
        _ attempt: Int,
        isTyped: Bool = false,
        _ signIn: @escaping @Sendable (@escaping Show) async throws(BrowseError) -> Credentials
    ) async {
        let show: Show = { [weak self] in await self?.show($0, code: $1, problem: $2, in: attempt) }
        let work = Task { @concurrent in
            await Result.of { () throws(BrowseError) in try await signIn(show) }
        }
        self.work = work
        let credentials = await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
        // Canceling the task ends a sign-in by code, too.
        if Task.isCancelled, attempt == attempts, case .waitingForCode = state { begin(.idle) }
        guard attempt == attempts else {
            if !isTyped, case .success(let late) = credentials { await receive(late) }
            return
        }
        switch credentials {
        case .success(let new):
            pending = nil
            store.update { $0 = .signingIn }
            let refusal = isTyped ? texts.tokenNotAccepted : texts.message(for: .refused)
            let failure = await Result.of { () throws(BrowseError) in try await session.signIn(with: new) }.failure
            guard attempt == attempts else { return }
            // Another screen can repeat the request for the user.
            if let failure, session.current != .unidentified(failure) { return fail(failure, refusal: refusal) }
            // The session may have ended already.
            observer = AccountObserver(session) { [weak self] _, _ in
                self?.receiveCurrent(in: attempt, refusal: refusal)
            }
            receiveCurrent(in: attempt, refusal: refusal)
        case .failure(let error): fail(error)
        }
    }

    /// Revokes a token that arrived after a cancellation, or signs in if the app can't.
    ///
    /// Otherwise, it would stay valid without anybody knowing.
    private func receive(_ late: Credentials) async {
        if oauth.authorization.canRevoke, await session.revoke(late) == nil { return }
        switch state {
        case .idle: await finish(begin(.signingIn)) { _ throws(BrowseError) in late }
        // A later sign-in stays.
        case .signingIn, .signedIn: break
        // Another attempt is in progress, and replaces this session if it succeeds.
        default: try? await session.signIn(with: late)
        }
    }

    /// - Parameter refusal: The message for a token that is refused before its user is known.
    private func receiveCurrent(in attempt: Int, refusal: Message) {
        guard attempt == attempts else { return }
        // The session may have changed since it was sent.
        switch session.current {
        case .restoring: break
        case .signedOut(let reason): store.update { [texts] in $0 = .signedOut(texts.message(for: reason)) }
        case .signingIn: store.update { $0 = .signingIn }
        case .unidentified(let error): store.update { [self] in $0 = failed(error, refusal: refusal) }
        case .identified(let user), .ready(let user): store.update { $0 = .signedIn(user) }
        }
    }

    private func show(_ pending: PendingSignIn, code: DeviceCode, problem: BrowseError?, in attempt: Int) {
        guard attempt == attempts else { return }
        self.pending = pending
        let address = code.page.shownText
        // Part of the lifetime has passed, unless the code is new.
        let elapsed = pending.age(at: oauth.now())
        let prompt = DevicePrompt(
            userCode: code.userCode,
            page: code.page,
            text: texts(.typeCode(code.userCode, at: address)),
            lifetime: max(.zero, code.lifetime - elapsed),
            problem: problem.map { texts.message(for: $0).ofChange }
        )
        store.update { $0 = .waitingForCode(prompt) }
    }

    private func fail(_ error: BrowseError, refusal: Message? = nil) { begin(failed(error, refusal: refusal)) }

    /// - Parameter refusal: The message for a refused token, in place of that for a request.
    private func failed(_ error: BrowseError, refusal: Message? = nil) -> State {
        if case .signInFailed(.notConfigured(let part)) = error { ScreenMisuse.note(ScreenMisuse.missing(part)) }
        var message = texts.message(for: error)
        if case .unauthorized = error, let refusal { message = modified(refusal) { $0.error = error } }
        return error == .cancelled ? .idle : .failed(message)
    }
}
