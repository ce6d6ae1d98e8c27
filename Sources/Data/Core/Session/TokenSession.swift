import BrowseDomain

/// The grant in use, with the state that ends with it.
struct TokenSession: Sendable {
    /// Refreshed credentials that couldn't be stored.
    struct Unsaved: Sendable {
        /// The token that the store still has, whose refresh token is used up.
        let storedToken: AccessToken
        /// Keeps other processes from refreshing the token that the store has.
        let lock: RefreshLock?
    }

    private(set) var grant: TokenGrant
    var unsaved: Unsaved?
    /// The token of the last refresh by this process.
    var refreshedToken: AccessToken?
    /// The last refreshed or refused token that the service accepted.
    var acceptedToken: AccessToken?
    /// The last refusal, which may be that of an older token; see ``currentRefusal``.
    var refusal: Refusal?
    /// The delay after a failed refresh.
    var backOff: BackOff?
    /// The account key of the grant before its user was known, which requests in the queues may have.
    private(set) var formerAccount: String?

    init(_ grant: TokenGrant) {
        self.grant = grant
    }

    /// The refusal of the token in use.
    var currentRefusal: Refusal? { refusal.flatMap { $0.token == grant.credentials.token ? $0 : nil } }

    /// Replaces the credentials of the grant, and returns it.
    @discardableResult
    mutating func use(_ credentials: Credentials) -> TokenGrant {
        let account = grant.credentials.account
        if credentials.account != account { formerAccount = account }
        grant.credentials = credentials
        return grant
    }
}
