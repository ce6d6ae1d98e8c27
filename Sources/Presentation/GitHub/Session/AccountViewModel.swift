public import BrowseDomain

/// The screen with one's own account: the profile, the way to what is one's own, and signing out.
///
/// It follows the session: who signs in or out on another screen shows here.
@MainActor
public final class AccountViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// What the screen is doing.
        public enum Status: Equatable, Sendable {
            /// Nothing was asked for yet.
            case idle
            /// Who is signed in, or their profile, is on its way.
            case loading
            /// The profile's load waits for a rate limit; the message says until when.
            case waiting(Message)
            /// Nobody is signed in; the message tells why.
            case signedOut(Message)
            /// The profile is there.
            case loaded(UserProfileViewModel.Details)
            /// The profile did not come.
            case failed(Message)
        }

        /// Who is signed in, once that is known.
        public var user: GitHub.User?
        /// What the screen is doing.
        public var status: Status = .idle
        /// What to ask before signing out; `nil` when nothing is asked.
        public var question: Question?
        /// Something to tell beside the account, such as that GitHub could not be told of signing out.
        public var notice: Message?
        /// Where what is shown came from; `nil` while nothing is.
        public var provenance: Provenance?
        /// From when what is shown is, in words; `nil` when it is as the server has it.
        public var age: String?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}

        /// The profile's part of the state; it has none while nobody's profile is wanted.
        fileprivate var profile: DetailState<UserProfileViewModel.Details> {
            get { DetailState() }
            set {
                (provenance, age) = (newValue.provenance, newValue.age)
                switch newValue.status {
                case .idle: break
                case .loading: status = .loading
                case .waiting(let message): status = .waiting(message)
                case .loaded(let details): status = .loaded(details)
                case .failed(let message): status = .failed(message)
                }
            }
        }
    }

    /// A question that is answered by ``AccountViewModel/signOut()`` or ``AccountViewModel/staySignedIn()``.
    public struct Question: Equatable, Sendable {
        /// A few words.
        public var title: String
        /// Who is signed in, and what would be lost.
        public var text: String
        /// The words for the button that signs out.
        public var actionTitle: String

        /// Creates a question.
        public init(title: String, text: String, actionTitle: String) {
            self.title = title
            self.text = text
            self.actionTitle = actionTitle
        }
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }

    private let store = StateStore(State())
    private let profile: DetailController<GitHub.UserProfile, UserProfileViewModel.Details>
    private let background = BackgroundWork()
    private var load = ListLoad([])
    private var loadCount = 0
    private var following: Task<Void, Never>?
    private let session: GitHub.SessionManager
    private let users: any GitHub.UserRepository
    private let texts: Texts

    /// Creates the screen; ``show()`` fills it.
    ///
    /// - Parameters:
    ///   - session: Who is signed in.
    ///   - users: Where the profile comes from.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    public init(
        session: GitHub.SessionManager,
        users: any GitHub.UserRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh
    ) {
        self.session = session
        self.users = users
        self.texts = texts
        profile = DetailController(in: store, at: \.profile, notice: \.notice, texts: texts, policy: policy) {
            UserProfileViewModel.Details($0, texts: texts)
        }
    }

    deinit {
        following?.cancel()
    }
}

extension AccountViewModel {
    /// Shows who is signed in; returns when their profile is there, or that nobody is.
    public func show() async {
        if following == nil {
            following = Task { [weak self, sessions = session.sessions] in
                // What is told may be older than what was looked at since.
                for await _ in sessions { self?.receiveCurrent() }
            }
        }
        await session.start()
        receiveCurrent()
        await load()
    }

    /// Loads again what did not come, or what is there.
    public func retry() async {
        let count = loadCount
        await session.retry()
        receiveCurrent()
        // Unless that began with the session, and may even be done.
        if let user = state.user, loadCount == count, state.status != .loading { load(user) }
        await load()
    }

    /// Goes on to one's own repositories, private ones too; `nil` when nobody is signed in.
    public func showRepos() -> Route? {
        state.user.map { _ in .repoList(.own) }
    }

    /// Goes on to what one has starred; `nil` when nobody is signed in.
    public func showStarred() -> Route? {
        state.user.map { _ in .repoList(.starred) }
    }

    /// Goes on to one's profile as others see it; `nil` when nobody is signed in.
    public func showPublicProfile() -> Route? {
        state.user.map { .userProfile($0.login) }
    }

    /// Goes on to signing in; `nil` when it is known who is signed in, or not known yet whether anybody is.
    public func signIn() -> Route? {
        switch state.status {
        case .signedOut: .signIn
        case .failed where state.user == nil: .signIn
        case .idle, .loading, .waiting, .loaded, .failed: nil
        }
    }

    /// Asks whether the person wants to sign out; does nothing when nobody is signed in.
    public func askToSignOut() {
        let question: Phrase
        switch session.current {
        case .restoring, .signedOut: return
        case .signingIn, .unidentified: question = .signOutUnknown
        case .identified(let user), .ready(let user): question = .signOutQuestion(user.login)
        }
        let unsent = session.stars.unsentCount
        let parts = [texts(question)] + (unsent > 0 ? [texts(.signOutUnsent(unsent))] : [])
        store.state.question = Question(
            title: texts(.signOutTitle),
            text: parts.joined(separator: " "),
            actionTitle: texts(.signOut)
        )
    }

    /// Takes the question back.
    public func staySignedIn() {
        store.state.question = nil
    }

    /// Signs out; does nothing unless the question is asked. Nobody is signed in when this returns.
    ///
    /// A notice tells when the stored token could not be deleted, or GitHub could not be asked to revoke it.
    public func signOut() async {
        guard state.question != nil else { return }
        store.state.question = nil
        do throws(BrowseError) {
            try await session.signOut()
            receiveCurrent()
        } catch {
            receiveCurrent()
            if error != .cancelled { store.state.notice = texts.signedOutInPart(error) }
        }
    }
}

extension AccountViewModel {
    private func receiveCurrent() {
        switch session.current {
        case .restoring, .signingIn:
            forget(.loading)
        case .signedOut(let reason):
            forget(.signedOut(texts.message(for: reason)))
        case .unidentified(let error):
            forget(.failed(texts.message(for: error)))
        case .identified(let user), .ready(let user):
            if state.user != user { load(user) }
        }
    }

    /// Nothing of the person before stays.
    private func forget(_ status: State.Status) {
        load = ListLoad([])
        store.update { state in
            let before = state
            state = State()
            state.status = status
            // A message about signing out stays after it.
            if case .signedOut = status, case .signedOut = before.status { state.notice = before.notice }
            profile.clear()
        }
    }

    private func load(_ user: GitHub.User) {
        loadCount += 1
        load = store.update { state in
            state = State()
            state.user = user
            return profile.begin { [users] () throws(BrowseError) in try await users.ownProfile() }
        }
        background.run { [load] in await load() }
    }
}
