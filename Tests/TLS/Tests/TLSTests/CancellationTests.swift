import BrowseDomain
import Foundation
import ScriptedTLSServer
import Testing

@testable import BrowseData

@Suite("Canceling a request over TLS", .timeLimit(.minutes(5)))
struct CancellationTests {
    private let transport: any HTTPTransport

    init() throws {
        transport = try TestedTransport.make()
    }

    /// The progress of a response when its request is canceled.
    enum Place: String, CaseIterable, Sendable {
        case beforeHead, afterInterim, afterHead, withinBody, endlessBody

        var steps: [TLSResponse.Step] {
            switch self {
            case .beforeHead: [.hold]
            case .afterInterim: [.informational(103), .hold]
            case .afterHead: [.head(200), .hold]
            case .withinBody: [.head(200), .body([1, 2, 3]), .hold]
            case .endlessBody: [.head(200), .repeated([UInt8](repeating: 0, count: 1000), count: .max)]
            }
        }
    }

    /// Waits for the start of the response, cancels, and waits until the server has observed it.
    private func cancelRequest(to server: TLSServer) async throws {
        let request = try server.request(bodyLimit: .max)
        let task = Task { await failure(transport, request) }
        await server.waitForRequests(1)
        task.cancel()
        #expect(await task.value == .cancelled)
        await server.waitForAbandonment()
        try await expectNextRequestWorks(transport, server)
    }

    @Test("closes the connection of HTTP/1.1", arguments: Place.allCases)
    func closes(_ place: Place) async throws {
        let server = try await TLSServer(.http1) { request in
            request.target == "/next" ? .good : TLSResponse(steps: place.steps)
        }
        try await cancelRequest(to: server)
        #expect(server.connectionCount == 2)
    }

    @Test(
        "ends the stream of HTTP/2",
        arguments: Place.allCases
    )
    func endsStream(_ place: Place) async throws {
        let server = try await TLSServer(.http2) { request in
            request.target == "/next" ? .good : TLSResponse(steps: place.steps)
        }
        try await cancelRequest(to: server)
    }

    @Test(
        "resets the stream of HTTP/2 without affecting others",
        arguments: Place.allCases
    )
    func resets(_ place: Place) async throws {
        let gate = Gate()
        let server = try await TLSServer(.http2) { request in
            switch request.target {
            case "/next": .good
            case "/other": TLSResponse(steps: [.head(200), .wait(gate), .body(TLSResponse.answer), .end()])
            default: TLSResponse(steps: place.steps)
            }
        }
        async let other = transport.send(server.request(.get, "/other"))
        await server.waitForRequests(1)
        let request = try server.request(.get, "/canceled", bodyLimit: .max)
        let task = Task { await failure(transport, request) }
        await server.waitForRequests(2)
        task.cancel()
        #expect(await task.value == .cancelled)
        await server.wait { $0.contains { if case .streamReset = $0 { true } else { false } } }
        gate.open()
        #expect(try await Array(other.body) == TLSResponse.answer)
        try await expectNextRequestWorks(transport, server)
        #expect(server.connectionCount == 1)
    }

    @Test("of many concurrent requests ends all of them", arguments: TLSServer.Version.allCases)
    func many(_ version: TLSServer.Version) async throws {
        let transport = try TestedTransport.make(connectionsPerHost: 40)
        let server = try await TLSServer(version) { request in
            request.target == "/next" ? .good : TLSResponse(steps: [.head(200), .hold])
        }
        let requests = try (0..<40).map { try server.request(.get, "/\($0)") }
        let tasks = requests.map { request in Task { await failure(transport, request) } }
        await server.waitForRequests(40)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
        await server.waitForAbandonment(40)
        try await expectNextRequestWorks(transport, server)
    }

    @Test("during the handshake ends the request immediately")
    func handshake() async throws {
        let server = try await TLSServer(.http1) {
            $0.isSilent = true
        } respond: { _ in
            .good
        }
        let request = try server.request()
        let task = Task { await failure(transport, request) }
        await server.wait { $0.contains { if case .connected = $0 { true } else { false } } }
        task.cancel()
        #expect(await task.value == .cancelled)
        await server.wait { $0.contains { if case .disconnected = $0 { true } else { false } } }
    }
}
