public import BrowseDomain
public import BrowseGitHubDomain

/// An in-memory token repository; tests can reject its token as GitHub does.
public actor InMemoryTokenRepository: GitHub.TokenRepository {
    private var grant: GitHub.Grant?
    private var grantCount = 0
    private nonisolated let broadcast = Broadcast<GitHub.TokenEvent>()
    /// The credentials passed to ``revoke(_:)``, in order.
    public private(set) var revokedCredentials: [GitHub.Credentials] = []

    /// Creates a repository.
    ///
    /// - Parameter credentials: The initial credentials.
    public init(_ credentials: GitHub.Credentials? = nil) {
        guard let credentials else { return }
        grantCount = 1
        grant = GitHub.Grant(id: GitHub.Grant.ID(rawValue: 1), credentials: credentials)
    }

    /// Returns the current grant.
    public func current() async throws(BrowseError) -> GitHub.Grant? { grant }

    /// Replaces the current grant with a new one.
    public func begin(with credentials: GitHub.Credentials) async throws(BrowseError) -> GitHub.Grant {
        grantCount += 1
        let grant = GitHub.Grant(id: GitHub.Grant.ID(rawValue: grantCount), credentials: credentials)
        self.grant = grant
        return grant
    }

    /// Stores the account of a grant; does nothing if the grant isn't current.
    public func identify(_ id: GitHub.Grant.ID, as user: GitHub.User) async {
        guard grant?.id == id else { return }
        grant?.credentials.user = user
    }

    /// Removes the current grant.
    public func end() async throws(BrowseError) {
        grant = nil
    }

    /// Records credentials as revoked; the current grant stays, until ``rejectToken()``.
    public func revoke(_ credentials: GitHub.Credentials) async throws(BrowseError) {
        revokedCredentials.append(credentials)
    }

    /// An event for each grant that ``rejectToken()`` ends.
    public nonisolated var events: AsyncStream<GitHub.TokenEvent> { broadcast.stream() }

    /// Ends the current grant, as if GitHub had rejected the token.
    public func rejectToken() {
        guard let ended = grant?.id else { return }
        grant = nil
        broadcast.send(.revoked(ended))
    }
}
