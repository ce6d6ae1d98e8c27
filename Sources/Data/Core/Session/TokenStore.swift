public import BrowseDomain

/// Persistent storage for credentials.
///
/// A container uses the Keychain on Apple platforms, and a ``FileTokenStore`` elsewhere. Choose
/// ``InMemoryTokenStore`` for tests, or for a token that isn't stored. All methods throw
/// `BrowseError.storageFailed`, with the reason `.unavailable` if a remote store doesn't respond.
///
/// A store on another machine encodes credentials with ``CredentialsCoder``.
public protocol TokenStore: Sendable {
    /// Reads the stored credentials; `nil` if there are none.
    ///
    /// - Throws: `.storageFailed` with the reason `.exposed` if others can read them, `.damaged` if
    ///   they can't be decoded, `.newerVersion`, or `.locked` if the device must be unlocked first,
    ///   which is never reported as `nil`.
    func load() async throws(BrowseError) -> Credentials?

    /// Reads and changes the stored credentials atomically.
    ///
    /// After a crash, the store has either the old or the new credentials.
    ///
    /// - Parameter change: Takes the result of ``load()`` and returns the change. Called again
    ///   whenever the credentials have changed before the result could be stored; only the last
    ///   result counts. Not called if the stored credentials can be neither read nor replaced.
    func update(_ change: @escaping TokenUpdate) async throws(BrowseError)

    /// Takes the lock that ``StoredTokenRepository`` holds while it refreshes a token, without
    /// waiting.
    ///
    /// A server may accept a refresh token only once, so all processes and repositories that share
    /// the credentials must share the lock. ``load()`` and ``update(_:)`` ignore it, so that
    /// signing out is possible during a refresh. The default implementation, for a single
    /// repository, locks nothing.
    ///
    /// A remote store's lock is a lease, which the store renews while the lock is held, and
    /// releases when it is lost. The lease must be longer than a refresh takes. A refresh replaces
    /// only the token that it has read, or one that can't be read, so a holder that was suspended
    /// for longer than its lease can't overwrite a newer token. A lock that is held for longer can
    /// mean that the new token couldn't be stored; ``changes`` must then report when it can be.
    ///
    /// - Returns: `nil` if the lock is held elsewhere.
    func refreshLock() async throws(BrowseError) -> RefreshLock?

    /// Reports that the credentials may have changed, here or elsewhere, or are readable again.
    ///
    /// The default implementation reports nothing. Changes by other processes are then found before
    /// a refresh, after a refusal, and when the session is read again.
    var changes: AsyncStream<Void> { get }
}

extension TokenStore {
    /// Returns a lock that has no effect.
    public func refreshLock() async throws(BrowseError) -> RefreshLock? { RefreshLock {} }

    /// A stream that ends without a report.
    public var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }

    /// Stores credentials in place of the current ones.
    public func save(_ credentials: Credentials) async throws(BrowseError) {
        try await update { _ in .store(credentials) }
    }

    /// Deletes the stored credentials, if any.
    public func delete() async throws(BrowseError) { try await update { _ in .delete } }
}
