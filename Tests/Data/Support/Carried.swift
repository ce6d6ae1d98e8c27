import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import Testing

/// What carries a test's requests: each hides what the other shows.
enum Carrier: CaseIterable {
    /// `MockURLProtocol`, inside of the process.
    case mock
    /// A server on this machine.
    case loopback
}

/// A service that answers every request with what a test says, and a client of it.
final class CarriedService: Sendable {
    /// A client, which keeps the service going.
    let client: HTTPClient
    /// Where the service is.
    let origin: String
    private let log: Log

    private final class Log: Sendable {
        let targets = Mutex<[String]>([])
    }

    /// Path and query of every request, in order.
    var targets: [String] { log.targets.withLock { $0 } }

    /// Starts a service.
    ///
    /// - Parameters:
    ///   - carrier: What carries the requests.
    ///   - token: What the client sends along.
    ///   - respond: The status, the value of `Link` and the body, by path and query and by the value of `Authorization`.
    init(
        on carrier: Carrier,
        token: GitHub.AccessToken? = nil,
        respond: @escaping @Sendable (_ target: String, _ authorization: String?) -> (Int, link: String?, body: String)
    ) throws {
        let log = Log()
        self.log = log
        let respond = { @Sendable (target: String, authorization: String?) in
            log.targets.withLock { $0.append(target) }
            return respond(target, authorization)
        }
        switch carrier {
        case .mock:
            let registration = MockURLProtocol.Registration { request in
                let target = String(request.url.absoluteString.dropFirst("https://api.github.com".count))
                let (status, link, body) = respond(target, request.headers["Authorization"])
                var headers: HTTPHeaders = ["Content-Type": "application/json"]
                headers["Link"] = link
                return .success(
                    HTTPResponse(status: status, headers: headers, body: Data(body.utf8), url: request.url)
                )
            }
            origin = "https://api.github.com"
            let transport = KeepingTransport(next: registration.transport(), kept: registration)
            client = try .gitHub(at: origin, token: token, transport: transport)
        case .loopback:
            let server = try LoopbackServer { request in
                let (status, link, body) = respond(request.target, request.header("Authorization"))
                return .json(body, status: status, headers: link.map { [("Link", $0)] } ?? [])
            }
            origin = server.origin
            let transport = KeepingTransport(next: TransportKind.platformDefault.makeTransport(), kept: server)
            client = try .gitHub(at: origin, token: token, transport: transport)
        }
    }

    /// A transport, and what has to live as long as it does.
    private struct KeepingTransport: HTTPTransport {
        let next: any HTTPTransport
        let kept: any Sendable

        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            try await next.send(request)
        }
    }
}
