/// Provides the rate limits of a service.
public protocol RateLimitStatusRepository: Sendable {
    /// The statuses known from responses, by bucket; sends no request.
    var statuses: [RateLimitStatus] { get async }

    /// The current statuses, and those after each change; a slow consumer gets the newest.
    var changes: AsyncStream<[RateLimitStatus]> { get }

    /// Requests the statuses from the service.
    ///
    /// - Throws: Any case of ``BrowseError``.
    func refresh() async throws(BrowseError) -> [RateLimitStatus]
}
