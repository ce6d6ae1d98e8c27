public import Foundation

/// A token that authorizes requests to a service; it prints as `***`.
public typealias AccessToken = Secret

/// The result of a sign-in: a token, and the means to refresh it.
public struct Credentials: Hashable, Sendable {
    /// The token that requests carry.
    public var token: AccessToken
    /// The expiration date of the token; `nil` if it doesn't expire.
    public var expiresAt: Date?
    /// The token for the next refresh; `nil` if the token can't be refreshed.
    public var refreshToken: Secret?
    /// The time at which the service issued the token; `nil` if it's unknown.
    ///
    /// It's unknown for a token that the user pasted. A new token is given time until all servers
    /// of the service know it.
    public var issuedAt: Date?
    /// The server's names of the granted permissions; empty if it didn't report them.
    public var scopes: [String]
    /// The user that the token belongs to, once known.
    public var user: StoredUser?
    /// The identity of the sign-in, which refreshing preserves.
    package var signInID: String?
    /// Whether the server sent a refresh token that can't be used, so that the old one is spent.
    @_spi(Services) public var hasUnusableRefreshToken: Bool = false
    /// The credentials that the requests of the current task carry instead of those in use.
    @TaskLocal package static var tried: Credentials?

    /// Creates credentials; a personal access token needs no other values.
    public init(
        token: AccessToken,
        expiresAt: Date? = nil,
        refreshToken: Secret? = nil,
        scopes: [String] = [],
        user: (any SessionUser)? = nil
    ) {
        self.token = token
        self.expiresAt = expiresAt
        self.refreshToken = refreshToken
        self.scopes = scopes
        self.user = user.map { StoredUser($0) }
    }
}
