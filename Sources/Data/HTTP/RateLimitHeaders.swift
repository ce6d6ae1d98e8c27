import BrowseDomain
import Foundation

/// The rate limit that a response reports in its `X-RateLimit-…` headers.
///
/// Source: GitHub's "Rate limits for the REST API".
struct RateLimitHeaders: Sendable {
    var limit: Int
    var remaining: Int
    /// When the count ends, by the server's clock.
    var reset: Date
    /// How far the clock here is ahead of the server's, in seconds; negative when it's behind.
    var skew: TimeInterval

    /// Reads the headers; `nil` when one is missing or makes no sense.
    init?(_ headers: HTTPHeaders, now: Date) {
        guard let limit = headers["X-RateLimit-Limit"].flatMap({ Int($0) }), limit >= 0,
            let remaining = headers["X-RateLimit-Remaining"].flatMap({ Int($0) }), remaining >= 0,
            let reset = headers["X-RateLimit-Reset"].flatMap(RetryAfter.reset)
        else { return nil }
        (self.limit, self.remaining, self.reset) = (limit, remaining, reset)
        skew = RetryAfter.skew(headers, now: now)
    }

    /// Takes a limit that the service reported in another way.
    ///
    /// - Parameter date: The time by the server's clock; `nil` when it isn't known.
    init(_ budget: RateLimitStatus, serverDate: Date?, now: Date) {
        (limit, remaining, reset) = (budget.limit, budget.remaining, budget.resetsAt)
        skew = RetryAfter.skew(serverDate, now: now)
    }

    /// The bucket that a response names; `nil` when it names none, or one that can't be real.
    static func bucket(_ headers: HTTPHeaders) -> String? {
        headers["X-RateLimit-Resource"].flatMap { $0.isEmpty || $0.utf8.count > 64 ? nil : $0 }
    }
}
