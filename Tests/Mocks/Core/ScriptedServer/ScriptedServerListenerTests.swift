import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct ScriptedServerListenerTests {
    let clock = TestClock()

    private func send(_ path: String, to listener: ScriptedServer.Listener) async throws -> HTTPClient.Response {
        let request = HTTPClient.Request(url: listener.url.appending(path: path), endpoint: "TEST")
        return try await HTTPClient.makeTransport(clock: TestClock()).send(request)
    }

    @Test func `A script answers on a port`() async throws {
        let server = ScriptedServer(clock: clock)
        server.on(.get, "/a", times: 1, response: .json("[1]", headers: ["X-Part": "1"]))
        let listener = try server.listen()
        let response = try await send("a", to: listener)
        #expect(response.text == "[1]")
        #expect(response.headers["X-Part"] == "1")
        #expect(try await send("b", to: listener).status == 400)
        #expect(server.requests.map(\.path) == ["/a", "/b"])
        #expect(throws: ScriptedServer.Mismatch(unexpected: ["GET /b"])) { try server.verify() }
    }

    @Test func `Bodies are chunked, truncated, and throttled on the connection`() async throws {
        let server = ScriptedServer(clock: clock)
        let body = String(repeating: "0123456789", count: 10)
        server.on(.get, "/chunked", response: .json(body).chunked(size: 7))
        server.on(.get, "/truncated", response: .json(body).truncated(after: 50))
        server.on(.get, "/throttled", response: .json(body).throttled(bytesPerSecond: 500).chunked(size: 7))
        let listener = try server.listen()
        let chunked = try await send("chunked", to: listener)
        #expect(chunked.text == body)
        #expect(chunked.headers["Content-Length"] == nil)
        let error = await #expect(throws: BrowseError.self) { try await send("truncated", to: listener) }
        #expect(error == .unreachable(.connectionLost, BrowseError.RequestInfo(endpoint: "TEST")))

        async let throttled = send("throttled", to: listener)
        for _ in 0..<2 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .milliseconds(100))
        }
        #expect(try await throttled.text == body)
    }

    /// wiremock/WireMock.Net#1158 and appercept/Delphi-WebMocks#56
    @Test func `The length of a script replaces that of the body, and isn't sent with chunks`() async throws {
        let server = ScriptedServer(clock: clock)
        let body = Data("12345".utf8)
        server.on(.get, "/short", response: .body(body, headers: ["Content-Length": "3"]))
        server.on(.get, "/chunked", response: .body(body, headers: ["content-length": "3"]).chunked(size: 2))
        server.on(.get, "/empty", response: .status(200, headers: ["Content-Length": "0"]))
        let listener = try server.listen()
        let short = try await send("short", to: listener)
        #expect(short.text == "123" && short.headers["Content-Length"] == "3")
        let chunked = try await send("chunked", to: listener)
        #expect(chunked.text == "12345" && chunked.headers["Content-Length"] == nil)
        #expect(try await send("empty", to: listener).headers.fields["content-length"] == "0")
    }

    @Test func `Stopping ends connections whose responses are held`() async throws {
        let server = ScriptedServer(clock: clock)
        server.on(.get, "/a", response: .json("1").held())
        server.on(.get, "/b", response: .json("1").delayed(by: .seconds(1)))
        let listener = try server.listen()
        async let first = #expect(throws: BrowseError.self) { try await send("a", to: listener) }
        async let second = #expect(throws: BrowseError.self) { try await send("b", to: listener) }
        await server.waitForRequests(2)
        listener.stop()
        _ = await (first, second)
        #expect(clock.sleeperCount == 0)
    }
}

extension HTTPClient.Request {
    fileprivate var path: String { url.path() }
}
