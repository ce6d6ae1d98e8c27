public import BrowseDomain
import Foundation

/// What GitHub still allows: what its responses told, and what `GET /rate_limit` tells.
public struct RemoteRateLimitStatusRepository: RateLimitStatusRepository {
    private let client: HTTPClient
    private let gate: RateLimitGate

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - client: A client of ``HTTPClient/Service/gitHub(baseURL:userAgent:now:)`` whose middleware has the gate.
    ///   - gate: What learns from responses.
    public init(client: HTTPClient, gate: RateLimitGate) {
        self.client = client
        self.gate = gate
    }

    /// What is known from the responses so far, by bucket.
    public var statuses: [RateLimitStatus] { gate.statuses }

    /// What is known, now and after each response that changes it.
    public var changes: AsyncStream<[RateLimitStatus]> { gate.changes }

    /// Asks GitHub, which costs nothing of the budgets.
    public func refresh() async throws(BrowseError) -> [RateLimitStatus] {
        let report = try await client.send(.rateBudgets)
        gate.learn(report.budgets, serverDate: report.serverDate)
        return gate.statuses
    }
}

/// What `GET /rate_limit` reports; its times are by the server's clock.
struct RateLimitReport: Sendable {
    let budgets: [RateLimitStatus]
    /// The time by the server's clock; `nil` when the response has none.
    let serverDate: Date?
}

extension Endpoint<RateLimitReport> {
    /// `GET /rate_limit`.
    static var rateBudgets: Self {
        Endpoint(.path("/rate_limit"), headers: ["Cache-Control": "no-store"], bucket: nil) { response in
            let budgets = try response.json(RateLimitDTO.self, using: GitHubCoding.decoder).resources
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
            return RateLimitReport(budgets: budgets, serverDate: response.headers["Date"].flatMap(HTTPDate.date))
        }
    }
}

/// The response of `GET /rate_limit`; its top-level `rate` is the same as `core`, and going away.
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
