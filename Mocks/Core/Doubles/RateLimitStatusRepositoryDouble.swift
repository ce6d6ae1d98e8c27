public import BrowseDomain

/// A repository of rate limits whose results a test sets as closures; see ``RepositoryDouble``.
public struct RateLimitStatusRepositoryDouble: RateLimitStatusRepository, RepositoryDouble {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A request for the current statuses.
        case refresh
    }

    /// Performs ``statuses``; none are known by default.
    public var onStatuses: @Sendable () async -> [RateLimitStatus] = { [] }
    /// Performs ``changes``; reports nothing by default.
    public var onChanges: @Sendable () -> AsyncStream<[RateLimitStatus]> = { .silent }
    /// Performs ``refresh()``.
    public var onRefresh: @Sendable () async throws(BrowseError) -> [RateLimitStatus]

    /// Creates a double whose refreshes throw.
    public init(throwing error: DoubleFailure) {
        onRefresh = { () throws(BrowseError) in throw await error("onRefresh", 0) }
    }

    /// Creates a double.
    public init(onRefresh: @escaping @Sendable () async throws(BrowseError) -> [RateLimitStatus]) {
        self.onRefresh = onRefresh
    }

    /// Creates a double that forwards calls.
    public init(over repository: any RateLimitStatusRepository) {
        onStatuses = { await repository.statuses }
        onChanges = { repository.changes }
        onRefresh = { () throws(BrowseError) in try await repository.refresh() }
    }

    /// Returns a double whose refreshes suspend until a test responds.
    public static func controlled(by responses: ControlledResponses<Request, [RateLimitStatus]>) -> Self {
        Self(onRefresh: { () throws(BrowseError) in try await responses.response(to: .refresh) })
    }

    /// Calls ``onStatuses``.
    public var statuses: [RateLimitStatus] {
        get async { await onStatuses() }
    }

    /// Calls ``onChanges``.
    public var changes: AsyncStream<[RateLimitStatus]> { onChanges() }

    /// Calls ``onRefresh``.
    public func refresh() async throws(BrowseError) -> [RateLimitStatus] { try await onRefresh() }
}
