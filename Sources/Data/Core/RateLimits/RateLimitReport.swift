public import BrowseDomain
import Foundation

/// A service's report of its rate limits, in a body or in header fields.
///
/// Times are by the server's clock.
public struct RateLimitReport: Sendable {
    let statuses: [RateLimitStatus]
    /// The server's time; `nil` if the response has no `Date`.
    let serverDate: Date?
    /// Whether the response is the copy of a shared cache.
    let isCopy: Bool

    /// Creates a report from the decoded status of each bucket.
    ///
    /// - Parameters:
    ///   - statuses: The buckets in any order, with the names that response headers use. Resets are
    ///     clamped to the years 1970 through 9999.
    ///   - response: The response that contains them.
    public init(_ statuses: [RateLimitStatus], in response: HTTPClient.Response) {
        self.statuses = statuses.sorted { $0.bucket < $1.bucket }.map { status in
            modified(status) { $0.resetsAt = RetryAfter.serverDate($0.resetsAt.timeIntervalSince1970) }
        }
        isCopy = RetryAfter.age(response.headers) > 0
        serverDate = response.headers["Date"].flatMap(HTTPDate.date)
    }

    /// Creates a report from `X-RateLimit-…` fields; `nil` if one is missing or invalid.
    ///
    /// Some services leave out the `X-`, or write `Rate-Limit`.
    ///
    /// Source: GitHub's "Rate limits for the REST API".
    init?(of bucket: String, inHeadersOf response: HTTPClient.Response, at now: Date) {
        let headers = response.headers
        guard let limit = RetryAfter.field("Limit", in: headers).flatMap({ Int($0) }), limit >= 0,
            let remaining = RetryAfter.field("Remaining", in: headers).flatMap({ Int($0) }), remaining >= 0,
            let localReset = RetryAfter.resetDate(headers, now: now)
        else { return nil }
        let reset = localReset - RetryAfter.skew(headers, now: now)
        self.init([RateLimitStatus(bucket: bucket, limit: limit, remaining: remaining, resetsAt: reset)], in: response)
    }
}
