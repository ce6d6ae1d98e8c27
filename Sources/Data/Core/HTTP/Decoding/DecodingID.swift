/// The identity of an endpoint's decoding.
///
/// Equal requests in flight are sent once. If their endpoints have the same decoding ID and type, the response is also decoded
/// once. Closures can't be compared, so an endpoint gets a new ID by default. To share the value, give it a name:
///
/// ```swift
/// static func profile(of name: String) -> Endpoint<Profile> {
///     Endpoint(.path("/users/\(name)"), decodingID: "profile") { response in
///         try JSONDecoder().decode(Profile.self, from: response.body)
///     }
/// }
/// ```
///
/// The result of a named decoding must depend only on the status, URL, body, and stored header fields of the response: when the
/// server confirms a cached response, or it is read again, its decoded value is used again. Fields of a single exchange aren't
/// stored, such as `Date` and those of rate limits.
public struct DecodingID: Hashable, Sendable, ExpressibleByStringLiteral {
    private final class Token: Sendable {}

    private let name: String?
    /// Its address is unique during its lifetime.
    private let token: Token?

    /// Whether other endpoints can have the same ID.
    var isNamed: Bool { name != nil }

    /// Creates an ID that equals only its copies.
    public init() {
        name = nil
        token = Token()
    }

    /// Creates an ID with a name, unique among equal requests with the same type of value.
    ///
    /// Clients that share a cache must not use a name for different decodings.
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
