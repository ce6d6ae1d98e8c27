import BrowseDomain
import Foundation

/// A rate limit as a service reports it, in `X-RateLimit-…` headers or in a body.
///
/// Source: GitHub's "Rate limits for the REST API".
struct RateLimitHeaders: Sendable {
    var limit: Int
    var remaining: Int
    /// The time of the reset by the server's clock, which identifies the period; at most a day from now.
    var reset: Date
    /// The time until the reset, 0 to a day.
    var wait: Duration

    /// Parses the headers of a response; `nil` if one is missing or invalid.
    init?(_ headers: HTTPHeaders, now: Date) {
        guard let limit = headers["X-RateLimit-Limit"].flatMap({ Int($0) }), limit >= 0,
            let remaining = headers["X-RateLimit-Remaining"].flatMap({ Int($0) }), remaining >= 0,
            let reset = headers["X-RateLimit-Reset"].flatMap(RetryAfter.reset)
        else { return nil }
        (self.limit, self.remaining) = (limit, remaining)
        (self.reset, wait) = Self.limited(reset, skew: RetryAfter.skew(headers, now: now), now: now)
    }

    /// Creates the rate limit in a body; `serverDate` is `nil` if unknown.
    init(_ status: RateLimitStatus, serverDate: Date?, now: Date) {
        (limit, remaining) = (status.limit, status.remaining)
        (reset, wait) = Self.limited(status.resetsAt, skew: RetryAfter.skew(serverDate, now: now), now: now)
    }

    private static func limited(_ reset: Date, skew: TimeInterval, now: Date) -> (Date, Duration) {
        (min(reset, now + RetryAfter.maxWait - skew), wait(until: reset + skew, now: now))
    }

    /// Returns the time until a local date, 0 to a day.
    ///
    /// A service can send any date: one in the past, one in another century, or one that isn't a number.
    static func wait(until date: Date, now: Date) -> Duration {
        .clampedSeconds(date.timeIntervalSince(now)).clamped(to: .zero...(.seconds(RetryAfter.maxWait)))
    }

    /// The bucket in `X-RateLimit-Resource`; `nil` if it is missing, empty, or longer than 64 bytes.
    static func bucket(_ headers: HTTPHeaders) -> String? {
        headers["X-RateLimit-Resource"].flatMap { $0.isEmpty || $0.utf8.count > 64 ? nil : $0 }
    }
}
