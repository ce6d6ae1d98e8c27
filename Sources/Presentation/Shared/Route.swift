public import BrowseDomain

/// A screen to navigate to. The front end decides how to show it.
public enum Route: Hashable, Sendable {
    /// The followers of an account, or the accounts that it follows: ``FollowerListViewModel``.
    case followList(GitHub.FollowList)
    /// The profile of an account: ``UserProfileViewModel``.
    case userProfile(GitHub.Login)
    /// The repositories of an account, or the user's own or starred ones: ``RepoListViewModel``.
    case repoList(GitHub.RepoList)
    /// Signing in: ``SignInViewModel``.
    case signIn
    /// A character: ``CharacterDetailViewModel``.
    case character(RickAndMorty.Character.ID)
    /// An episode: ``EpisodeDetailViewModel``.
    case episode(RickAndMorty.Episode.ID)
    /// A location: ``LocationDetailViewModel``.
    case location(RickAndMorty.Location.ID)
    /// The product page of an app: ``AppDetailViewModel``.
    case app(AppStore.App)
    /// The screenshots of an app: ``ScreenshotGalleryViewModel``.
    case screenshotGallery(ScreenshotGallery)
    /// A web page, outside of the app.
    case webPage(WebAddress)
    /// A screen of another service.
    case other(Destination)

    /// A value that identifies a screen of another service.
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

        /// Returns whether two destinations have equal values of the same type.
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
