public import BrowseDomain

/// An in-memory token repository; tests can reject its token as GitHub does.
public actor InMemoryTokenRepository: GitHub.TokenRepository {
    private var grant: GitHub.Grant?
    private var grantCount = 0
    private nonisolated let broadcast = Broadcast<GitHub.TokenEvent>()
    /// The credentials passed to ``revoke(_:)``, in order.
    public private(set) var revoked: [GitHub.Credentials] = []

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

    /// Adds credentials to ``revoked``; the current grant stays.
    public func revoke(_ credentials: GitHub.Credentials) async throws(BrowseError) {
        revoked.append(credentials)
    }

    /// An event for each grant that ``endByGitHub()`` ends.
    public nonisolated var events: AsyncStream<GitHub.TokenEvent> { broadcast.stream() }

    /// Ends the current grant, as if GitHub had rejected the token.
    public func endByGitHub() {
        guard let ended = grant?.id else { return }
        grant = nil
        broadcast.send(.revoked(ended))
    }
}
