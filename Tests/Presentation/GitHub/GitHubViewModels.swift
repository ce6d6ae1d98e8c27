import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation

// Screens in English, without favorites unless a test is about them.

extension FollowerListViewModel {
    convenience init(
        _ repository: any GitHub.FollowerRepository,
        favorites: any FavoriteRepository = InMemoryFavoriteRepository(),
        options: ScreenOptions = .english
    ) {
        self.init(repository: repository, options: options.with(favorites))
    }
}

extension RepoListViewModel {
    convenience init(
        _ repository: any GitHub.RepoRepository,
        favorites: any FavoriteRepository = InMemoryFavoriteRepository(),
        session: GitHub.SessionManager,
        options: ScreenOptions = .english
    ) {
        self.init(repository: repository, session: session, options: options.with(favorites))
    }
}

extension UserProfileViewModel {
    convenience init(
        _ profiles: [GitHub.UserProfile],
        favorites: any FavoriteRepository = InMemoryFavoriteRepository(),
        texts: Texts = .english
    ) {
        let repository = InMemoryUserRepository(profiles: profiles)
        self.init(repository: repository, options: ScreenOptions(texts: texts).with(favorites))
    }
}
