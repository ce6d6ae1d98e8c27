@_spi(Services) public import BrowseDomain

/// The token that signs in an account, together with the account's identifier.
///
/// Both are in one value, so that a response is never cached for another account than that of the token.
public struct AccessGrant: Hashable, Sendable, Identifiable {
    /// The identifier of the session, which a newer token of the same session preserves.
    ///
    /// If the session of a read ends before the response arrives, the read is repeated with the current session. With a new
    /// identifier at each call of ``AccessTokens/currentGrant()``, reads fail with `.unauthorized`.
    public let id: String
    /// A nonsecret identifier of the account, such as a user ID; responses aren't cached if it's empty.
    ///
    /// When the account signs out, erase its responses with ``ResponseCache/removeAll(of:at:)``, as ``StoredTokenRepository`` does.
    public let account: String
    /// The value of the token field, without a scheme such as `Bearer`.
    public let token: Secret
    /// Whether the app was configured with the token, so that signing in doesn't help if it's refused.
    var isConfigured = false

    /// Creates a grant.
    ///
    /// - Parameters:
    ///   - id: The session; `nil` if the account has only one.
    ///   - account: The account.
    ///   - token: The token.
    public init(id: String? = nil, account: String, token: Secret) {
        self.id = id ?? account
        self.account = account
        self.token = token
    }
}

/// Provides the tokens for requests to a service.
///
/// A provider needs only ``currentGrant()``. Its requests go to the origin of the service's base URL, over https or on this
/// device, and are sent again after a 401 if there is another token.
public protocol AccessTokens: Sendable {
    /// Returns the grant for the next request; `nil` sends it without a token.
    ///
    /// It's called when a request starts; again before it's sent, if the grant has an account, since the request can wait in
    /// between; and by default after each read. Refresh a token with another client, such as the container's `plainClient(of:)`:
    /// the request that waits for the refresh can be one of the few that this client sends at once.
    ///
    /// - Throws: The error of the request, such as `.unauthorized` if the token can't be refreshed.
    func currentGrant() async throws(BrowseError) -> AccessGrant?

    /// Returns the grant with which a refused request is sent again; `nil` returns the 401 to the caller.
    ///
    /// By default, it's the current one, if that has another token of the same session and the request is refused for the first
    /// time.
    ///
    /// - Parameters:
    ///   - refused: The grant of the request.
    ///   - isRetry: Whether the request was refused before.
    func grant(afterRefusalOf refused: AccessGrant, isRetry: Bool) async throws(BrowseError) -> AccessGrant?

    /// Returns whether a session hasn't ended, so that responses to its reads may be returned.
    ///
    /// By default, it's the session of the current grant, or the provider fails.
    func isInUse(_ id: AccessGrant.ID) async -> Bool

    /// Returns the account whose cached responses may be returned offline.
    ///
    /// By default, it's that of the current grant.
    func offlineAccount() async -> String?
}

extension AccessTokens {
    /// Returns the current grant if it has another token.
    public func grant(afterRefusalOf refused: AccessGrant, isRetry: Bool) async throws(BrowseError) -> AccessGrant? {
        guard !isRetry, let grant = try await currentGrant(), grant.id == refused.id, grant.token != refused.token
        else { return nil }
        return grant
    }

    /// Returns whether the current grant is of the session.
    public func isInUse(_ id: AccessGrant.ID) async -> Bool {
        do throws(BrowseError) { return try await currentGrant()?.id == id } catch { return true }
    }

    /// Returns the account of the current grant.
    public func offlineAccount() async -> String? { (try? await currentGrant())?.account }
}

extension AccessGrant: AccessTokens {
    /// Returns the grant itself, for a token that never changes.
    public func currentGrant() async throws(BrowseError) -> AccessGrant? { self }
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
