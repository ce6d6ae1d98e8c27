public import BrowseDomain
public import Observation

/// The screen with what an account tells about itself.
@MainActor @Observable
public final class UserProfileViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// What the screen is doing.
        public enum Status: Equatable, Sendable {
            /// Nothing was asked for yet.
            case idle
            /// The profile is on its way.
            case loading
            /// The profile is there.
            case loaded(Details)
            /// The profile did not come.
            case failed(Message)
        }

        /// Whose profile; `nil` before ``UserProfileViewModel/show(_:)``.
        public var login: GitHub.Login?
        /// What the screen is doing.
        public var status: Status = .idle
        /// Whether the account is a favourite.
        public var isFavorite: Bool = false
        /// Something to tell beside the profile, such as that there are no followers to go to.
        public var notice: Message?
        /// Where what is shown came from; `nil` while nothing is.
        public var provenance: Provenance?
        /// From when what is shown is, in words; `nil` when it is as the server has it.
        public var age: String?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// A profile as it is read: every field has a text.
    public struct Details: Equatable, Sendable {
        /// The profile behind the texts.
        public var profile: GitHub.UserProfile
        /// The name, or that none was given.
        public var name: String
        /// The bio, or that there is none.
        public var bio: String
        /// The company, or that there is none.
        public var company: String
        /// The location, or that there is none.
        public var location: String
        /// The website, or that there is none.
        public var blog: String
        /// The number of public repositories.
        public var publicRepos: String
        /// The number of public gists.
        public var publicGists: String
        /// The number of followers.
        public var followers: String
        /// The number of accounts followed.
        public var following: String
        /// Month and year of joining.
        public var memberSince: String
    }

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = Broadcast<State>()
    @ObservationIgnored private let loads = TaskSlot()
    @ObservationIgnored private var loadCount = 0
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let repository: any GitHub.UserRepository
    @ObservationIgnored private let texts: Texts
    @ObservationIgnored private let policy: LoadPolicy

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - repository: Where accounts come from.
    ///   - favorites: Where favourites are kept.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    public init(
        repository: any GitHub.UserRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh
    ) {
        self.repository = repository
        self.texts = texts
        self.policy = policy
        marks = FavoriteMarks(repository: favorites)
        marks.didChange = { [weak self] _ in self?.publish() }
        loads.waitDidChange = { [weak self] in
            guard let self else { return }
            state.notice.showWait(until: loads.waitEnd, texts: texts)
        }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension UserProfileViewModel {
    /// Starts over with an account; what was on its way for another is cancelled, and dropped if it comes.
    public func show(_ login: GitHub.Login) async {
        loadCount += 1
        let number = loadCount
        var loading = State()
        loading.login = login
        loading.status = .loading
        state = loading

        async let marksAreKnown: Void = marks.follow()
        let result = await loads.load(policy) { [repository] () throws(BrowseError) in
            try await repository.profile(of: login)
        } kept: { [weak self] kept in
            if self?.loadCount == number { self?.receive(.success(kept)) }
        }
        if number == loadCount { receive(result) }
        await marksAreKnown
    }

    /// Loads the same account again.
    public func retry() async {
        guard let login = state.login else { return }
        await show(login)
    }

    /// Keeps the account as a favourite, or forgets it, as the opposite of what its mark shows.
    ///
    /// The mark changes at once; when it cannot be stored it changes back, with a notice. Does nothing while the profile is
    /// not there.
    public func toggleFavorite() async {
        guard case .loaded(let details) = state.status else { return }
        let user = details.profile.user
        let failure = await marks.toggle(.user(user), shownAs: state.isFavorite)
        state.notice = failure.map(texts.message(for:))
    }

    /// Goes on to the followers; `nil`, with a notice, when there are none or the profile is not there.
    public func showFollowers() -> Route? {
        follow(GitHub.FollowList.followers(of:), count: \.followerCount)
    }

    /// Goes on to the accounts followed; `nil`, with a notice, when there are none or the profile is not there.
    public func showFollowing() -> Route? {
        follow(GitHub.FollowList.following(by:), count: \.followingCount)
    }

    /// Goes on to the public repositories; `nil`, with a notice, when there are none or the profile is not there.
    public func showRepos() -> Route? {
        guard case .loaded(let details) = state.status else { return nil }
        let list = GitHub.RepoList.publicRepos(of: details.profile.user.login)
        return go(to: .repoList(list), unless: details.profile.publicRepoCount == 0, texts.emptyList(list))
    }

    /// Goes to the account's page on the web; `nil` when it has none that can be opened.
    public func openWebPage() -> Route? {
        guard case .loaded(let details) = state.status, let page = details.profile.user.webPage, page.url != nil else {
            return nil
        }
        return .webPage(page)
    }

    private func receive(_ result: Result<Loaded<GitHub.UserProfile>, BrowseError>) {
        publish {
            switch (result, $0.status) {
            case (.success(let profile), _):
                $0.status = .loaded(Details(profile.value, texts: texts))
                $0.provenance = profile.provenance
                $0.age = texts.age(of: profile.provenance)
            case (.failure(.cancelled), .loaded): break
            case (.failure(.cancelled), _): $0.status = .idle
            // What is gone is not shown any more; else what was kept stays.
            case (.failure(let error), .loaded) where !error.isNotFound: $0.notice = texts.message(for: error)
            case (.failure(let error), _): $0.status = .failed(texts.message(for: error))
            }
        }
    }

    private func follow(
        _ list: (GitHub.Login) -> GitHub.FollowList,
        count: KeyPath<GitHub.UserProfile, Int?>
    ) -> Route? {
        guard case .loaded(let details) = state.status else { return nil }
        let list = list(details.profile.user.login)
        return go(to: .followList(list), unless: details.profile[keyPath: count] == 0, texts.emptyList(list))
    }

    private func go(to route: Route, unless isEmpty: Bool, _ message: Message) -> Route? {
        state.notice = isEmpty ? message : nil
        return isEmpty ? nil : route
    }

    /// Shows a change of the screen, with the mark as it is now.
    private func publish(_ change: (inout State) -> Void = { _ in }) {
        var state = state
        change(&state)
        if case .loaded(let details) = state.status {
            state.isFavorite = marks.contains(.user(details.profile.user.id))
        }
        self.state = state
    }
}

extension UserProfileViewModel.Details {
    init(_ profile: GitHub.UserProfile, texts: Texts) {
        self.profile = profile
        name = profile.name ?? texts(.noName)
        bio = profile.bio ?? texts(.noBio)
        company = profile.company ?? texts(.noCompany)
        location = profile.location ?? texts(.noLocation)
        blog = profile.blog?.rawValue ?? texts(.noBlog)
        publicRepos = texts.count(profile.publicRepoCount)
        publicGists = texts.count(profile.publicGistCount)
        followers = texts.count(profile.followerCount)
        following = texts.count(profile.followingCount)
        memberSince = texts(profile.memberSince.map(Phrase.memberSince) ?? .memberSinceUnknown)
    }
}
