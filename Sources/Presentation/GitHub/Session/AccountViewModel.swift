@_spi(Services) import BrowseDomain
public import BrowseGitHubDomain
@_spi(Services) public import BrowsePresentation

/// A screen with the user's own account and a way to sign out.
///
/// It observes the session, so signing in or out on another screen updates it at once.
@MainActor
public final class AccountViewModel: DetailViewModel {
    /// The title of the screen.
    public nonisolated static let title: Phrase = Phrase("account.title", "Account", ko: "계정")

    /// The state of the screen.
    public struct State: DetailScreenState {
        /// The title of the screen.
        public var title: String = ""
        /// The user who is signed in; `nil` until that is known.
        public var user: GitHub.User?
        /// The profile and its status; `.failed` without a user if nobody is signed in, with the
        /// reason.
        public var content: DetailState<UserProfileViewModel.Details> = DetailState()
        /// The question to answer before signing out; `nil` unless it's shown.
        public var question: Question?
        /// A message beside the account, such as that the token couldn't be revoked.
        public var notice: Message?
    }

    /// The question before signing out. ``AccountViewModel/signOut()`` or
    /// ``AccountViewModel/staySignedIn()`` answers it.
    public struct Question: Equatable, Sendable {
        /// The title.
        public var title: String
        /// The user who is signed in, and the stars that would be lost.
        public var text: String
        /// The title of the button that signs out.
        public var actionTitle: String
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the account.
    ///
    /// `retry()` and `refresh()` do the same: they load the session again if that failed, then the
    /// profile of the signed-in user.
    public var detail: DetailControls { profile.controls(reload: reload) }

    private let store = StateStore(State())
    private let profile: DetailController<GitHub.UserProfile, UserProfileViewModel.Details>
    private var load: ScreenLoad?
    private var observer: AccountObserver?
    private let session: GitHub.SessionManager
    private let users: any GitHub.UserRepository
    private let texts: Texts

    /// Creates the screen; ``show()`` loads it.
    package init(session: GitHub.SessionManager, users: any GitHub.UserRepository, options: ScreenOptions) {
        self.session = session
        self.users = users
        let options = options.about(.gitHub)
        texts = options.texts
        profile = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            UserProfileViewModel.Details($0, texts: options.texts)
        }
        let title = options.texts(Self.title)
        store.addPart { $0.title = title }
        store.update()
    }
}

extension AccountViewModel {
    /// Shows the account; returns when the profile is loaded, or when it's known that nobody is
    /// signed in.
    ///
    /// A load that has failed is repeated, so call it whenever the screen appears.
    public func show() async {
        let shown = state.user
        // Before a first load that may fail at once.
        let needsRetry = session.needsRetry
        receiveCurrent()
        if needsRetry { await session.retry() } else { await session.start() }
        receiveStarted()
        if let shown, shown.id == state.user?.id { await profile.retry() } else { await load?() }
    }

    /// Returns the user's own repositories, private ones included; `nil` if nobody is signed in.
    public func showRepos() -> Route? { state.user.map { _ in .gitHub(.repoList(.own)) } }

    /// Returns the user's starred repositories; `nil` if nobody is signed in.
    public func showStarred() -> Route? { state.user.map { _ in .gitHub(.repoList(.starred)) } }

    /// Returns the user's public profile by number; `nil` if nobody is signed in.
    public func showPublicProfile() -> Route? { state.user.map { .gitHub(.account($0.id, label: $0.login)) } }

    /// Shows a question before signing out, for screens; does nothing if nobody is signed in.
    public func askToSignOut() {
        let question: Phrase
        switch session.current {
        case .restoring, .signedOut: return
        case .signingIn, .unidentified: question = .signOutUnknown
        case .identified(let user), .ready(let user): question = .signOutQuestion(user.login)
        }
        let pendingCount = session.stars.pendingCount
        let parts = [texts(question)] + (pendingCount > 0 ? [texts(.signOutUnsent(pendingCount))] : [])
        let dialog = Question(
            title: texts(.signOutTitle),
            text: parts.joined(separator: " "),
            actionTitle: texts(.signOut)
        )
        store.update { $0.question = dialog }
    }

    /// Removes the question.
    public func staySignedIn() { store.update { $0.question = nil } }

    /// Signs out, and removes the question if it's shown.
    ///
    /// The user is signed out when this returns. A notice reports a stored token that couldn't be
    /// deleted or revoked.
    public func signOut() async {
        store.update { $0.question = nil }
        do throws(BrowseError) {
            try await session.signOut()
            receiveCurrent()
        } catch {
            receiveCurrent()
            if error != .cancelled { store.update { [texts] in $0.notice = texts.signOutMessage(for: error) } }
        }
    }
}

extension AccountViewModel {
    /// Shows the session, and its later changes, so that a state that says that it's loading ends
    /// with it.
    private func receiveCurrent() {
        // The session may have changed since it was sent.
        observer = observer ?? AccountObserver(session) { [weak self] _, _ in self?.receiveCurrent() }
        switch session.current {
        case .restoring, .signingIn: forget(.loading)
        case .signedOut(let reason): forget(.failed(texts.message(for: reason)))
        case .unidentified(let error): forget(.failed(texts.message(for: error)))
        case .identified(let user), .ready(let user):
            if state.user?.id != user.id { load(user) } else if state.user != user { store.update { $0.user = user } }
        }
    }

    /// Shows the session after an attempt to restore it, which fails while the device is locked.
    private func receiveStarted() {
        receiveCurrent()
        if session.current == .restoring, !Task.isCancelled { forget(.failed(texts.deviceLocked)) }
    }

    /// Removes the account of the previous user.
    private func forget(_ status: DetailState<UserProfileViewModel.Details>.Status) {
        load = nil
        store.update { [profile] state in
            // A message about signing out stays after it.
            let notice = status == state.content.status ? state.notice : nil
            state = State()
            state.notice = notice
            profile.clear(status)
        }
    }

    private func reload() async {
        let user = state.user
        await session.retry()
        receiveStarted()
        // The profile of another user is being loaded already.
        if let user, state.user?.id == user.id { await profile.refresh() } else { await load?() }
    }

    private func load(_ user: GitHub.User) {
        store.update { [self] state in
            state = State()
            state.user = user
            load = profile.begin { [users, session] () throws(BrowseError) in
                let own = try await users.ownProfile()
                // A cached profile can have an old login.
                if LoadOptions.current.source != .cacheOnly { await session.update(own.user) }
                return own
            }
            load?.keep()
        }
    }
}

// swift-format-ignore
extension Phrase {
    static let signOutTitle = Phrase("account.signOut.title", "Sign Out?", ko: "로그아웃하시겠습니까?")
    static func signOutQuestion(_ login: GitHub.Login) -> Phrase {
        Phrase("account.signOut.question", "You’re signed in as \(login).", ko: "\(login) 계정으로 로그인되어 있습니다.")
    }
    static let signOutUnknown = Phrase("account.signOut.unknown", "You’re signed in, but your account couldn’t be loaded.",
        ko: "로그인되어 있지만 계정을 불러오지 못했습니다.")
    static func signOutUnsent(_ count: Int) -> Phrase {
        Phrase("account.signOut.unsent", plural: count, one: "\(count) star hasn’t been sent to GitHub yet and will be lost.",
            "\(count) stars haven’t been sent to GitHub yet and will be lost.",
            ko: "GitHub에 아직 보내지 않은 별표 \(count)개가 사라집니다.")
    }
}
