/// Stores the credentials of the session, and refreshes the token before it expires.
///
/// Use `StoredTokenRepository` of BrowseData, which also supplies the token to requests, or
/// `InMemoryTokenRepository` of BrowseCoreMocks in tests.
public protocol TokenRepository: Sendable {
    /// Returns the grant in use; the first call reads the stored credentials.
    ///
    /// - Throws: ``BrowseError``: `.storageFailed` if the stored credentials can't be read or used.
    ///   Then no grant is in use, and the next call reads again.
    func current() async throws(BrowseError) -> TokenGrant?

    /// Stores credentials, which replace the ones in use.
    ///
    /// - Throws: ``BrowseError``: `.storageFailed` if they couldn't be stored; then the grant in
    ///   use, if any, stays.
    func begin(with credentials: Credentials) async throws(BrowseError) -> TokenGrant

    /// Stores the user that a grant belongs to; does nothing if the grant isn't in use.
    func identify(_ grant: TokenGrant.ID, as user: StoredUser) async

    /// Ends the grant in use, and deletes its credentials.
    ///
    /// - Throws: ``BrowseError``: `.storageFailed` if they couldn't be deleted; the grant has ended
    ///   anyway.
    func end() async throws(BrowseError)

    /// Revokes credentials at the server, if the configuration allows it.
    func revoke(_ credentials: Credentials) async throws(BrowseError)

    /// The changes from now on that no caller requested.
    var events: AsyncStream<TokenEvent> { get }
}
