import BrowseGitHubData
#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import Dispatch
import Foundation

/// Sends a request with an observer that never returns.
struct BlockedObserver: HTTPObserver {
    private let never = DispatchSemaphore(value: 0)

    func observe(_ event: HTTPEvent) { never.wait() }

    static func run() async throws {
        guard let baseURL = URL(string: "https://api.example") else { throw TestChild.WrongArguments() }
        // Ends a run that hangs.
        alarm(60)
        let client = HTTPClient(
            service: .gitHub(baseURL: baseURL, userAgent: "BrowseKit-Tests"),
            transport: FixedResponse(),
            options: .init { $0.observers = [BlockedObserver()] }
        )
        TestChild.write("\(try await client.send(Endpoint(.path("/a")) { $0.status }))")
    }

    private struct FixedResponse: HTTPTransport {
        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            HTTPResponse(status: 200, url: request.url)
        }
    }
}
#endif
