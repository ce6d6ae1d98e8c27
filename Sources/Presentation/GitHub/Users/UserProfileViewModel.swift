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

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = StateBroadcast<State>()
    @ObservationIgnored private let loads = TaskSlot()
    @ObservationIgnored private var loadCount = 0
    @ObservationIgnored private let repository: any GitHub.UserRepository
    @ObservationIgnored private let texts: Texts

    /// Creates the screen; ``show(_:)`` fills it.
    public init(repository: any GitHub.UserRepository, texts: Texts) {
        self.repository = repository
        self.texts = texts
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

        let result = await loads.run { [repository] () throws(BrowseError) in try await repository.profile(of: login) }
        guard number == loadCount else { return }
        state.status =
            switch result {
            case .success(let profile): .loaded(Details(profile, texts: texts))
            case .failure(.cancelled): .idle
            case .failure(let error): .failed(texts.message(for: error))
            }
    }

    /// Loads the same account again.
    public func retry() async {
        guard let login = state.login else { return }
        await show(login)
    }

    /// Goes on to the followers; `nil`, with a notice, when there are none or the profile is not there.
    public func showFollowers() -> Route? {
        follow(GitHub.FollowList.followers(of:), count: \.followerCount)
    }

    /// Goes on to the accounts followed; `nil`, with a notice, when there are none or the profile is not there.
    public func showFollowing() -> Route? {
        follow(GitHub.FollowList.following(by:), count: \.followingCount)
    }

    /// Goes to the account's page on the web; `nil` when it has none that can be opened.
    public func openWebPage() -> Route? {
        guard case .loaded(let details) = state.status, let page = details.profile.user.webPage, page.url != nil else {
            return nil
        }
        return .webPage(page)
    }

    private func follow(
        _ list: (GitHub.Login) -> GitHub.FollowList,
        count: KeyPath<GitHub.UserProfile, Int>
    ) -> Route? {
        guard case .loaded(let details) = state.status else { return nil }
        let list = list(details.profile.user.login)
        guard details.profile[keyPath: count] > 0 else {
            state.notice = texts.emptyList(list)
            return nil
        }
        state.notice = nil
        return .followList(list)
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
        publicRepos = texts(.count(profile.publicRepoCount))
        publicGists = texts(.count(profile.publicGistCount))
        followers = texts(.count(profile.followerCount))
        following = texts(.count(profile.followingCount))
        memberSince = texts(.memberSince(profile.memberSince))
    }
}
