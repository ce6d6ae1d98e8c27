public import Foundation

/// How many requests a service still takes from an account.
public struct RateLimitStatus: Hashable, Sendable, Identifiable {
    /// The bucket that a service counts most requests in.
    public static let core: String = "core"
    /// The bucket that GitHub counts searches in.
    public static let search: String = "search"

    /// The service's name for what is counted together, such as `core` or `search`.
    public var bucket: String
    /// The most requests until the count begins again.
    public var limit: Int
    /// How many of them are left, 0 or more.
    public var remaining: Int
    /// When the count begins again.
    public var resetsAt: Date
    /// Until when nothing is sent although something may be left: the service has asked to slow down.
    public var pausedUntil: Date?

    /// The bucket.
    public var id: String { bucket }

    /// Creates a budget; numbers below 0 are raised to that.
    public init(bucket: String, limit: Int, remaining: Int, resetsAt: Date, pausedUntil: Date? = nil) {
        self.bucket = bucket
        self.limit = max(0, limit)
        self.remaining = max(0, remaining)
        self.resetsAt = resetsAt
        self.pausedUntil = pausedUntil
    }
}

/// Knows what a service still allows.
public protocol RateLimitStatusRepository: Sendable {
    /// What is known from the responses so far, by bucket; nothing is asked for.
    var statuses: [RateLimitStatus] { get }

    /// What is known, now and after each response that changes it; a slow listener gets the newest.
    var changes: AsyncStream<[RateLimitStatus]> { get }

    /// Asks the service, which costs nothing of the budgets.
    ///
    /// - Throws: Any case of ``BrowseError``.
    func refresh() async throws(BrowseError) -> [RateLimitStatus]
}
