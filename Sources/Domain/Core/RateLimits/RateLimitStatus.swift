public import Foundation

/// The number of requests that a service still accepts from an account.
public struct RateLimitStatus: Hashable, Sendable, Identifiable {
    /// The bucket that a service counts most requests in.
    public static let core: String = "core"
    /// The bucket that some services count searches in.
    public static let search: String = "search"

    /// The service's name for requests that share a limit, such as `core` or `search`.
    public var bucket: String
    /// The maximum number of requests until the reset; negative numbers become 0.
    public let limit: Int
    /// The remaining number of requests; negative numbers become 0.
    public package(set) var remaining: Int
    /// The time at which ``remaining`` is reset to ``limit``.
    public var resetsAt: Date
    /// The end of a pause, in which requests fail even if some remain; `nil` without one.
    public var pausedUntil: Date?

    /// The bucket, of which an account has one status.
    public var id: String { bucket }

    /// Creates a status.
    public init(bucket: String, limit: Int, remaining: Int, resetsAt: Date, pausedUntil: Date? = nil) {
        self.bucket = bucket
        self.limit = max(0, limit)
        self.remaining = max(0, remaining)
        self.resetsAt = resetsAt
        self.pausedUntil = pausedUntil
    }
}
