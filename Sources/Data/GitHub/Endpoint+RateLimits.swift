public import BrowseData
import BrowseDomain
import Foundation

extension Endpoint<RateLimitReport> {
    /// GitHub's `GET /rate_limit`, which doesn't count toward any limit.
    public static var gitHubRateLimits: Self {
        Endpoint(.path("/rate_limit"), headers: ["Cache-Control": "no-store"], bucket: nil) { response in
            let statuses = try response.json(RateLimitDTO.self).resources
                .compactMap { bucket, budget -> RateLimitStatus? in
                    guard let budget = budget.wrappedValue else { return nil }
                    return RateLimitStatus(
                        bucket: bucket,
                        limit: budget.limit,
                        remaining: budget.remaining,
                        resetsAt: Date(timeIntervalSince1970: budget.reset)
                    )
                }
            return RateLimitReport(statuses, in: response)
        }
    }
}

/// The body of `GET /rate_limit`; the top-level `rate` is deprecated and equals `core`.
private struct RateLimitDTO: Decodable {
    struct Budget: Decodable, Sendable {
        let limit: Int
        let remaining: Int
        let reset: TimeInterval
    }

    let resources: [String: Lenient<Budget>]
}
