public import BrowseDomain

/// An in-memory token repository; tests can reject its token as a service does.
public actor InMemoryTokenRepository: TokenRepository {
    /// A call.
    public enum Call: Hashable, Sendable {
        /// A read of the grant in use.
        case current
        /// A write of credentials.
        case begin(Credentials)
        /// The end of the grant in use.
        case end
        /// A revocation.
        case revoke(Credentials)
    }

    private var grant: TokenGrant?
    private var grantCount = 0
    private nonisolated let broadcast = Broadcast<TokenEvent>()
    private let onCall: CallHook<Call, TokenGrant>?
    /// The credentials passed to ``revoke(_:)``, in order.
    public private(set) var revokedCredentials: [Credentials] = []

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - credentials: The initial credentials.
    ///   - onCall: Runs before each call. Its answer replaces the current grant.
    public init(_ credentials: Credentials? = nil, onCall: CallHook<Call, TokenGrant>? = nil) {
        self.onCall = onCall
        guard let credentials else { return }
        grantCount = 1
        grant = TokenGrant(id: 1, credentials: credentials)
    }

    /// Returns the current grant.
    public func current() async throws(BrowseError) -> TokenGrant? {
        if let answer = try await onCall?(.current) { return answer }
        return grant
    }

    /// Replaces the current grant with a new one.
    public func begin(with credentials: Credentials) async throws(BrowseError) -> TokenGrant {
        _ = try await onCall?(.begin(credentials))
        grantCount += 1
        let grant = TokenGrant(id: grantCount, credentials: credentials)
        self.grant = grant
        return grant
    }

    /// Stores the account of a grant; does nothing if the grant isn't current.
    public func identify(_ id: TokenGrant.ID, as user: StoredUser) async {
        guard grant?.id == id else { return }
        grant?.credentials.user = user
    }

    /// Removes the current grant, also if `onCall` throws, as a store that can't delete it does.
    public func end() async throws(BrowseError) {
        let ended = grant?.id
        defer { if grant?.id == ended { grant = nil } }
        _ = try await onCall?(.end)
    }

    /// Records credentials as revoked; the current grant stays, until ``rejectToken()``.
    public func revoke(_ credentials: Credentials) async throws(BrowseError) {
        _ = try await onCall?(.revoke(credentials))
        revokedCredentials.append(credentials)
    }

    /// An event for each grant that ``rejectToken()`` ends.
    public nonisolated var events: AsyncStream<TokenEvent> { broadcast.stream() }

    /// Ends the current grant, as if the service had rejected the token.
    public func rejectToken() {
        guard let ended = grant?.id else { return }
        grant = nil
        broadcast.send(.ended(ended, .revoked))
    }
}
