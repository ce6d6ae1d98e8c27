import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded) struct `A cached response that can't be decoded anymore` {
    /// A cache with one response, until that is requested.
    private struct OneResponse: HTTPMiddleware {
        let count: Monitor<Int>

        func send(
            _ request: HTTPClient.Request,
            next: @escaping @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response
        ) async throws(BrowseError) -> HTTPClient.Response {
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return try await next(request) }
            return HTTPClient.Response(status: 200, body: Data("old".utf8), url: request.url, provenance: .revalidated)
        }
    }

    private struct Server: HTTPTransport {
        let body: String

        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            HTTPClient.Response(status: 200, body: Data(body.utf8), url: request.url)
        }
    }

    @Test(arguments: [("7", 7), ("seven", nil)] as [(String, Int?)])
    func `is requested again, once`(body: String, value: Int?) async throws {
        let count = Monitor(0)
        let client = HTTPClient(
            service: .sample(),
            transport: Server(body: body),
            middleware: [OneResponse(count: count)]
        )
        let endpoint = Endpoint(.path("/a")) { try $0.json(Int.self, using: JSONDecoder()) }
        let record = ProvenanceRecord()
        let answer = await ProvenanceRecord.$current.withValue(record) { try? await client.send(endpoint) }
        #expect(answer == value)
        #expect(count.value == 2)
        #expect(record.provenance == .fresh)
    }
}
