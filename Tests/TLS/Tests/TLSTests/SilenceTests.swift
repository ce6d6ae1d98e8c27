import BrowseDomain
import Foundation
import ScriptedTLSServer
import Testing

@testable import BrowseData

@Suite(
    "A connection that falls silent",
    .timeLimit(.minutes(5))
)
struct SilenceTests {
    private let clock: ExpiryClock
    private let transport: any HTTPTransport

    init() throws {
        clock = ExpiryClock()
        transport = try TestedTransport.make(clock: clock)
    }

    /// A server that never responds to `/silent`, and to `/slow` when the gate opens.
    private func server(_ version: TLSServer.Version, slow gate: Gate = Gate()) async throws -> TLSServer {
        try await TLSServer(version) { request in
            switch request.target {
            case "/silent": TLSResponse(steps: [.hold])
            case "/slow":
                TLSResponse(steps: [.wait(gate), .head(200), .body(TLSResponse.answer), .end()])
            default: .good
            }
        }
    }

    /// Sends a request that gets no response, performs work meanwhile, and ends the request's time limit.
    private func timeOut(at server: TLSServer, after work: () async throws -> Void = {}) async throws {
        let count = server.requests.count
        let abandoned = server.events.count(where: \.isAbandonment)
        let expiry = clock.nextExpiry()
        let request = try server.request(.get, "/silent", duration: .seconds(1))
        let task = Task { await failure(transport, request) }
        await server.waitForRequests(count + 1)
        try await work()
        expiry.open()
        #expect(await task.value == .timedOut(.test))
        await server.waitForAbandonment(abandoned + 1)
    }

    @Test("isn't used by later requests; those in flight continue")
    func inUse() async throws {
        let gate = Gate()
        let server = try await server(.http2, slow: gate)
        try await expectNextRequestWorks(transport, server)
        async let slow = transport.send(server.request(.get, "/slow"))
        await server.waitForRequests(2)
        try await timeOut(at: server)
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try await expectNextRequestWorks(transport, server) } }
            try await group.waitForAll()
        }
        #expect(server.requests.map(\.connection).prefix(3) == [0, 0, 0])
        #expect(server.requests.dropFirst(3).allSatisfy { (1...7).contains($0.connection) })
        gate.open()
        #expect(try await Array(slow.body) == TLSResponse.answer)
    }

    @Test("by one slow response only is used further")
    func slowResponse() async throws {
        let gate = Gate()
        let server = try await server(.http2, slow: gate)
        try await expectNextRequestWorks(transport, server)
        async let slow = transport.send(server.request(.get, "/slow"))
        await server.waitForRequests(2)
        try await timeOut(at: server) { try await expectNextRequestWorks(transport, server) }
        try await expectNextRequestWorks(transport, server)
        #expect(server.connectionCount == 1)
        gate.open()
        #expect(try await Array(slow.body) == TLSResponse.answer)
    }

    @Test("is closed if no other request uses it", arguments: TLSServer.Version.allCases)
    func closed(_ version: TLSServer.Version) async throws {
        let server = try await server(version)
        try await expectNextRequestWorks(transport, server)
        try await timeOut(at: server)
        await server.wait { $0.contains { if case .disconnected(0) = $0 { true } else { false } } }
        try await expectNextRequestWorks(transport, server)
        #expect(server.connectionCount == 2)
    }

    @Test("again and again causes as many connections as a host may have, not any number")
    func bounded() async throws {
        let gate = Gate()
        let server = try await server(.http2, slow: gate)
        let slow = try server.request(.get, "/slow")
        try await withThrowingTaskGroup(of: HTTPClient.Response.self) { group in
            for _ in 0..<6 {
                let count = server.requests.count
                group.addTask { try await transport.send(slow) }
                await server.waitForRequests(count + 1)
                try await timeOut(at: server)
            }
            #expect(server.connectionCount <= 13)
            gate.open()
            for try await response in group { #expect(Array(response.body) == TLSResponse.answer) }
        }
        try await expectNextRequestWorks(transport, server)
    }
}
