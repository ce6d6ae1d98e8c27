public import BrowseDomain
public import Foundation

/// The screen where a person signs in to GitHub: by a code on another device, by a browser, or with a token they have.
@MainActor
public final class SignInViewModel: ViewModel {
    /// What the screen shows.
    public enum State: Equatable, Sendable {
        /// Nothing was begun.
        case idle
        /// A code is asked for.
        case askingForCode
        /// The person is to type a code; it is asked in the background whether they have.
        case waitingForCode(DevicePrompt)
        /// The person is to agree on a page in a browser, which comes back to the app.
        case waitingForBrowser(WebAddress)
        /// GitHub let the person in; what belongs to them is loaded.
        case signingIn
        /// All is there.
        case signedIn(GitHub.User)
        /// It came to nothing; another way can be tried.
        case failed(Message)
    }

    /// What a person needs to let this device in from another one.
    public struct DevicePrompt: Equatable, Sendable {
        /// What to type, as in `WDJB-MJHT`.
        public var userCode: String
        /// Where.
        public var page: WebAddress
        /// Both in a sentence.
        public var text: String
        /// How long the code is good for.
        public var lifetime: Duration

        /// Creates a prompt.
        public init(userCode: String, page: WebAddress, text: String, lifetime: Duration) {
            self.userCode = userCode
            self.page = page
            self.text = text
            self.lifetime = lifetime
        }
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }

    private let store = StateStore(State.idle)
    private let work = LatestTask()
    /// Counts what was begun; what was overtaken shows nothing any more.
    private var attempts = 0
    private var webSignIn: GitHub.WebSignIn?
    private let session: GitHub.SessionManager
    private let signInOnDevice: GitHub.SignInOnDevice
    private let signInOnWeb: GitHub.SignInOnWeb
    private let texts: Texts

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - session: Where the session begins.
    ///   - onDevice: Signs in by a code.
    ///   - onWeb: Signs in by a browser.
    ///   - texts: The language.
    public init(
        session: GitHub.SessionManager,
        onDevice: GitHub.SignInOnDevice,
        onWeb: GitHub.SignInOnWeb,
        texts: Texts
    ) {
        self.session = session
        signInOnDevice = onDevice
        signInOnWeb = onWeb
        self.texts = texts
    }
}

extension SignInViewModel {
    /// Asks for a code, shows it, and waits until the person has typed it on another device.
    ///
    /// Returns when they are signed in or it came to nothing. ``cancel()``, and cancelling the calling task, end it.
    public func signInByCode() async {
        let attempt = begin(.askingForCode)
        await finish(attempt) { [signInOnDevice] show throws(BrowseError) in
            try await signInOnDevice(show: show)
        }
    }

    /// Begins to sign in by a browser.
    ///
    /// - Returns: The page to open; `nil` when the app is not set up for it, which shows.
    public func signInByBrowser() -> Route? {
        let attempt = begin(.idle)
        do throws(BrowseError) {
            let signIn = try signInOnWeb.begin()
            webSignIn = signIn
            let page = WebAddress(rawValue: signIn.page.absoluteString)
            store.state = .waitingForBrowser(page)
            return .webPage(page)
        } catch {
            fail(attempt, error)
            return nil
        }
    }

    /// Takes the address that the browser came back with.
    ///
    /// One that is no answer to this sign-in changes nothing but to be refused: the browser may still come back with the right
    /// one.
    ///
    /// - Returns: Whether it was the answer.
    @discardableResult
    public func browserCameBack(with callback: URL) async -> Bool {
        guard let signIn = webSignIn else {
            // What else goes on, or is done, is none of the browser's business.
            switch state {
            case .idle, .failed: fail(begin(state), .signInFailed(.callback(.notExpected)))
            case .askingForCode, .waitingForCode, .waitingForBrowser, .signingIn, .signedIn: break
            }
            return false
        }
        do throws(BrowseError) {
            try signIn.check(callback)
        } catch .signInFailed(.callback(.otherAddress)), .signInFailed(.callback(.wrongState)) {
            return false
        } catch {
            fail(begin(.idle), error)
            return true
        }
        // A code is good for one exchange.
        let attempt = begin(.signingIn)
        await finish(attempt) { [signInOnWeb] _ throws(BrowseError) in
            try await signInOnWeb.finish(signIn, with: callback)
        }
        return true
    }

    /// Signs in with a personal access token that the person has made at GitHub.
    public func signIn(withToken text: String) async {
        guard let token = try? GitHub.AccessToken(text.trimmed) else {
            _ = begin(.failed(texts.tokenNotUsable))
            return
        }
        await finish(begin(.signingIn)) { _ throws(BrowseError) in GitHub.Credentials(token: token) }
    }

    /// Ends what was begun, and forgets what was to be done after it, such as to give a star.
    ///
    /// When GitHub has let the person in already, they stay signed in.
    public func cancel() {
        session.stars.discardPendingStars()
        _ = begin(.idle)
    }
}

extension SignInViewModel {
    private typealias Show = @Sendable (GitHub.DeviceCode) async -> Void

    /// Begins again, in place of what was begun before.
    private func begin(_ state: State) -> Int {
        work.cancel()
        webSignIn = nil
        attempts += 1
        store.state = state
        return attempts
    }

    private func finish(
        _ attempt: Int,
        _ signIn: @escaping @Sendable (@escaping Show) async throws(BrowseError) -> GitHub.Credentials
    ) async {
        let show: Show = { [weak self] code in await self?.show(code, attempt) }
        let credentials = await work.run { () throws(BrowseError) in try await signIn(show) }
        guard attempt == attempts else { return }
        do throws(BrowseError) {
            let credentials = try credentials.get()
            store.state = .signingIn
            try await session.signIn(with: credentials)
            guard attempt == attempts else { return }
            // It may have ended again by now.
            store.state = session.current.user.map { .signedIn($0) } ?? .idle
        } catch {
            fail(attempt, error)
        }
    }

    private func show(_ code: GitHub.DeviceCode, _ attempt: Int) {
        guard attempt == attempts else { return }
        let address = code.page.rawValue
        store.state = .waitingForCode(
            DevicePrompt(
                userCode: code.userCode,
                page: code.page,
                text: texts(.typeCode(code.userCode, at: address)),
                lifetime: code.lifetime
            )
        )
    }

    private func fail(_ attempt: Int, _ error: BrowseError) {
        guard attempt == attempts else { return }
        store.state = error == .cancelled ? .idle : .failed(texts.message(for: error))
    }
}
