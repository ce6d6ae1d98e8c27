import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Foundation

/// A GitHub with scripted responses on a loopback server, and its client.
struct FakeService: Sendable {
    /// A client, which retains the server.
    let client: HTTPClient
    /// The base URL.
    var origin: String { server.origin }
    /// The path and query of each request, in order.
    var targets: [String] { server.requests.map(\.target) }

    private let server: LoopbackServer

    /// Starts a service.
    ///
    /// - Parameters:
    ///   - token: The client's token.
    ///   - respond: Returns the status, the `Link` header, and the body for a target and an `Authorization` header.
    init(
        token: AccessToken? = nil,
        respond: @escaping @Sendable (_ target: String, _ authorization: String?) -> (Int, link: String?, body: String)
    ) throws {
        server = try LoopbackServer { request in
            let (status, link, body) = respond(request.target, request.header("Authorization"))
            let raw = request.header("Accept").flatMap { $0.contains(".raw") ? $0 : nil }
            let headers = [("Link", link), ("X-GitHub-Media-Type", "github.v3"), ("Content-Type", raw)]
            return .json(body, status: status, headers: headers.compactMap { name, value in value.map { (name, $0) } })
        }
        let transport = RetainingTransport(next: HTTPClient.makeTransport(), server: server)
        client = try .gitHub(at: server.origin, token: token, transport: transport)
    }

    private struct RetainingTransport: HTTPTransport {
        let next: any HTTPTransport
        let server: LoopbackServer

        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            try await next.send(request)
        }
    }
}
