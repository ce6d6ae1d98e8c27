@_spi(Services) public import BrowseDomain

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

/// Provides the tokens for requests to a service.
///
/// A provider needs only ``currentGrant()``. Its requests go to the origin of the service's base
/// URL, over https or on this device, and are sent again after a 401 if there is another token.
public protocol AccessTokens: Sendable {
    /// Returns the grant for a request; `nil` if nobody is signed in.
    ///
    /// It's called before a request waits to be one of the few that are in flight at once, and
    /// again before each attempt. Refresh a token with another client, such as the container's
    /// `plainClient(of:)`, whose requests don't wait for those of this one.
    ///
    /// - Throws: The error of the request, such as `.unauthorized` if the token can't be refreshed.
    func currentGrant() async throws(BrowseError) -> AccessGrant?

    /// Returns the account that requests belong to; `nil` if nobody is signed in.
    ///
    /// It's called when a request starts, and after each read. By default, it's the account of the
    /// current grant. Return the account even if its token can't be refreshed, so that cached
    /// responses can be used.
    ///
    /// - Throws: The error of the request.
    func account() async throws(BrowseError) -> String?

    /// Returns the current grant after a refusal; `nil` returns the 401 to the caller.
    ///
    /// By default, it's the current one, if that has another token. The request is sent again with
    /// the current grant, and occupies none of the slots for requests in flight meanwhile.
    ///
    /// - Parameters:
    ///   - refused: The grant of the request.
    ///   - refusals: The number of times that the request was refused with this token, at least 1.
    func grant(afterRefusalOf refused: AccessGrant, refusals: Int) async throws(BrowseError) -> AccessGrant?
}

extension AccessTokens {
    /// Returns the account of the current grant.
    public func account() async throws(BrowseError) -> String? { try await currentGrant()?.account }

    /// Returns the current grant if it has another token.
    public func grant(afterRefusalOf refused: AccessGrant, refusals: Int) async throws(BrowseError) -> AccessGrant? {
        let grant = try await currentGrant()
        return grant?.token == refused.token ? nil : grant
    }
}

extension AccessGrant: AccessTokens {
    /// Returns the grant itself, for a token of the app, which never changes.
    public func currentGrant() async throws(BrowseError) -> AccessGrant? { modified(self) { $0.isConfigured = true } }
}

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
