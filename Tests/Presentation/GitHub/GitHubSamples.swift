import BrowseAppStorePresentation
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyPresentation
import Foundation

extension [FavoriteKind] {
    /// The kinds of the SDK's services.
    static let samples = FavoriteKind.gitHub + FavoriteKind.rickAndMorty + FavoriteKind.appStore
}

extension Texts {
    static let english = Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt)
    static let korean = Texts(locale: Locale(identifier: "ko_KR"), timeZone: .gmt)
}

extension ScreenOptions {
    static let english = ScreenOptions(texts: .english)
    static let korean = ScreenOptions(texts: .korean)

    static func english(
        prefetchDistance: Int = 10,
        policy: LoadPolicy = .fresh,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> ScreenOptions {
        ScreenOptions(texts: .english) {
            $0.prefetchDistance = prefetchDistance
            $0.policy = policy
            $0.clock = clock
        }
    }

    func with(_ favorites: any FavoriteRepository) -> ScreenOptions { modified(self) { $0.favorites = favorites } }
}

extension GitHub.Login {
    static let octocat = GitHub.Login("octocat")
    static let mona = GitHub.Login("mona")
}

extension GitHub.FollowList {
    static let octocats = GitHub.FollowList.followers(of: .octocat)
    static let monas = GitHub.FollowList.followers(of: .mona)
}

extension BrowseError.RequestInfo {
    static let sample = BrowseError.RequestInfo(endpoint: "GET /users/{}/followers")
    /// A response, rather than a sign-out during the request.
    static let refused = BrowseError.RequestInfo(endpoint: "GET /user/repos", status: 401)
}

extension GitHub.User {
    static func sample(_ number: Int, login: String? = nil) -> GitHub.User {
        GitHub.User(id: ID(rawValue: Int64(number)), login: GitHub.Login(login ?? "user-\(number)"))
    }
}

extension Page<GitHub.User> {
    init(users: some Sequence<Int>, next: String? = nil) {
        self.init(items: users.map { .sample($0) }, next: next.map(PageCursor.init(rawValue:)))
    }
}

extension GitHub.Repo {
    static func sample(_ number: Int) -> GitHub.Repo {
        GitHub.Repo(id: ID(rawValue: Int64(number)), name: "repo-\(number)", fullName: "octocat/repo-\(number)") {
            $0.webPage = WebAddress(rawValue: "https://example.com/octocat/repo-\(number)")
        }
    }
}

extension InMemoryUserRepository {
    /// Creates a repository whose calls a test answers with profiles.
    init(held: ControlledResponses<Int, GitHub.UserProfile>) {
        self.init { _ throws(BrowseError) in .profile(try await held.response(to: 0)) }
    }
}
