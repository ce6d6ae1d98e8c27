/// Identifies how an endpoint decodes its response.
///
/// Equal requests in flight are sent once. When their endpoints also have the same decoding ID and the same type, the
/// response is decoded once. Closures can't be compared, so an endpoint gets a new ID unless it is given one:
///
/// ```swift
/// static func profile(of name: String) -> Endpoint<Profile> {
///     Endpoint(.path("/users/\(name)"), decodingID: "profile") { response in
///         try JSONDecoder().decode(Profile.self, from: response.body)
///     }
/// }
/// ```
///
/// Name a decoding only if its result depends on nothing but the response.
public struct DecodingID: Hashable, Sendable, ExpressibleByStringLiteral {
    private final class Token: Sendable {}

    private let name: String?
    /// Its address is unique as long as it lives.
    private let token: Token?

    /// Creates an ID that equals only its copies.
    public init() {
        name = nil
        token = Token()
    }

    /// Creates the ID of a name, which is compared among equal requests with the same type of value only.
    public init(stringLiteral name: StaticString) {
        self.name = "\(name)"
        token = nil
    }

    /// Whether two values identify the same decoding.
    public static func == (one: DecodingID, other: DecodingID) -> Bool {
        one.name == other.name && one.token === other.token
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(token.map { ObjectIdentifier($0) })
    }
}
