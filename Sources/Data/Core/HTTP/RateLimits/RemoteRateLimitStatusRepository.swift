public import BrowseDomain
import Foundation

/// The rate limits of an account, from response headers and an endpoint that reports them.
///
/// The limits are those of the account that sent the client's last request.
public struct RemoteRateLimitStatusRepository: RateLimitStatusRepository {
    private let client: HTTPClient
    private let report: Endpoint<RateLimitReport>

    /// Creates a repository; without a ``RateLimitGate`` in the client's middleware, ``statuses`` is empty.
    ///
    /// - Parameters:
    ///   - client: The client of the service.
    ///   - report: Requests the status of all buckets. It shouldn't count toward a limit, so its bucket is `nil`.
    public init(client: HTTPClient, report: Endpoint<RateLimitReport>) {
        self.client = client
        self.report = report
    }

    /// The status of each bucket, as of the latest responses.
    public var statuses: [RateLimitStatus] { client.rateLimits?.statuses ?? [] }

    /// The current status of all buckets, and again after each change of a status or of the account.
    public var changes: AsyncStream<[RateLimitStatus]> { client.rateLimits?.changes ?? AsyncStream { $0.finish() } }

    /// Requests the status of all buckets.
    ///
    /// The result belongs to the account that sent this request.
    public func refresh() async throws(BrowseError) -> [RateLimitStatus] {
        let report = try await client.send(report)
        guard let gate = client.rateLimits?.gate, let receipt = report.receipt else { return report.statuses }
        gate.update(from: report, receipt)
        return gate.statuses(of: receipt.account)
    }
}

/// A service's report of its rate limits; times are by the server's clock.
public struct RateLimitReport: Sendable {
    let statuses: [RateLimitStatus]
    /// The server's time; `nil` if the response has no `Date`.
    let serverDate: Date?
    /// The request, for the gate; `nil` if it passed none.
    let receipt: RateLimitReceipt?

    /// Creates a report from the decoded status of each bucket.
    ///
    /// - Parameters:
    ///   - statuses: The buckets in any order, with the names that response headers use. Resets are clamped to the years 1970
    ///     through 9999.
    ///   - response: The response that contains them.
    public init(_ statuses: [RateLimitStatus], in response: HTTPResponse) {
        self.statuses = statuses.sorted { $0.bucket < $1.bucket }.map { status in
            var status = status
            status.resetsAt = RetryAfter.serverDate(status.resetsAt.timeIntervalSince1970)
            return status
        }
        serverDate = response.headers["Date"].flatMap(HTTPDate.date)
        receipt = response.gateReceipt
    }
}
