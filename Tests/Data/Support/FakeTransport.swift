import BrowseDomain
import BrowseGitHubData
import BrowseMocks
import Foundation

import BrowseData

/// The end of a middleware chain, which records requests and sends scripted responses.
final class FakeTransport: HTTPTransport {
    typealias Answer = @Sendable (HTTPClient.Request, Int) async throws(BrowseError) -> HTTPClient.Response

    private let state = Monitor<[HTTPClient.Request]>([])
    private let answer: Answer

    /// - Parameter answer: Takes the request and the number of earlier ones.
    init(_ answer: @escaping Answer) {
        self.answer = answer
    }

    /// Responds with a sequence of statuses, and repeats the last one.
    convenience init(statuses: Int..., headers: HTTPHeaders = [:]) {
        self.init { request, index throws(BrowseError) in
            let status = statuses[min(index, statuses.count - 1)]
            return HTTPClient.Response(status: status, headers: status == 200 ? [:] : headers, url: request.url)
        }
    }

    /// Responds with status 200, header fields, and a JSON body.
    convenience init(headers: HTTPHeaders, json: String = "{}") {
        self.init { request, _ throws(BrowseError) in
            var headers = headers
            headers["Content-Type"] = "application/json"
            return HTTPClient.Response(status: 200, headers: headers, body: Data(json.utf8), url: request.url)
        }
    }

    /// Responds with a status and a JSON body.
    convenience init(status: Int = 200, json: String) {
        self.init { request, _ throws(BrowseError) in
            let headers: HTTPHeaders = ["Content-Type": "application/json"]
            return HTTPClient.Response(status: status, headers: headers, body: Data(json.utf8), url: request.url)
        }
    }

    var requests: [HTTPClient.Request] { state.value }

    /// Waits until at least `count` requests have arrived, or until the calling task is canceled.
    func waitForRequests(_ count: Int) async { await state.wait { $0.count >= count } }

    /// Sends a request through a middleware to this transport.
    func send(
        _ request: HTTPClient.Request,
        through middleware: any HTTPMiddleware
    ) async throws(BrowseError) -> HTTPClient.Response {
        try await middleware.send(request) { request throws(BrowseError) in try await self.send(request) }
    }

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        let index = state.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        return try await answer(request, index)
    }
}

/// A middleware chain above a transport.
struct TestChain: Sendable {
    private let perform: @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response

    init(_ middleware: [any HTTPMiddleware], _ transport: FakeTransport) {
        var perform: @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response = {
            request throws(BrowseError) in
            try await transport.send(request)
        }
        for middleware in middleware.reversed() {
            let next = perform
            perform = { request throws(BrowseError) in try await middleware.send(request, next: next) }
        }
        self.perform = perform
    }

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        try await perform(request)
    }
}

extension HTTPClient.Request {
    /// Creates a request to a fake GitHub.
    static func sample(
        _ path: String = "/a",
        method: HTTPMethod = .get,
        source: LoadOptions.Source = .network,
        priority: LoadPriority = .visible,
        bucket: String? = RateLimitStatus.core,
        account: String? = nil
    ) -> HTTPClient.Request {
        var request = HTTPClient.Request(
            method: method,
            url: URL(string: "https://api.example\(path)") ?? URL(filePath: "/"),
            headers: ["Accept": "application/json"],
            endpoint: "\(method.rawValue) \(path)",
            options: LoadOptions(source: source, priority: priority),
            bucket: bucket
        )
        request.account = account
        return request
    }
}

extension HTTPClient.Service {
    /// GitHub at a fake URL.
    static func sample() -> Self {
        let url = URL(string: "https://api.example") ?? URL(filePath: "/")
        var service = HTTPClient.Service.gitHub(baseURL: url, userAgent: "Tests")
        service.evidence = .ofFakes
        return service
    }
}
