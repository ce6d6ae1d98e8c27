public import BrowseDomain

/// The token of an account, together with the account's identifier.
public struct AccessGrant: Hashable, Sendable {
    /// A nonsecret identifier of the account, such as a user ID; responses aren't cached if it's
    /// empty.
    ///
    /// When the account signs out, erase its responses with ``ResponseCache/removeAll(of:at:)``, as
    /// ``StoredTokenRepository`` does.
    public let account: String
    /// The value of the token field, without a scheme such as `Bearer`.
    public let token: Secret
    /// Whether the app was configured with the token, so that signing in doesn't help if it's
    /// refused.
    var isConfigured = false
    /// Whether the service has refused it, so that requests with it fail for a while.
    var isRefused = false
    /// Whether it was refused without evidence that the service did so.
    var isDoubtful = false
    /// Whether the token had had time to reach all servers when it was sent.
    var isSettled = true

    /// Creates a grant.
    public init(account: String, token: Secret) {
        self.account = account
        self.token = token
    }
}

extension AccessGrant: AccessTokens {
    /// Returns the grant itself, for a token of the app, which never changes.
    public func currentGrant() async throws(BrowseError) -> AccessGrant? { modified(self) { $0.isConfigured = true } }
}
