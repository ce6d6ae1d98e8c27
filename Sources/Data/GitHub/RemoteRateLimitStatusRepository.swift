public import BrowseDomain
import Foundation

/// A repository of GitHub's rate limits, from response headers and `GET /rate_limit`.
public struct RemoteRateLimitStatusRepository: RateLimitStatusRepository {
    private let client: HTTPClient
    private let gate: RateLimitGate

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - client: A client of ``HTTPClient/Service/gitHub(baseURL:userAgent:now:)`` whose middleware includes the gate.
    ///   - gate: The gate that reads the rate limit headers of responses.
    public init(client: HTTPClient, gate: RateLimitGate) {
        self.client = client
        self.gate = gate
    }

    /// The status of each bucket, as of the latest responses.
    public var statuses: [RateLimitStatus] { gate.statuses }

    /// The current status of all buckets, and again after each response that changes it.
    public var changes: AsyncStream<[RateLimitStatus]> { gate.changes }

    /// Requests the status of all buckets from GitHub, which doesn't count toward any limit.
    public func refresh() async throws(BrowseError) -> [RateLimitStatus] {
        let report = try await client.send(.rateLimit)
        gate.update(from: report.statuses, serverDate: report.serverDate)
        return gate.statuses
    }
}

/// The response of `GET /rate_limit`; times are by the server's clock.
struct RateLimitReport: Sendable {
    let statuses: [RateLimitStatus]
    /// The server's time; `nil` if the response has no `Date`.
    let serverDate: Date?
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
                        resetsAt: Date(timeIntervalSince1970: budget.reset)
                    )
                }
                .sorted { $0.bucket < $1.bucket }
            return RateLimitReport(statuses: statuses, serverDate: response.headers["Date"].flatMap(HTTPDate.date))
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
