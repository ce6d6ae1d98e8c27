import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct `A request without a body` {
    /// The transport adds the length, also to requests that no client has made.
    @Test(arguments: TestTransport.robust, [HTTPMethod.get, .post, .put, .patch, .delete])
    func `has a length of 0 if its method usually has a body`(on transport: TestTransport, method: HTTPMethod)
        async throws
    {
        let server = try LoopbackServer { _ in .json("{}") }
        let url = try #require(URL(string: server.origin))
        _ = try await transport.make().send(HTTPClient.Request(method: method, url: url, endpoint: "TEST"))
        let length = server.requests.first?.header("Content-Length")
        #expect(length == (method == .get || method == .delete ? nil : "0"))
    }

    @Test func `has none in a script and a recording, whatever its method is`() async throws {
        let server = ScriptedServer()
        server.on(.post("/a").matching("it has no body") { $0.body == nil }, response: .status(204))
        let recorder = RecordingTransport(over: server.transport())
        let url = try #require(URL(string: "https://api.example"))
        let client = HTTPClient(service: .json(baseURL: url, userAgent: "x"), transport: recorder)
        try await client.send(Endpoint<Void>.json(method: .post, .path("/a")))
        #expect(recorder.recording.exchanges.map(\.body) == [nil])
        try server.verify()
    }
}
