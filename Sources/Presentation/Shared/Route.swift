public import BrowseDomain

/// Where to go next, as a value; the front end decides what going there looks like.
public enum Route: Hashable, Sendable {
    /// The accounts that follow somebody, or whom they follow: ``FollowerListViewModel``.
    case followList(GitHub.FollowList)
    /// Somebody's profile: ``UserProfileViewModel``.
    case userProfile(GitHub.Login)
    /// An account's code repositories, one's own, or those one has starred: ``RepoListViewModel``.
    case repoList(GitHub.RepoList)
    /// Signing in, which something that was tapped waits for: ``SignInViewModel``.
    case signIn
    /// A character: ``CharacterDetailViewModel``.
    case character(RickAndMorty.Character.ID)
    /// An episode: ``EpisodeDetailViewModel``.
    case episode(RickAndMorty.Episode.ID)
    /// A location: ``LocationDetailViewModel``.
    case location(RickAndMorty.Location.ID)
    /// An app of the App Store, with all that the shop told of it: ``AppDetailViewModel``.
    case app(AppStore.App)
    /// An app's pictures, one of them first: ``ScreenshotGalleryViewModel``.
    case screenshotGallery(ScreenshotGallery)
    /// A page on the web, outside of the app.
    case webPage(WebAddress)
}
