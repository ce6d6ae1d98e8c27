import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import Testing

/// The kinds of a fake service; each reveals faults that the other hides.
enum FakeServiceKind: CaseIterable {
    /// `MockURLProtocol`, in the process.
    case mock
    /// A loopback server.
    case loopback
}

/// A service with scripted responses, and its client.
final class FakeService: Sendable {
    /// A client, which retains the service.
    let client: HTTPClient
    /// The base URL.
    let origin: String
    private let log: Log

    /// The identifier without which a 401 isn't GitHub's.
    private static func requestID(_ status: Int) -> String? { status == 401 ? "1" : nil }

    private final class Log: Sendable {
        let targets = Mutex<[String]>([])
    }

    /// The path and query of each request, in order.
    var targets: [String] { log.targets.withLock { $0 } }

    /// Starts a service.
    ///
    /// - Parameters:
    ///   - kind: The kind of the service.
    ///   - token: The client's token.
    ///   - respond: Returns the status, the `Link` header, and the body for a target and an `Authorization` header.
    init(
        on kind: FakeServiceKind,
        token: AccessToken? = nil,
        respond: @escaping @Sendable (_ target: String, _ authorization: String?) -> (Int, link: String?, body: String)
    ) throws {
        let log = Log()
        self.log = log
        let respond = { @Sendable (target: String, authorization: String?) in
            log.targets.withLock { $0.append(target) }
            return respond(target, authorization)
        }
        switch kind {
        case .mock:
            let registration = MockURLProtocol.Registration { request in
                let target = String(request.url.absoluteString.dropFirst("https://api.github.com".count))
                let (status, link, body) = respond(target, request.headers["Authorization"])
                var headers: HTTPHeaders = ["Content-Type": "application/json"]
                headers["Link"] = link
                headers["X-GitHub-Request-Id"] = Self.requestID(status)
                return .success(
                    HTTPClient.Response(status: status, headers: headers, body: Data(body.utf8), url: request.url)
                )
            }
            origin = "https://api.github.com"
            let transport = RetainingTransport(next: registration.transport(), retained: registration)
            client = try .gitHub(at: origin, token: token, transport: transport)
        case .loopback:
            let server = try LoopbackServer { request in
                let (status, link, body) = respond(request.target, request.header("Authorization"))
                let headers = [("Link", link), ("X-GitHub-Request-Id", Self.requestID(status))]
                return .json(
                    body,
                    status: status,
                    headers: headers.compactMap { name, value in value.map { (name, $0) } }
                )
            }
            origin = server.origin
            let transport = RetainingTransport(next: TransportKind.platformDefault.makeTransport(), retained: server)
            client = try .gitHub(at: origin, token: token, transport: transport)
        }
    }

    /// A transport that retains a value.
    private struct RetainingTransport: HTTPTransport {
        let next: any HTTPTransport
        let retained: any Sendable

        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            try await next.send(request)
        }
    }
}
