@_spi(Services) package import BrowseDomain

/// The header field that a service reads tokens from.
public struct TokenField: Hashable, Sendable {
    /// `Authorization: Bearer` (RFC 6750, section 2.1).
    public static let bearer: TokenField = TokenField("Authorization", prefix: "Bearer ")

    private let name: String
    private let prefix: String

    /// Creates a field, such as `TokenField("X-Api-Key")`.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - prefix: The text before the token.
    public init(_ name: String, prefix: String = "") {
        self.name = name
        self.prefix = prefix
    }

    /// Adds or replaces a token, which descriptions mask.
    package func set(_ token: Secret, in headers: inout HTTPHeaders) {
        headers[name] = prefix + token.text
        headers.declareCredentials([name.lowercased()])
    }
}
