public import BrowseDomain

/// A screen to navigate to. The front end decides how to show it.
///
/// Encode routes to restore a front end's navigation. The format can change with the version of the SDK, so start over if a
/// route can't be decoded.
public enum Route: Hashable, Codable, Sendable {
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
    ///
    /// Decoders need its type:
    ///
    /// ```
    /// decoder.userInfo[.destinationTypes] = [Book.self] as [any Route.Destination.Value.Type]
    /// ```
    public struct Destination: Hashable, Codable, Sendable {
        /// The requirements of a value.
        public typealias Value = Hashable & Codable & Sendable

        private let base: any Value

        /// Creates a destination from a value of your own, such as an enum of your service's screens.
        public init(_ value: some Value) {
            base = value
        }

        /// Returns the value if it has the given type.
        public func value<T>(as type: T.Type = T.self) -> T? {
            base as? T
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

extension CodingUserInfoKey {
    /// The types of destinations to decode, as an array of `any Route.Destination.Value.Type`.
    public static let destinationTypes: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "BrowseKit.destinationTypes") else {
            preconditionFailure("Every text is a key.")
        }
        return key
    }()
}

extension Route.Destination {
    private enum CodingKeys: CodingKey { case type, value }

    /// Encodes the value, and the name of its type.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(String(reflecting: Swift.type(of: base)), forKey: .type)
        try container.encode(base, forKey: .value)
    }

    /// Decodes a value of one of the types in `userInfo`.
    ///
    /// - Throws: `DecodingError` if the value has another type, or can't be decoded.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .type)
        let types = decoder.userInfo[.destinationTypes] as? [any Value.Type] ?? []
        guard let type = types.first(where: { String(reflecting: $0) == name }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .type,
                in: container,
                debugDescription: "The decoder's userInfo doesn't have this type."
            )
        }
        base = try container.decode(type, forKey: .value)
    }
}
