import BrowseDomain
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded) struct `A cached response that can't be decoded anymore` {
    /// A cache that can't remove responses, as on a read-only disk.
    private struct Stubborn: HTTPMiddleware {
        let asked: @Sendable (Bool) -> Void

        func send(
            _ request: HTTPRequest,
            next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
        ) async throws(BrowseError) -> HTTPResponse {
            asked(request.ignoresCache)
            guard !request.ignoresCache else { return try await next(request) }
            return HTTPResponse(status: 200, body: Data("old".utf8), url: request.url, provenance: .revalidated)
        }
    }

    private struct Server: HTTPTransport {
        let body: String

        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            HTTPResponse(status: 200, body: Data(body.utf8), url: request.url)
        }
    }

    @Test(arguments: [("7", 7), ("seven", nil)] as [(String, Int?)])
    func `is requested again, once`(body: String, value: Int?) async throws {
        let asked = Mutex<[Bool]>([])
        let client = HTTPClient(
            service: .sample(),
            transport: Server(body: body),
            middleware: [Stubborn { ignores in asked.withLock { $0.append(ignores) } }]
        )
        let endpoint = Endpoint(.path("/a")) { try $0.json(Int.self, using: JSONDecoder()) }
        let record = ProvenanceRecord()
        let answer = await ProvenanceRecord.$current.withValue(record) { try? await client.send(endpoint) }
        #expect(answer == value)
        #expect(asked.withLock { $0 } == [false, true])
        #expect(record.provenance == .fresh)
    }
}
