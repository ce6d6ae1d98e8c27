public import BrowseDomain

extension HTTPClient.SharedMiddleware {
    /// Returns the rate limits of an account, from response headers and an endpoint that reports
    /// them.
    ///
    /// - Parameters:
    ///   - client: The client of the service, which uses this middleware.
    ///   - tokens: The tokens of the client, which name its account; `nil` is the anonymous
    ///     account.
    ///   - report: Requests the status of all buckets. It shouldn't count toward a limit, so its
    ///     bucket is `nil`.
    public func rateLimits(
        of client: HTTPClient,
        tokens: (any AccessTokens)? = nil,
        report: Endpoint<RateLimitReport>
    ) -> any RateLimitStatusRepository {
        RemoteRateLimitStatusRepository(client: client, gate: rateLimits, tokens: tokens, report: report)
    }
}

/// The rate limits of an account, of which a gate can have several.
struct RemoteRateLimitStatusRepository: RateLimitStatusRepository {
    let client: HTTPClient
    let gate: RateLimitGate
    var tokens: (any AccessTokens)?
    let report: Endpoint<RateLimitReport>

    var statuses: [RateLimitStatus] {
        get async { gate.statuses(of: try? await tokens?.account()) }
    }

    var changes: AsyncStream<[RateLimitStatus]> {
        let responses = gate.changes.stream(.bufferingNewest(1))
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { listener in
            let task = Task {
                var last: [RateLimitStatus]?
                for await _ in responses {
                    let statuses = await statuses
                    // A response can belong to another account.
                    if statuses != last { listener.yield(statuses) }
                    last = statuses
                }
                listener.finish()
            }
            listener.onTermination = { _ in task.cancel() }
        }
    }

    func refresh() async throws(BrowseError) -> [RateLimitStatus] {
        let account = try? await tokens?.account()
        let sent = gate.beginRequest()
        let report = try await client.send(report)
        // The account that sent the request is unknown if it changed meanwhile.
        guard (try? await tokens?.account()) == account else { return report.statuses }
        gate.update(from: report, of: account, sent: sent)
        return gate.statuses(of: account)
    }
}
