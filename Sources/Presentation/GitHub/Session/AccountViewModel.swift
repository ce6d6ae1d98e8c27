public import BrowseDomain
public import Observation

/// The screen with one's own account: the profile, the way to what is one's own, and signing out.
///
/// It follows the session: who signs in or out on another screen shows here.
@MainActor @Observable
public final class AccountViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// What the screen is doing.
        public enum Status: Equatable, Sendable {
            /// Nothing was asked for yet.
            case idle
            /// Who is signed in, or their profile, is on its way.
            case loading
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

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = Broadcast<State>()
    @ObservationIgnored private let loads = TaskSlot()
    @ObservationIgnored private var loading: (user: GitHub.User.ID, task: Task<Void, Never>)?
    @ObservationIgnored private var following: Task<Void, Never>?
    @ObservationIgnored private let session: GitHub.SessionManager
    @ObservationIgnored private let users: any GitHub.UserRepository
    @ObservationIgnored private let texts: Texts
    @ObservationIgnored private let policy: LoadPolicy

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
        self.policy = policy
        loads.waitDidChange = { [weak self] in
            guard let self else { return }
            state.notice.showWait(until: loads.waitEnd, texts: texts)
        }
    }

    deinit {
        following?.cancel()
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
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
        await loading?.task.value
    }

    /// Loads again what did not come, or what is there.
    public func retry() async {
        let before = loading?.task
        await session.retry()
        receiveCurrent()
        // Unless that began with the session, and may even be done.
        if let user = state.user, loading?.task == before, state.status != .loading { load(user) }
        await loading?.task.value
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
        case .idle, .loading, .loaded, .failed: nil
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
        state.question = Question(
            title: texts(.signOutTitle),
            text: parts.joined(separator: " "),
            actionTitle: texts(.signOut)
        )
    }

    /// Takes the question back.
    public func staySignedIn() {
        state.question = nil
    }

    /// Signs out; does nothing unless the question is asked. Nobody is signed in when this returns.
    ///
    /// A notice tells when the stored token could not be deleted, or GitHub could not be asked to revoke it.
    public func signOut() async {
        guard state.question != nil else { return }
        state.question = nil
        do throws(BrowseError) {
            try await session.signOut()
            receiveCurrent()
        } catch {
            receiveCurrent()
            if error != .cancelled { state.notice = texts.signedOutInPart(error) }
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
        loads.cancel()
        loading = nil
        var state = State()
        state.status = status
        // What is said of a sign-out stays to be read after it.
        if case .signedOut = status, case .signedOut = self.state.status { state.notice = self.state.notice }
        self.state = state
    }

    private func load(_ user: GitHub.User) {
        var state = State()
        state.user = user
        state.status = .loading
        self.state = state
        let task = Task { [weak self, users, loads, policy] in
            let result = await loads.load(policy) { () throws(BrowseError) in
                try await users.ownProfile()
            } kept: { [weak self] kept in
                self?.take(.success(kept), of: user.id)
            }
            self?.take(result, of: user.id)
        }
        loading = (user.id, task)
    }

    private func take(_ result: Result<Loaded<GitHub.UserProfile>, BrowseError>, of user: GitHub.User.ID) {
        guard loading?.user == user else { return }
        var state = state
        switch (result, state.status) {
        case (.success(let profile), _):
            state.status = .loaded(UserProfileViewModel.Details(profile.value, texts: texts))
            state.provenance = profile.provenance
            state.age = texts.age(of: profile.provenance)
        // The one that took its place, or the end of the session, shows instead.
        case (.failure(.cancelled), _): break
        // What was kept stays.
        case (.failure(let error), .loaded): state.notice = texts.message(for: error)
        case (.failure(let error), _): state.status = .failed(texts.message(for: error))
        }
        self.state = state
    }
}
