import BrowseDomain
import BrowseMocks
import Foundation
import Testing

@testable import BrowseData

@Suite("A compressed response", .timeLimit(.minutes(5)))
struct CompressionTests {
    /// The letter a 1,000 times, compressed with gzip.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4B, 0x4C, 0x1C, 0x05, 0xA3, 0x60, 0x14, 0x0C,
        0x77, 0x00, 0x00, 0x03, 0xDA, 0x38, 0x9A, 0xE8, 0x03, 0x00, 0x00,
    ]

    private func send(_ reply: LoopbackResponse, over transport: TestTransport) async throws -> HTTPResponse {
        let server = try LoopbackServer(first: reply)
        let url = try #require(URL(string: server.origin))
        defer { #expect(server.requests.allSatisfy { $0.header("Accept-Encoding")?.contains("gzip") == true }) }
        return try await transport.make().send(HTTPRequest(url: url, endpoint: "GET /"))
    }

    @Test("is decompressed", arguments: TestTransport.allCases)
    func gzip(over transport: TestTransport) async throws {
        let reply = LoopbackResponse(headers: [("Content-Encoding", "gzip")], body: Self.gzip)
        let response = try await send(reply, over: transport)
        #expect(response.body == Data(repeating: UInt8(ascii: "a"), count: 1000))
        #expect(response.wireBytes == nil || response.wireBytes == Self.gzip.count)
    }

    @Test("that is damaged fails", arguments: TestTransport.robust)
    func damaged(over transport: TestTransport) async throws {
        let reply = LoopbackResponse(headers: [("Content-Encoding", "gzip")], body: [0x1F, 0x8B, 8, 0] + Self.gzip)
        let error = await #expect(throws: BrowseError.self) { try await send(reply, over: transport) }
        guard case .unreachable(.other(code: URLError.Code.cannotDecodeContentData.rawValue, _), _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    #if canImport(Glibc)
    @Test("reports its transferred size to observers")
    func wireBytes() async throws {
        let reply = LoopbackResponse(headers: [("Content-Encoding", "gzip")], body: Self.gzip)
        let event = HTTPEvent.Response(try await send(reply, over: .curl), SecretRedactor())
        #expect(event.bodyBytes == 1000)
        #expect(event.wireBytes == Self.gzip.count)
    }
    #endif
}
