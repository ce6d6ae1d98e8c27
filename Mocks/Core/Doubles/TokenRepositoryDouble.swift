public import BrowseDomain

/// A token repository whose results a test sets as closures; see ``RepositoryDouble``.
///
/// ``init(over:)`` with an ``InMemoryTokenRepository`` replaces single calls:
///
/// ```swift
/// let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "session"))
/// var tokens = TokenRepositoryDouble(over: InMemoryTokenRepository())
/// tokens.onEnd = { () throws(BrowseError) in throw full }
/// ```
public struct TokenRepositoryDouble: TokenRepository, RepositoryDouble {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A read of the grant in use.
        case current
        /// A write of credentials.
        case begin(Credentials)
        /// The end of the grant in use.
        case end
        /// A revocation.
        case revoke(Credentials)
    }

    /// Performs ``current()``.
    public var onCurrent: @Sendable () async throws(BrowseError) -> TokenGrant?
    /// Performs ``begin(with:)``.
    public var onBegin: @Sendable (Credentials) async throws(BrowseError) -> TokenGrant
    /// Receives ``identify(_:as:)``; does nothing by default.
    public var onIdentify: @Sendable (TokenGrant.ID, StoredUser) async -> Void = { _, _ in }
    /// Performs ``end()``.
    public var onEnd: @Sendable () async throws(BrowseError) -> Void
    /// Performs ``revoke(_:)``.
    public var onRevoke: @Sendable (Credentials) async throws(BrowseError) -> Void
    /// Performs ``events``; reports nothing by default.
    public var onEvents: @Sendable () -> AsyncStream<TokenEvent> = { .silent }

    /// Creates a double whose calls throw.
    public init(throwing error: DoubleFailure) {
        onCurrent = { () throws(BrowseError) in throw await error("onCurrent", 0) }
        onBegin = { _ throws(BrowseError) in throw await error("onBegin", 1) }
        onEnd = { () throws(BrowseError) in throw await error("onEnd", 0) }
        onRevoke = { _ throws(BrowseError) in throw await error("onRevoke", 1) }
    }

    /// Creates a double that forwards calls.
    public init(over repository: any TokenRepository) {
        onCurrent = { () throws(BrowseError) in try await repository.current() }
        onBegin = { credentials throws(BrowseError) in try await repository.begin(with: credentials) }
        onIdentify = { grant, user in await repository.identify(grant, as: user) }
        onEnd = { () throws(BrowseError) in try await repository.end() }
        onRevoke = { credentials throws(BrowseError) in try await repository.revoke(credentials) }
        onEvents = { repository.events }
    }

    /// Returns a double whose calls suspend until a test responds.
    ///
    /// The response to a write is the grant to use; `nil` is grant 1. Responses to `end` and `revoke` are ignored.
    public static func controlled(by responses: ControlledResponses<Request, TokenGrant?>) -> Self {
        var double = Self()
        double.onCurrent = { () throws(BrowseError) in try await responses.response(to: .current) }
        double.onBegin = { credentials throws(BrowseError) in
            try await responses.response(to: .begin(credentials))
                ?? TokenGrant(id: 1, credentials: credentials)
        }
        double.onEnd = { () throws(BrowseError) in _ = try await responses.response(to: .end) }
        double.onRevoke = { credentials throws(BrowseError) in
            _ = try await responses.response(to: .revoke(credentials))
        }
        return double
    }

    /// Calls ``onCurrent``.
    public func current() async throws(BrowseError) -> TokenGrant? { try await onCurrent() }

    /// Calls ``onBegin``.
    public func begin(with credentials: Credentials) async throws(BrowseError) -> TokenGrant {
        try await onBegin(credentials)
    }

    /// Calls ``onIdentify``.
    public func identify(_ grant: TokenGrant.ID, as user: StoredUser) async { await onIdentify(grant, user) }

    /// Calls ``onEnd``.
    public func end() async throws(BrowseError) { try await onEnd() }

    /// Calls ``onRevoke``.
    public func revoke(_ credentials: Credentials) async throws(BrowseError) { try await onRevoke(credentials) }

    /// Calls ``onEvents``.
    public var events: AsyncStream<TokenEvent> { onEvents() }
}
