import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

import BrowseData

/// Bytes and closings that no request asked for, on a connection that waits for its next request.
@Suite(.bounded)
struct `An idle connection` {
    /// What the server does after its response, before the next request.
    enum Attack: String, CaseIterable, Sendable {
        case closes, halfCloses, sendsEarlyResponse, sendsTimeout, sendsTimeoutAndCloses, sendsInformation,
            sendsPartialHead, sendsEmptyLines, sendsZeros, sendsGarbage

        var steps: [LoopbackResponse.Step] {
            let timeout = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 8\r\nConnection: close\r\n\r\nsmuggled"
            return switch self {
            case .closes, .halfCloses: [.closeSending]
            case .sendsEarlyResponse: LoopbackResponse(body: "smuggled").steps
            case .sendsTimeout: [.text(timeout)]
            case .sendsTimeoutAndCloses: [.text(timeout), .closeSending]
            case .sendsInformation: [.text("HTTP/1.1 103 Early Hints\r\nLink: </smuggled>; rel=preload\r\n\r\n")]
            case .sendsPartialHead: [.text("HTTP/1.1 200 OK\r\nX-Smuggled: ")]
            case .sendsEmptyLines: [.text("\r\n\r\n")]
            case .sendsZeros: [.bytes([UInt8](repeating: 0, count: 100))]
            case .sendsGarbage: [.text("smuggled\r\n\r\nsmuggled")]
            }
        }

        /// Whether the server closes the connection afterward, rather than waiting for another request.
        var closes: Bool { self == .closes || self == .sendsTimeoutAndCloses }
    }

    private func request(_ method: HTTPMethod, _ target: String, to server: LoopbackServer) throws -> HTTPClient.Request
    {
        HTTPClient.Request(
            method: method,
            url: try #require(URL(string: server.origin + target)),
            body: method == .get ? nil : Data("{}".utf8),
            endpoint: "\(method.rawValue) \(target)",
            limits: HTTPLimits(duration: .seconds(100_000))
        )
    }

    private func expectOwnResponses(
        _ method: HTTPMethod,
        over transport: any HTTPTransport,
        from server: LoopbackServer
    ) async throws {
        for target in ["/second", "/third"] {
            let response = try await transport.send(request(method, target, to: server))
            #expect(response.status == 200)
            #expect(String(decoding: response.body, as: UTF8.self) == "\(method.rawValue) \(target)")
            #expect(!response.headers.fields.contains { $0.key.contains("smuggled") })
            #expect(server.requests.count { $0.target == target } == 1)
        }
        #expect(server.requests.first { $0.target == "/second" }?.connection != server.requests.first?.connection)
    }

    // Foundation on Linux (Swift 6.3.1) returns the bytes of an idle connection as the next response.
    @Test(arguments: Attack.allCases, TestTransport.robust)
    func `isn't used again after the server misuses it`(attack: Attack, transport: TestTransport) async throws {
        for method in [HTTPMethod.get, .post] {
            let gate = LoopbackGate()
            let attacks = Monitor(0)
            let end: [LoopbackResponse.Step] = attack.closes ? [.close] : []
            let steps: [LoopbackResponse.Step] =
                [.holdUntil(gate)] + attack.steps + [.run { attacks.withLock { $0 += 1 } }] + end
            let server = try LoopbackServer { request in
                let good = LoopbackResponse(body: "\(request.method) \(request.target)")
                return request.target == "/first" ? LoopbackResponse(steps: good.steps + steps) : good
            }
            let transport = transport.make(connectionsPerHost: 1)
            let first = try await transport.send(request(.get, "/first", to: server))
            #expect(String(decoding: first.body, as: UTF8.self) == "GET /first")
            gate.open()
            await attacks.wait { $0 == 1 }
            try await expectOwnResponses(method, over: transport, from: server)
        }
    }

    @Test(arguments: TestTransport.robust, Attack.allCases)
    func `isn't used again if the misuse arrives with the response`(
        transport: TestTransport,
        attack: Attack
    ) async throws {
        for method in [HTTPMethod.get, .post] {
            let server = try LoopbackServer { request in
                let good = LoopbackResponse(body: "\(request.method) \(request.target)")
                guard request.target == "/first" else { return good }
                // In one segment where possible.
                guard case .bytes(let response)? = good.steps.first, case .bytes(let bytes)? = attack.steps.first else {
                    return LoopbackResponse(steps: good.steps + attack.steps)
                }
                return LoopbackResponse(steps: [.bytes(response + bytes)] + attack.steps.dropFirst())
            }
            let transport = transport.make(connectionsPerHost: 1)
            let first = try await transport.send(request(.get, "/first", to: server))
            #expect(String(decoding: first.body, as: UTF8.self) == "GET /first")
            // A closing may arrive after the next request was sent, which isn't a misuse.
            guard case .bytes? = attack.steps.first else { continue }
            try await expectOwnResponses(method, over: transport, from: server)
        }
    }
}
