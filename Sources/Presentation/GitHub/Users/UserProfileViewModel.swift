@_spi(Services) public import BrowseDomain
public import BrowseGitHubDomain
@_spi(Services) public import BrowsePresentation
import Foundation
import Synchronization

/// A screen with the profile of an account.
@MainActor
public final class UserProfileViewModel: DetailViewModel {
    /// The state of the screen.
    public struct State: DetailScreenState {
        /// The account; `nil` before ``UserProfileViewModel/show(_:)``, and if only its number is
        /// known.
        public var login: GitHub.Login?
        /// The profile and its status.
        public var content: DetailState<Details> = DetailState()
        /// A message beside the profile, such as that there are no followers.
        public var notice: Message?

        /// The login; empty before ``UserProfileViewModel/show(_:)``.
        public var title: String { login?.rawValue ?? "" }
    }

    /// A profile in words. If GitHub has no value for a field, the text says so.
    public struct Details: EntityDetails {
        /// The profile as GitHub sent it, for values that a front end formats itself.
        public var profile: GitHub.UserProfile
        /// The display name.
        public var name: String
        /// The month and year of joining, such as `Member since January 2011`.
        public var memberSince: String
        /// The facts; the website has a route, and so have lists that aren't empty.
        public var facts: [Fact]
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the profile.
    public var detail: DetailControls { profile.controls }

    private let store = StateStore(State())
    private let profile: DetailController<GitHub.UserProfile, Details>
    private let repository: any GitHub.UserRepository
    private let texts: Texts
    /// The number of the account, if it was requested by that.
    private var requestedID: GitHub.User.ID?
    private var requestedLogin: GitHub.Login?

    /// Creates the screen; ``show(_:)`` loads it.
    package init(repository: any GitHub.UserRepository, options: ScreenOptions) {
        self.repository = repository
        let options = options.about(.gitHub)
        texts = options.texts
        profile = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            Details($0, texts: options.texts)
        }
        profile.markFavorite { Favorite($0.user) }
        store.addPart { [weak self] state in
            // A favorite's login is from when it was added, and a shown account can be renamed.
            if let user = self?.profile.entity?.user { state.login = user.login }
        }
    }

    /// Replaces the screen's content with an account's profile, and loads it.
    public func show(_ login: GitHub.Login) async {
        // Refreshing shows the same account, even if another one has its login by then.
        let shown = Mutex<GitHub.User.ID?>(nil)
        await show(login, id: nil) { [repository] () throws(BrowseError) in
            if let id = shown.withLock({ $0 }) { return try await repository.profile(ofID: id) }
            let profile = try await repository.profile(of: login)
            if Provenance.current.date == nil { shown.withLock { $0 = profile.user.id } }
            return profile
        }
    }

    /// Replaces the screen's content with the account that has a number, even if it was renamed.
    ///
    /// - Parameters:
    ///   - id: The number, such as that of a favorite.
    ///   - label: The last known login, which is shown until the profile is loaded.
    public func show(_ id: GitHub.User.ID, label: GitHub.Login? = nil) async {
        await show(label, id: id) { [repository] () throws(BrowseError) in try await repository.profile(ofID: id) }
    }

    private func show(
        _ login: GitHub.Login?,
        id: GitHub.User.ID?,
        _ fetch: @escaping @Sendable () async throws(BrowseError) -> GitHub.UserProfile
    ) async {
        requestedID = id
        requestedLogin = login
        await store.load { state in
            state = State()
            state.login = login
            return profile.begin(fetch)
        }
    }

    /// Shows an account when the screen appears; if it's shown already, only calls `retry()`.
    public func showIfNeeded(_ login: GitHub.Login) async {
        if requestedLogin == login, requestedID == nil { await profile.retry() } else { await show(login) }
    }

    /// Shows the account with a number when the screen appears, like ``showIfNeeded(_:)``.
    public func showIfNeeded(_ id: GitHub.User.ID, label: GitHub.Login? = nil) async {
        if requestedID == id { await profile.retry() } else { await show(id, label: label) }
    }

    /// Returns the list of followers; `nil` until the profile loads and, with a notice, if there
    /// are none.
    public func showFollowers() -> Route? { show("followers") { texts.emptyList(.followers(of: $0)) } }

    /// Returns the accounts followed; `nil` until the profile loads and, with a notice, if there
    /// are none.
    public func showFollowing() -> Route? { show("following") { texts.emptyList(.following(by: $0)) } }

    /// Returns the public repositories; `nil` until the profile loads and, with a notice, if there
    /// are none.
    public func showRepos() -> Route? { show("repos") { texts.emptyList(.publicRepos(of: $0)) } }

    /// Returns the route of a fact about a list, which one about an empty list lacks.
    private func show(_ fact: String, empty message: (GitHub.Login) -> Message) -> Route? {
        guard let login = profile.entity?.user.login else { return nil }
        let route = state.content.details?[fact]?.route
        profile.show(route == nil ? message(login) : nil)
        return route
    }
}

extension UserProfileViewModel.Details {
    init(_ profile: GitHub.UserProfile, texts: Texts) {
        self.profile = profile
        name = profile.name?.nonBlank ?? texts(.noName)
        memberSince = texts(profile.memberSince.map(Phrase.memberSince) ?? .memberSinceUnknown)
        let login = profile.user.login
        let joined = profile.memberSince.map { texts(.month($0)) }
        func fact(_ id: String, _ label: Phrase, _ value: String?, _ missing: Phrase, _ route: Route? = nil) -> Fact {
            Fact(id, texts(label), value, missing: texts(missing), route: route)
        }
        func list(_ id: String, _ label: Phrase, _ count: Int?, _ screen: GitHub.Screen) -> Fact {
            fact(id, label, count.map { texts(.count($0)) }, .unknown, count == 0 ? nil : .gitHub(screen))
        }
        facts = [
            fact("name", .name, profile.name, .noName), fact("bio", .bio, profile.bio, .noBio),
            fact("company", .company, profile.company, .noCompany),
            fact("location", .location, profile.location, .noLocation),
            fact("blog", .blog, profile.blog?.shownText, .noBlog, profile.blog?.route),
            list("followers", .followers, profile.followerCount, .followList(.followers(of: login))),
            list("following", .following, profile.followingCount, .followList(.following(by: login))),
            list("repos", .repos, profile.publicRepoCount, .repoList(.publicRepos(of: login))),
            fact("gists", .gists, profile.publicGistCount.map { texts(.count($0)) }, .unknown),
            fact("joined", .joined, joined, .unknown),
        ]
    }
}

// swift-format-ignore
extension Phrase {
    static let bio = Phrase("profile.bio", "Bio", ko: "소개")
    static let company = Phrase("profile.company", "Company", ko: "회사")
    static let location = Phrase("profile.location", "Location", ko: "위치")
    static let blog = Phrase("profile.website", "Website", ko: "웹사이트")
    static let followers = Phrase("profile.followers", "Followers", ko: "팔로워")
    static let following = Phrase("profile.following", "Following", ko: "팔로잉")
    static let gists = Phrase("profile.gists", "Gists", ko: "Gist")
    static let joined = Phrase("profile.joined", "Joined", ko: "가입")
    static func month(_ date: Date) -> Phrase { Phrase("profile.month", "\(month: date)", ko: "\(month: date)") }

    static let noName = Phrase("profile.noName", "No name", ko: "이름 없음")
    static let noBio = Phrase("profile.noBio", "No bio", ko: "소개 없음")
    static let noCompany = Phrase("profile.noCompany", "No company", ko: "회사 없음")
    static let noLocation = Phrase("profile.noLocation", "No location", ko: "위치 없음")
    static let noBlog = Phrase("profile.noWebsite", "No website", ko: "웹사이트 없음")
    static func memberSince(_ date: Date) -> Phrase {
        Phrase("profile.memberSince", "Member since \(month: date)", ko: "\(month: date) 가입")
    }
    static let memberSinceUnknown = Phrase("profile.noMemberSince", "Join date unknown", ko: "가입일 알 수 없음")
}
