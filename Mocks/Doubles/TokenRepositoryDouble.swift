public import BrowseDomain
public import BrowseGitHubDomain

/// A token repository whose results a test sets as closures; see ``RepositoryDouble``.
///
/// ``init(over:)`` with an ``InMemoryTokenRepository`` replaces single calls:
///
/// ```swift
/// let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "session"))
/// var tokens = TokenRepositoryDouble(over: InMemoryTokenRepository())
/// tokens.onEnd = { () throws(BrowseError) in throw full }
/// ```
public struct TokenRepositoryDouble: GitHub.TokenRepository, RepositoryDouble {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A read of the grant in use.
        case current
        /// A write of credentials.
        case begin(GitHub.Credentials)
        /// The end of the grant in use.
        case end
        /// A revocation.
        case revoke(GitHub.Credentials)
    }

    /// Performs ``current()``.
    public var onCurrent: @Sendable () async throws(BrowseError) -> GitHub.Grant?
    /// Performs ``begin(with:)``.
    public var onBegin: @Sendable (GitHub.Credentials) async throws(BrowseError) -> GitHub.Grant
    /// Receives ``identify(_:as:)``; does nothing by default.
    public var onIdentify: @Sendable (GitHub.Grant.ID, GitHub.User) async -> Void = { _, _ in }
    /// Performs ``end()``.
    public var onEnd: @Sendable () async throws(BrowseError) -> Void
    /// Performs ``revoke(_:)``.
    public var onRevoke: @Sendable (GitHub.Credentials) async throws(BrowseError) -> Void
    /// Performs ``events``; reports nothing by default.
    public var onEvents: @Sendable () -> AsyncStream<GitHub.TokenEvent> = { .silent }

    /// Creates a double whose calls throw.
    public init(throwing error: DoubleFailure) {
        onCurrent = { () throws(BrowseError) in throw await error("onCurrent", 0) }
        onBegin = { _ throws(BrowseError) in throw await error("onBegin", 1) }
        onEnd = { () throws(BrowseError) in throw await error("onEnd", 0) }
        onRevoke = { _ throws(BrowseError) in throw await error("onRevoke", 1) }
    }

    /// Creates a double that forwards calls.
    public init(over repository: any GitHub.TokenRepository) {
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
    public static func controlled(by responses: ControlledResponses<Request, GitHub.Grant?>) -> Self {
        var double = Self()
        double.onCurrent = { () throws(BrowseError) in try await responses.response(to: .current) }
        double.onBegin = { credentials throws(BrowseError) in
            try await responses.response(to: .begin(credentials))
                ?? GitHub.Grant(id: GitHub.Grant.ID(rawValue: 1), credentials: credentials)
        }
        double.onEnd = { () throws(BrowseError) in _ = try await responses.response(to: .end) }
        double.onRevoke = { credentials throws(BrowseError) in
            _ = try await responses.response(to: .revoke(credentials))
        }
        return double
    }

    /// Calls ``onCurrent``.
    public func current() async throws(BrowseError) -> GitHub.Grant? { try await onCurrent() }

    /// Calls ``onBegin``.
    public func begin(with credentials: GitHub.Credentials) async throws(BrowseError) -> GitHub.Grant {
        try await onBegin(credentials)
    }

    /// Calls ``onIdentify``.
    public func identify(_ grant: GitHub.Grant.ID, as user: GitHub.User) async { await onIdentify(grant, user) }

    /// Calls ``onEnd``.
    public func end() async throws(BrowseError) { try await onEnd() }

    /// Calls ``onRevoke``.
    public func revoke(_ credentials: GitHub.Credentials) async throws(BrowseError) { try await onRevoke(credentials) }

    /// Calls ``onEvents``.
    public var events: AsyncStream<GitHub.TokenEvent> { onEvents() }
}
