import BrowseDomain
import Foundation
import ScriptedTLSServer
import Testing

@testable import BrowseData

@Suite("A connection or stream that ends early", .timeLimit(.minutes(5)))
struct EndingTests {
    private let transport: any HTTPTransport
    private let lost = BrowseError.unreachable(.connectionLost, .test)

    init() throws {
        transport = try TestedTransport.make()
    }

    /// A point in a response where the connection can end.
    enum Place: String, CaseIterable, Sendable {
        case beforeHead, afterHead, withinLength, withinChunks, untilClose

        var steps: [TLSResponse.Step] {
            let part = TLSResponse.Step.body(TLSResponse.answer)
            return switch self {
            case .beforeHead: []
            case .afterHead: [.head(200)]
            case .withinLength: [.head(200, [("content-length", "1000")]), part]
            case .withinChunks: [.head(200), part]
            case .untilClose: [.head(200, [("connection", "close")]), part]
            }
        }
    }

    // Not `.untilClose`: libcurl with OpenSSL 3 treats the missing alert as the end of such a body.
    @Test("without TLS's closure alert loses the response", arguments: Place.allCases.filter { $0 != .untilClose })
    func truncated(_ place: Place) async throws {
        for version in TLSServer.Version.allCases {
            let server = try await TLSServer(version) { request in
                request.target == "/next" ? .good : TLSResponse(steps: place.steps + [.cut])
            }
            // Not safe to repeat, so that it isn't retried.
            let error = await failure(transport, try server.request(isSafeToRepeat: false))
            #expect(error == lost, "\(version)")
            try await expectNextRequestWorks(transport, server)
        }
    }

    /// projectdiscovery/nuclei#7671
    @Test("with a second response in the buffer of TLS isn't followed by another request")
    func secondResponse() async throws {
        let body = [UInt8](repeating: 7, count: 16_384)
        let second = Array("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled".utf8)
        let server = try await TLSServer(.http1) { request in
            request.target == "/next"
                ? .good : TLSResponse(steps: [.head(200, [("content-length", "16384")]), .body(body + second), .end()])
        }
        let response = try await transport.send(try server.request())
        #expect(Array(response.body) == body)
        try await expectNextRequestWorks(transport, server)
        #expect(server.connectionCount == 2)
    }

    @Test("by a reset loses the response", arguments: Place.allCases)
    func reset(_ place: Place) async throws {
        for version in TLSServer.Version.allCases {
            let server = try await TLSServer(version) { request in
                request.target == "/next" ? .good : TLSResponse(steps: place.steps + [.reset()])
            }
            let error = await failure(transport, try server.request(isSafeToRepeat: false))
            #expect(error == lost, "\(version)")
            try await expectNextRequestWorks(transport, server)
        }
    }

    @Test("in an orderly way completes a body of unknown length")
    func orderly() async throws {
        let server = try await TLSServer(.http1, first: TLSResponse(steps: Place.untilClose.steps + [.close]))
        #expect(try await Array(transport.send(server.request()).body) == TLSResponse.answer)
        try await expectNextRequestWorks(transport, server)
    }

    @Test("by resetting one stream doesn't affect the others")
    func neighbors() async throws {
        let gate = Gate()
        let server = try await TLSServer(.http2) { request in
            request.target == "/reset"
                ? TLSResponse(steps: [.head(200), .reset(.enhanceYourCalm)])
                : TLSResponse(steps: [.head(200), .wait(gate), .body(TLSResponse.answer), .end()])
        }
        async let slow = transport.send(server.request(.get, "/slow"))
        await server.waitForRequests(1)
        #expect(await failure(transport, try server.request(.get, "/reset", isSafeToRepeat: false)) == lost)
        gate.open()
        #expect(try await Array(slow.body) == TLSResponse.answer)
    }

    @Test("by GOAWAY completes included requests, and sends later ones over another connection")
    func goAway() async throws {
        let gate = Gate()
        let server = try await TLSServer(
            .http2,
            first: TLSResponse(
                steps: [.head(200), .goAway(isProcessed: true), .wait(gate), .body(TLSResponse.answer), .end()]
            )
        )
        async let first = transport.send(server.request())
        await server.waitForRequests(1)
        try await expectNextRequestWorks(transport, server)
        gate.open()
        #expect(try await Array(first.body) == TLSResponse.answer)
    }

    @Test(
        "by GOAWAY or REFUSED_STREAM never causes a second request",
        arguments: [HTTPMethod.post, .put, .delete]
    )
    func neverTwice(_ method: HTTPMethod) async throws {
        for steps in [[TLSResponse.Step.goAway(isProcessed: false), .close], [.reset(.refusedStream)]] {
            let server = try await TLSServer(.http2) { request in
                request.method == "GET" ? .good : TLSResponse(steps: steps)
            }
            try await expectNextRequestWorks(transport, server)
            let request = try server.request(
                method,
                "/once",
                body: method == .delete ? nil : [1],
                isSafeToRepeat: false
            )
            #expect(await failure(transport, request) != nil)
            #expect(server.requests.count { $0.target == "/once" } == 1)
            try await expectNextRequestWorks(transport, server)
        }
    }

    /// A way to close a reused connection when the next request arrives.
    enum Closing: String, CaseIterable, Sendable {
        case orderly, cut, reset

        var step: TLSResponse.Step {
            switch self {
            case .orderly: .close
            case .cut: .cut
            case .reset: .reset()
            }
        }
    }

    @Test(
        "after an earlier request never causes a second request",
        arguments: [HTTPMethod.post, .put, .delete]
    )
    func reused(_ method: HTTPMethod) async throws {
        for version in TLSServer.Version.allCases {
            for closing in Closing.allCases {
                let server = try await TLSServer(version) { request in
                    request.target == "/once" ? TLSResponse(steps: [closing.step]) : .good
                }
                try await expectNextRequestWorks(transport, server)
                let request = try server.request(method, "/once", body: [1, 2, 3], isSafeToRepeat: false)
                #expect(await failure(transport, request) == lost, "\(version) \(closing)")
                #expect(server.requests.count { $0.target == "/once" } == 1, "\(version) \(closing)")
                try await expectNextRequestWorks(transport, server)
            }
        }
    }

    @Test(
        "before the next request is sent doesn't affect that request",
        arguments: TLSServer.Version.allCases
    )
    func idle(_ version: TLSServer.Version) async throws {
        let server = try await TLSServer(version) { request in
            request.target == "/first" ? TLSResponse(steps: TLSResponse.good.steps + [.close]) : .good
        }
        for (count, method) in [HTTPMethod.get, .post, .put, .delete].enumerated() {
            _ = try await transport.send(server.request(.get, "/first"))
            await server.wait { events in
                events.count { if case .disconnected = $0 { true } else { false } } > count
            }
            let response = try await transport.send(
                server.request(method, "/\(method)", isSafeToRepeat: method == .get)
            )
            #expect(response.status == 200)
            #expect(server.requests.count { $0.target == "/\(method)" } == 1)
        }
    }
}
