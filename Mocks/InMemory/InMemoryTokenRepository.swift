public import BrowseDomain

/// A token that is kept as long as the value lives, and that a test can take away.
public actor InMemoryTokenRepository: GitHub.TokenRepository {
    private var grant: GitHub.Grant?
    private var grantCount = 0
    private nonisolated let broadcast = Broadcast<GitHub.TokenEvent>()
    /// What GitHub was asked to take back, in order.
    public private(set) var revoked: [GitHub.Credentials] = []

    /// Creates a repository.
    ///
    /// - Parameter credentials: What is in use from the beginning, as if it had been stored before.
    public init(_ credentials: GitHub.Credentials? = nil) {
        guard let credentials else { return }
        grantCount = 1
        grant = GitHub.Grant(id: GitHub.Grant.ID(rawValue: 1), credentials: credentials)
    }

    /// What is in use.
    public func current() async throws(BrowseError) -> GitHub.Grant? { grant }

    /// Puts credentials in use.
    public func begin(with credentials: GitHub.Credentials) async throws(BrowseError) -> GitHub.Grant {
        grantCount += 1
        let grant = GitHub.Grant(id: GitHub.Grant.ID(rawValue: grantCount), credentials: credentials)
        self.grant = grant
        return grant
    }

    /// Notes whose the credentials are.
    public func identify(_ id: GitHub.Grant.ID, as user: GitHub.User) async {
        guard grant?.id == id else { return }
        grant?.credentials.user = user
    }

    /// Puts what is in use out of use.
    public func end() async throws(BrowseError) {
        grant = nil
    }

    /// Notes what is to be taken back in ``revoked``.
    public func revoke(_ credentials: GitHub.Credentials) async throws(BrowseError) {
        revoked.append(credentials)
    }

    /// An event for each grant that ``endByGitHub()`` ended.
    public nonisolated var events: AsyncStream<GitHub.TokenEvent> { broadcast.stream() }

    /// Ends what is in use as if GitHub had refused it.
    public func endByGitHub() {
        guard let ended = grant?.id else { return }
        grant = nil
        broadcast.send(.revoked(ended))
    }
}
