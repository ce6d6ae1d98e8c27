import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

import BrowseData

@Suite("A compressed response", .bounded)
struct CompressionTests {
    /// The letter a 1,000 times, compressed with gzip.
    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4B, 0x4C, 0x1C, 0x05, 0xA3, 0x60, 0x14, 0x0C,
        0x77, 0x00, 0x00, 0x03, 0xDA, 0x38, 0x9A, 0xE8, 0x03, 0x00, 0x00,
    ]

    /// No bytes, compressed with gzip.
    private static let emptyGzip: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00,
        0x00,
    ]

    private func send(_ reply: LoopbackResponse, over transport: TestTransport) async throws -> HTTPClient.Response {
        let server = try LoopbackServer(first: reply)
        let url = try #require(URL(string: server.origin))
        defer { #expect(server.requests.allSatisfy { $0.header("Accept-Encoding")?.contains("gzip") == true }) }
        return try await transport.make().send(HTTPClient.Request(url: url, endpoint: "GET /"))
    }

    @Test(arguments: TestTransport.allCases)
    func `is decompressed`(over transport: TestTransport) async throws {
        let reply = LoopbackResponse(headers: [("Content-Encoding", "gzip")], body: Self.gzip)
        let response = try await send(reply, over: transport)
        #expect(response.body == Data(repeating: UInt8(ascii: "a"), count: 1000))
        #expect(response.wireBytes == nil || response.wireBytes == Self.gzip.count)
    }

    @Test(arguments: TestTransport.robust)
    func `that is damaged fails`(over transport: TestTransport) async throws {
        let reply = LoopbackResponse(headers: [("Content-Encoding", "gzip")], body: [0x1F, 0x8B, 8, 0] + Self.gzip)
        let error = await #expect(throws: BrowseError.self) { try await send(reply, over: transport) }
        guard case .unreachable(.other(code: URLError.Code.cannotDecodeContentData.rawValue, _), _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: TestTransport.robust)
    func `that can't be decoded still has its status and header fields`(over transport: TestTransport) async throws {
        for (coding, body) in [("br", Self.gzip), ("zstd", Self.gzip), ("gzip", [0x1F, 0x8B, 8, 0] + Self.gzip)] {
            let server = try LoopbackServer { request in
                guard request.target != "/b" else {
                    return LoopbackResponse(status: 404, headers: [("Content-Encoding", coding)], body: body)
                }
                return LoopbackResponse(
                    status: 302,
                    headers: [("Content-Encoding", coding), ("Location", "/b")],
                    body: body
                )
            }
            let url = try #require(URL(string: server.origin))
            let response = try await transport.make().send(HTTPClient.Request(url: url, endpoint: "GET /"))
            #expect(response.status == 404, "\(coding)")
            #expect(response.url.path() == "/b", "\(coding)")
        }
    }

    #if canImport(Glibc)
    /// A way to end a response.
    enum Framing: CaseIterable, Sendable {
        case length, chunks, close

        func response(_ body: [UInt8]) -> LoopbackResponse {
            let coding = ("Content-Encoding", "gzip")
            switch self {
            case .length:
                return LoopbackResponse(headers: [coding], body: body)
            case .chunks:
                let chunk = Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)
                return LoopbackResponse(headers: [coding, ("Transfer-Encoding", "chunked")], body: chunk)
            case .close:
                let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
                return LoopbackResponse(steps: [.text(head), .bytes(body), .close])
            }
        }
    }

    /// libcurl reports such a body as complete; see Docs/Decisions/0021.
    @Test(arguments: Framing.allCases)
    func `that is truncated fails, whatever its length`(_ framing: Framing) async throws {
        let server = Monitor([UInt8]())
        let loopback = try LoopbackServer { _ in framing.response(server.withLock { $0 }) }
        let url = try #require(URL(string: loopback.origin))
        let transport = CurlTransport()
        for count in 1..<Self.gzip.count {
            server.withLock { $0 = Array(Self.gzip[..<count]) }
            let error = await #expect(throws: BrowseError.self) {
                try await transport.send(HTTPClient.Request(url: url, endpoint: "GET /"))
            }
            let request = HTTPClient.Request(url: url, endpoint: "GET /")
            #expect(error == .unreachable(.connectionLost, request.info), "\(count) bytes")
        }
        server.withLock { $0 = Self.gzip }
        #expect(try await transport.send(HTTPClient.Request(url: url, endpoint: "GET /")).body.count == 1000)
    }

    @Test(arguments: [(false, 10_000_000), (true, 200_000)])
    func `with many members is limited, even if they are empty`(areEmpty: Bool, limit: Int) async throws {
        let member = areEmpty ? Self.emptyGzip : Self.gzip
        let body = Array(repeatElement(member, count: 10_000).joined())
        let server = try LoopbackServer { _ in Framing.chunks.response(body) }
        let url = try #require(URL(string: server.origin))
        func send(limit: Int) async throws -> HTTPClient.Response {
            let limits = HTTPLimits(bodyBytes: limit)
            return try await CurlTransport().send(HTTPClient.Request(url: url, endpoint: "GET /", limits: limits))
        }
        let info = BrowseError.RequestInfo(endpoint: "GET /")
        await #expect(throws: BrowseError.unusableResponse(.tooLarge(limit: limit - 1), info)) {
            try await send(limit: limit - 1)
        }
        #expect(try await send(limit: limit).wireBytes == body.count)
    }

    @Test(arguments: ["br", "deflate", "gzip, gzip", "gzip, identity, gzip", "br, gzip"])
    func `in another coding than the accepted one fails`(_ coding: String) async throws {
        let reply = LoopbackResponse(headers: [("Content-Encoding", coding)], body: Self.gzip)
        await #expect(throws: BrowseError.self) { try await send(reply, over: .curl) }
    }

    /// urllib3/urllib3#5189, Orange-OpenSource/hurl#40, circonus-labs/reconnoiter#104.
    /// Also notatallshaw/nab#591.
    @Test(arguments: ["gzip, identity", "identity,gzip", ", gzip", "GZIP ,", "x-gzip"])
    func `in a list with what isn't a coding is decompressed`(_ list: String) async throws {
        let reply = LoopbackResponse(headers: [("Content-Encoding", list)], body: Self.gzip)
        #expect(try await send(reply, over: .curl).body.count == 1000)
    }

    /// LadybirdBrowser/ladybird#11179
    @Test(arguments: ["utf-8", "aws-chunked", "none"])
    func `in a coding that isn't one is as it is`(_ word: String) async throws {
        let reply = LoopbackResponse(headers: [("Content-Encoding", word)], body: "plain")
        #expect(try await send(reply, over: .curl).body == Data("plain".utf8))
    }

    /// tornadoweb/tornado#2714, nodejs/node#7502, oven-sh/bun#33708
    @Test(arguments: [[0], [UInt8](repeating: 0, count: 70_000), Array("\n \n".utf8)], Framing.allCases)
    func `with bytes after its last member is decompressed`(rest: [UInt8], framing: Framing) async throws {
        let server = try LoopbackServer { _ in framing.response(Self.gzip + rest) }
        let url = try #require(URL(string: server.origin))
        #expect(try await CurlTransport().send(HTTPClient.Request(url: url, endpoint: "GET /")).body.count == 1000)
    }

    @Test(arguments: Framing.allCases)
    func `can't exceed the limit of its size, and can reach it`(_ framing: Framing) async throws {
        let server = try LoopbackServer { _ in framing.response(Self.gzip) }
        let url = try #require(URL(string: server.origin))
        func send(limit: Int) async throws -> HTTPClient.Response {
            let limits = HTTPLimits(bodyBytes: limit)
            return try await CurlTransport().send(HTTPClient.Request(url: url, endpoint: "GET /", limits: limits))
        }
        #expect(try await send(limit: 1000).body.count == 1000)
        let error = await #expect(throws: BrowseError.self) { try await send(limit: 999) }
        guard case .unusableResponse(.tooLarge(limit: 999), _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
    #endif
}
