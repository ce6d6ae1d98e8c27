import BrowseData
import BrowseGitHubData
import BrowseDomain
import Foundation
import Synchronization

/// The time of a request through the rate-limit gate, with few and with many accounts.
enum AccountBenchmarks {
    static let all = [Benchmark(name: "gate-accounts", rounds: 5, body: accounts)]

    private static let count = 20_000

    /// The last of 20,000 requests, each of another account with known limits, compared with the first.
    @concurrent
    private static func accounts(_ run: Run) async throws -> [Comparison] {
        guard let url = URL(string: "https://api.github.com") else { return [] }
        var pairs: [Comparison.Pair] = []
        for _ in 0..<run.rounds {
            let service = HTTPClient.Service.gitHub(baseURL: url, userAgent: "BrowseKit-Benchmarks")
            let client = HTTPClient(
                service: service,
                transport: LimitedTransport(),
                middleware: [Visitors(), RateLimitGate(service: service)]
            )
            let endpoint = Endpoint(.path("/user")) { $0.status }
            var seconds: [Double] = []
            for _ in 0..<count {
                seconds.append(try await wallSeconds { keep(try await client.send(endpoint)) })
            }
            // The very first ones fill caches of the processor.
            pairs.append(
                Comparison.Pair(ours: Array(seconds.suffix(100)).median, bare: Array(seconds[100..<200]).median)
            )
        }
        return [
            Comparison(
                name: "gate-accounts: a request of the 20,000th account / of the 100th",
                quantity: .wall,
                bound: .ratio(1.5),
                pairs: pairs
            )
        ]
    }
}

/// Sends each request for another account.
private final class Visitors: HTTPMiddleware {
    private let count = Mutex(0)

    func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        let number = count.withLock { count in
            count += 1
            return count
        }
        var request = request
        request.account = "visitor-\(number)"
        return try await next(request)
    }
}

/// A transport whose responses have a rate limit that ends in an hour.
private struct LimitedTransport: HTTPTransport {
    private let reset = "\(Int(Date().timeIntervalSince1970) + 3600)"

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        let headers: HTTPHeaders = [
            "X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "4000", "X-RateLimit-Reset": reset,
            "X-RateLimit-Resource": "core",
        ]
        return HTTPResponse(status: 200, headers: headers, url: request.url)
    }
}
