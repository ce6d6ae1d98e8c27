public import BrowseDomain

/// A screen to navigate to. The front end decides how to show it.
///
/// Encode routes to restore a front end's navigation. The format can change with the version of the SDK, so start over if a
/// route can't be decoded.
public enum Route: Hashable, Codable, Sendable {
    /// Signing in.
    case signIn
    /// A web page, outside of the app.
    case webPage(WebAddress)
    /// A screen of a service.
    case other(Destination)

    /// A value that identifies a screen of a service.
    ///
    /// Decoders need its type:
    ///
    /// ```
    /// decoder.userInfo[.destinationTypes] = [BookScreen.self] as [any RouteDestination.Type]
    /// ```
    public struct Destination: Hashable, Codable, Sendable {
        private let base: any RouteDestination

        /// Creates a destination from a value of your own, such as an enum of your service's screens.
        public init(_ value: some RouteDestination) {
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

/// A type whose values identify the screens of a service, usually an enum.
public protocol RouteDestination: Hashable, Codable, Sendable {
    /// The name of the type in encoded routes, which no other service uses; it must never change.
    static var routeName: String { get }
}

extension CodingUserInfoKey {
    /// The types of destinations to decode, as an array of `any RouteDestination.Type`.
    public static let destinationTypes: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "BrowseKit.destinationTypes") else {
            preconditionFailure("Every text is a key.")
        }
        return key
    }()
}

extension Route.Destination {
    private enum CodingKeys: CodingKey { case type, value }

    /// Encodes the value, and ``RouteDestination/routeName``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Swift.type(of: base).routeName, forKey: .type)
        try container.encode(base, forKey: .value)
    }

    /// Decodes a value of one of the types in `userInfo`.
    ///
    /// - Throws: `DecodingError` if no type or several types have the name, or if the value can't be decoded.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .type)
        let types = decoder.userInfo[.destinationTypes] as? [any RouteDestination.Type] ?? []
        let named = types.filter { $0.routeName == name }
        guard let type = named.first, named.count == 1 else {
            throw DecodingError.dataCorruptedError(
                forKey: .type,
                in: container,
                debugDescription: "The decoder's userInfo has \(named.count) types with this name."
            )
        }
        base = try container.decode(type, forKey: .value)
    }
}
