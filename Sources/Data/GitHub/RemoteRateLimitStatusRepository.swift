public import BrowseDomain
import Foundation

/// A repository of GitHub's rate limits, from response headers and `GET /rate_limit`.
///
/// The limits are those of the account that sent the client's last request.
public struct RemoteRateLimitStatusRepository: RateLimitStatusRepository {
    private let client: HTTPClient

    /// Creates a repository; without a ``RateLimitGate`` in the client's middleware, nothing is known.
    ///
    /// - Parameter client: A client of ``HTTPClient/Service/gitHub(baseURL:userAgent:now:)``.
    public init(client: HTTPClient) {
        self.client = client
    }

    /// The status of each bucket, as of the latest responses.
    public var statuses: [RateLimitStatus] { client.rateLimits?.statuses ?? [] }

    /// The current status of all buckets, and again after each change of a status or of the account.
    public var changes: AsyncStream<[RateLimitStatus]> { client.rateLimits?.changes ?? AsyncStream { $0.finish() } }

    /// Requests the status of all buckets from GitHub, which doesn't count toward any limit.
    ///
    /// The result belongs to the account that sent this request.
    public func refresh() async throws(BrowseError) -> [RateLimitStatus] {
        let report = try await client.send(.rateLimit)
        guard let gate = client.rateLimits?.gate, let receipt = report.receipt else { return report.statuses }
        gate.update(from: report, receipt)
        return gate.statuses(of: receipt.account)
    }
}

/// The response of `GET /rate_limit`; times are by the server's clock.
struct RateLimitReport: Sendable {
    let statuses: [RateLimitStatus]
    /// The server's time; `nil` if the response has no `Date`.
    let serverDate: Date?
    /// The request, for the gate; `nil` if it passed none.
    let receipt: RateLimitReceipt?
}

extension Endpoint<RateLimitReport> {
    static var rateLimit: Self {
        Endpoint(.path("/rate_limit"), headers: ["Cache-Control": "no-store"], bucket: nil) { response in
            let statuses = try response.json(RateLimitDTO.self, using: GitHubCoding.decoder).resources
                .compactMap { bucket, budget -> RateLimitStatus? in
                    guard let budget = budget.wrappedValue else { return nil }
                    return RateLimitStatus(
                        bucket: bucket,
                        limit: budget.limit,
                        remaining: budget.remaining,
                        resetsAt: RetryAfter.serverDate(budget.reset)
                    )
                }
                .sorted { $0.bucket < $1.bucket }
            return RateLimitReport(
                statuses: statuses,
                serverDate: response.headers["Date"].flatMap(HTTPDate.date),
                receipt: response.gateReceipt
            )
        }
    }
}

/// The body of `GET /rate_limit`; the top-level `rate` is deprecated and equals `core`.
private struct RateLimitDTO: Decodable {
    struct Budget: Decodable, Sendable {
        let limit: Int
        let remaining: Int
        let reset: TimeInterval

        private enum CodingKeys: String, CodingKey {
            case limit
            case remaining
            case reset
        }
    }

    let resources: [String: Lenient<Budget>]

    private enum CodingKeys: String, CodingKey {
        case resources
    }
}
