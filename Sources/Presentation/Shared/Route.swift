public import BrowseDomain

/// The next screen, as a value; the front end decides how to show it.
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
    /// A screen of a service outside of the SDK.
    case other(Destination)

    /// A value that names a screen of a service outside of the SDK.
    public struct Destination: Hashable, Sendable {
        private let base: any Hashable & Sendable

        /// Creates a destination from a value of your own, such as an enum of your service's screens.
        public init(_ value: some Hashable & Sendable) {
            base = value
        }

        /// Returns the value if it has the given type.
        public func value<Value>(as type: Value.Type = Value.self) -> Value? {
            base as? Value
        }

        /// Returns whether two destinations have equal values of one type.
        public static func == (left: Destination, right: Destination) -> Bool {
            erased(left.base) == erased(right.base)
        }

        /// Hashes the value.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(Self.erased(base))
        }

        private static func erased(_ value: some Hashable) -> AnyHashable {
            AnyHashable(value)
        }
    }
}
