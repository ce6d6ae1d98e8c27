import BrowseDomain
import BrowseMocks
import Foundation

@testable import BrowseData

/// What comes after a middleware: notes every request, and answers as a test says.
final class FakeWire: Sendable {
    typealias Answer = @Sendable (HTTPRequest, Int) async throws(BrowseError) -> HTTPResponse

    private let state = Monitor<[HTTPRequest]>([])
    private let answer: Answer

    /// - Parameter answer: Gets the request and how many came before it.
    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Answers with statuses in turn, the last one again and again.
    convenience init(statuses: Int..., headers: HTTPHeaders = [:]) {
        self.init { request, index throws(BrowseError) in
            let status = statuses[min(index, statuses.count - 1)]
            return HTTPResponse(status: status, headers: status == 200 ? [:] : headers, url: request.url)
        }
    }

    var requests: [HTTPRequest] { state.value }

    /// Waits until at least so many requests have come, or until the calling task is canceled.
    func waitForRequests(_ count: Int) async { await state.wait { $0.count >= count } }

    /// Sends a request through a middleware to this wire.
    func send(
        _ request: HTTPRequest,
        through middleware: any HTTPMiddleware
    ) async throws(BrowseError) -> HTTPResponse {
        try await middleware.send(request) { request throws(BrowseError) in
            let index = self.state.withLock { requests in
                requests.append(request)
                return requests.count - 1
            }
            return try await self.answer(request, index)
        }
    }
}

extension HTTPRequest {
    /// A read of a path of a made-up GitHub.
    static func sample(
        _ path: String = "/a",
        method: HTTPMethod = .get,
        source: LoadOptions.Source = .network,
        priority: LoadPriority = .visible,
        patience: Duration = .zero,
        bucket: String? = RateLimitStatus.core,
        account: String? = nil
    ) -> HTTPRequest {
        var request = HTTPRequest(
            method: method,
            url: URL(string: "https://api.example\(path)") ?? URL(filePath: "/"),
            headers: ["Accept": "application/json"],
            endpoint: "\(method.rawValue) \(path)",
            options: LoadOptions(source: source, priority: priority, patience: patience),
            bucket: bucket
        )
        request.account = account
        return request
    }
}

extension HTTPClient.Service {
    /// GitHub at a made-up address.
    static func sample(now: @escaping @Sendable () -> Date = { testNow }) -> Self {
        .gitHub(baseURL: URL(string: "https://api.example") ?? URL(filePath: "/"), userAgent: "Tests", now: now)
    }
}
