public import BrowseDomain

/// The screen with what an account tells about itself.
@MainActor
public final class UserProfileViewModel: FavoriteDetailViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Whose profile; `nil` before ``UserProfileViewModel/show(_:)``.
        public var login: GitHub.Login?
        /// The profile, and what the screen is doing.
        public var content: DetailState<Details> = DetailState()
        /// Whether the account is a favorite.
        public var isFavorite: Bool = false
        /// Something to tell beside the profile, such as that there are no followers to go to.
        public var notice: Message?

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

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the profile.
    public var detail: DetailControls<GitHub.UserProfile> { profile.controls }

    private let store = StateStore(State())
    private let profile: DetailController<GitHub.UserProfile, Details>
    private let repository: any GitHub.UserRepository
    private let texts: Texts

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - repository: Where accounts come from.
    ///   - favorites: Where favorites are stored.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    public init(
        repository: any GitHub.UserRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh
    ) {
        self.repository = repository
        self.texts = texts
        profile = DetailController(in: store, at: \.content, notice: \.notice, texts: texts, policy: policy) {
            Details($0, texts: texts)
        }
        profile.markFavorite(in: favorites, store: store, at: \.isFavorite) { .user($0.user) }
    }

    /// Starts over with an account.
    public func show(_ login: GitHub.Login) async {
        let load = store.update { state in
            state = State()
            state.login = login
            return profile.begin { [repository] () throws(BrowseError) in try await repository.profile(of: login) }
        }
        await load()
    }

    /// Returns the list of followers; `nil`, with a notice, when there are none or the profile isn't loaded.
    public func showFollowers() -> Route? {
        follow(GitHub.FollowList.followers(of:), count: \.followerCount)
    }

    /// Returns the list of accounts followed; `nil`, with a notice, when there are none or the profile isn't loaded.
    public func showFollowing() -> Route? {
        follow(GitHub.FollowList.following(by:), count: \.followingCount)
    }

    /// Returns the public repositories; `nil`, with a notice, when there are none or the profile isn't loaded.
    public func showRepos() -> Route? {
        guard let profile = profile.thing else { return nil }
        let list = GitHub.RepoList.publicRepos(of: profile.user.login)
        return go(to: .repoList(list), unless: profile.publicRepoCount == 0, texts.emptyList(list))
    }

    /// Returns the account's page on the web; `nil` when it has none that can be opened.
    public func openWebPage() -> Route? {
        guard let page = profile.thing?.user.webPage, page.url != nil else { return nil }
        return .webPage(page)
    }

    private func follow(
        _ list: (GitHub.Login) -> GitHub.FollowList,
        count: KeyPath<GitHub.UserProfile, Int?>
    ) -> Route? {
        guard let profile = profile.thing else { return nil }
        let list = list(profile.user.login)
        return go(to: .followList(list), unless: profile[keyPath: count] == 0, texts.emptyList(list))
    }

    private func go(to route: Route, unless isEmpty: Bool, _ message: Message) -> Route? {
        profile.show(isEmpty ? message : nil)
        return isEmpty ? nil : route
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
