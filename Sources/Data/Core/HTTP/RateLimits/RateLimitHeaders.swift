import BrowseDomain
import Foundation

/// The rate limit in a response's `X-RateLimit-…` headers.
///
/// Source: GitHub's "Rate limits for the REST API".
struct RateLimitHeaders: Sendable {
    var limit: Int
    var remaining: Int
    /// The time of the reset, by the server's clock.
    var reset: Date
    /// The seconds by which the local clock is ahead of the server's; negative if it's behind.
    var skew: TimeInterval

    /// Parses the headers; `nil` if one is missing or invalid.
    init?(_ headers: HTTPHeaders, now: Date) {
        guard let limit = headers["X-RateLimit-Limit"].flatMap({ Int($0) }), limit >= 0,
            let remaining = headers["X-RateLimit-Remaining"].flatMap({ Int($0) }), remaining >= 0,
            let reset = headers["X-RateLimit-Reset"].flatMap(RetryAfter.reset)
        else { return nil }
        (self.limit, self.remaining, self.reset) = (limit, remaining, reset)
        skew = RetryAfter.skew(headers, now: now)
    }

    /// Creates headers from a rate limit in a response body; `serverDate` is `nil` if unknown.
    init(_ status: RateLimitStatus, serverDate: Date?, now: Date) {
        (limit, remaining) = (status.limit, status.remaining)
        reset = RetryAfter.serverDate(status.resetsAt.timeIntervalSince1970)
        skew = RetryAfter.skew(serverDate, now: now)
    }

    /// The bucket in `X-RateLimit-Resource`; `nil` if it is missing, empty, or longer than 64 bytes.
    static func bucket(_ headers: HTTPHeaders) -> String? {
        headers["X-RateLimit-Resource"].flatMap { $0.isEmpty || $0.utf8.count > 64 ? nil : $0 }
    }
}
