public import Foundation

/// The number of requests that a service still accepts from an account.
public struct RateLimitStatus: Hashable, Sendable, Identifiable {
    /// The bucket that a service counts most requests in.
    public static let core: String = "core"
    /// The bucket that GitHub counts searches in.
    public static let search: String = "search"

    /// The service's name for requests that share a limit, such as `core` or `search`.
    public var bucket: String
    /// The maximum number of requests until the reset.
    public var limit: Int
    /// The remaining number of requests, 0 or more.
    public var remaining: Int
    /// When the count starts again.
    public var resetsAt: Date
    /// The end of a pause that the service requested, even if requests remain.
    public var pausedUntil: Date?

    /// The bucket.
    public var id: String { bucket }

    /// Creates a status; negative numbers become 0.
    public init(bucket: String, limit: Int, remaining: Int, resetsAt: Date, pausedUntil: Date? = nil) {
        self.bucket = bucket
        self.limit = max(0, limit)
        self.remaining = max(0, remaining)
        self.resetsAt = resetsAt
        self.pausedUntil = pausedUntil
    }
}

/// Provides the rate limits of a service.
public protocol RateLimitStatusRepository: Sendable {
    /// The statuses known from responses, by bucket; sends no request.
    var statuses: [RateLimitStatus] { get }

    /// The current statuses, and those after each change; a slow consumer gets the newest.
    var changes: AsyncStream<[RateLimitStatus]> { get }

    /// Requests the statuses from the service, which doesn't count against the limits.
    ///
    /// - Throws: Any case of ``BrowseError``.
    func refresh() async throws(BrowseError) -> [RateLimitStatus]
}
