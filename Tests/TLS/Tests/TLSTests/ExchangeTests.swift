import BrowseDomain
import Foundation
import ScriptedTLSServer
import Testing

@testable import BrowseData

@Suite("An exchange over TLS", .timeLimit(.minutes(5)))
struct ExchangeTests {
    private let transport: any HTTPTransport

    init() throws {
        transport = try TestedTransport.make()
    }

    @Test("transfers method, header fields, and bodies", arguments: TLSServer.Version.allCases)
    func bothWays(_ version: TLSServer.Version) async throws {
        let server = try await TLSServer(version) { _ in
            TLSResponse(
                status: 201,
                headers: [("ETag", "\"1\""), ("X-Two", "a"), ("X-Two", "b")],
                body: TLSResponse.answer
            )
        }
        let response = try await transport.send(
            server.request(
                .post,
                "/a%20b?c=d%2Be",
                headers: ["Content-Type": "application/json", "X-Test": "one"],
                body: [1, 2, 0, 255]
            )
        )
        #expect(response.status == 201)
        #expect(response.headers["ETag"] == "\"1\"")
        #expect(response.headers["X-Two"]?.replacing(" ", with: "") == "a,b")
        #expect(Array(response.body) == TLSResponse.answer)
        #expect(response.url.path() == "/a%20b")
        let request = try #require(server.requests.first)
        #expect(request.version == version)
        #expect(request.method == "POST")
        #expect(request.target == "/a%20b?c=d%2Be")
        #expect(request.header("X-Test") == "one")
        #expect(request.header("Content-Type") == "application/json")
        #expect(request.body == [1, 2, 0, 255])
    }

    @Test("reuses a connection", arguments: TLSServer.Version.allCases)
    func reuse(_ version: TLSServer.Version) async throws {
        let server = try await TLSServer(version) { _ in .good }
        for _ in 0..<5 { try await expectNextRequestWorks(transport, server) }
        #expect(server.connectionCount == 1)
    }

    @Test("receives a body of unknown length", arguments: TLSServer.Version.allCases)
    func unknownLength(_ version: TLSServer.Version) async throws {
        let part = [UInt8](repeating: 7, count: 10_000)
        let server = try await TLSServer(
            version,
            first: TLSResponse(steps: [.head(200), .repeated(part, count: 500), .end()])
        )
        let response = try await transport.send(server.request())
        #expect(response.body == Data(repeating: 7, count: 5_000_000))
        try await expectNextRequestWorks(transport, server)
    }

    @Test("ignores interim responses", arguments: TLSServer.Version.allCases)
    func interim(_ version: TLSServer.Version) async throws {
        let steps = [
            TLSResponse.Step.informational(103, [("link", "</style.css>; rel=preload")]), .informational(100),
            .informational(103, [("x-early", "1")]),
        ]
        let server = try await TLSServer(version, first: TLSResponse(steps: steps + TLSResponse.good.steps))
        let response = try await transport.send(server.request())
        #expect(response.status == 200)
        #expect(Array(response.body) == TLSResponse.answer)
        #expect(response.headers["Link"] == nil)
        #expect(response.headers["X-Early"] == nil)
        try await expectNextRequestWorks(transport, server)
    }

    @Test(
        "doesn't add trailers to the header fields",
        arguments: TLSServer.Version.allCases
    )
    func trailers(_ version: TLSServer.Version) async throws {
        let steps: [TLSResponse.Step] = [
            .head(200, [("x-kind", "header")]), .body(TLSResponse.answer),
            .end([("x-trailer", "1"), ("x-kind", "trailer"), ("set-cookie", "a=b")]),
        ]
        let server = try await TLSServer(version, first: TLSResponse(steps: steps))
        let response = try await transport.send(server.request())
        #expect(Array(response.body) == TLSResponse.answer)
        #expect(response.headers["X-Kind"] == "header")
        #expect(response.headers["X-Trailer"] == nil)
        try await expectNextRequestWorks(transport, server)
    }

    @Test("receives padded frames of HTTP/2")
    func padding() async throws {
        let parts = (0..<40).map { TLSResponse.Step.body([UInt8](repeating: UInt8($0), count: $0 * 25)) }
        let server = try await TLSServer(.http2) { options in
            options.padding = 200
        } respond: { request in
            request.target == "/next" ? .good : TLSResponse(steps: [.head(200)] + parts + [.end()])
        }
        let response = try await transport.send(server.request())
        #expect(Array(response.body) == (0..<40).flatMap { [UInt8](repeating: UInt8($0), count: $0 * 25) })
        try await expectNextRequestWorks(transport, server)
    }

    @Test("sends a body that is larger than the windows of HTTP/2")
    func smallWindows() async throws {
        let server = try await TLSServer(.http2) {
            $0.window = 1000
        } respond: { _ in
            .good
        }
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        _ = try await transport.send(server.request(.put, body: body))
        #expect(server.requests.first?.body == body)
    }

    @Test("receives a body that is larger than the windows of HTTP/2")
    func largeBody() async throws {
        let part = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let server = try await TLSServer(
            .http2,
            first: TLSResponse(steps: [.head(200), .repeated(part, count: 640), .end()])
        )
        let response = try await transport.send(server.request(bodyLimit: 64 << 20))
        #expect(response.body.count == 640 * part.count)
        #expect(Array(response.body.suffix(part.count)) == part)
    }

    @Test(
        "sends concurrent requests over one connection of HTTP/2"
    )
    func manyStreams() async throws {
        let transport = try TestedTransport.make(connectionsPerHost: 100)
        let gate = Gate()
        let server = try await TLSServer(.http2) { request in
            TLSResponse(steps: [.head(200), .wait(gate), .body(Array(request.target.utf8)), .end()])
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                let request = try server.request(.get, "/\(number)")
                group.addTask {
                    let response = try await transport.send(request)
                    #expect(String(decoding: response.body, as: UTF8.self) == "/\(number)")
                }
            }
            await server.waitForRequests(50)
            gate.open()
            try await group.waitForAll()
        }
        #expect(server.connectionCount == 1)
    }
}
