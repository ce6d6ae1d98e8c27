import BrowseData
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.bounded)
struct SessionConfigurationTests {
    private let address = "https://api.example.com/greeting?q=1"

    private func url(_ text: String? = nil) throws -> URL { try #require(URL(string: text ?? address)) }

    @Test func `An app's own session gets the responses of the script`() async throws {
        let server = ScriptedServer()
        let body = Data(#"{"hello":"é"}"#.utf8)
        server.on(
            .post,
            "https://api.example.com/greeting",
            query: ["q": "1"],
            response: .body(body, status: 201, headers: ["X-Answer": "1"])
        )
        let session = URLSession(configuration: server.sessionConfiguration())
        var request = session.request(try url())
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue("2", forHTTPHeaderField: "X-Question")
        let (data, response) = try await session.data(for: request)
        #expect(data == body)
        let http = try #require(response as? HTTPURLResponse)
        #expect(http.statusCode == 201)
        #expect(http.value(forHTTPHeaderField: "X-Answer") == "1")
        #expect(server.requests.map(\.body) == [body])
        #expect(server.requests.first?.headers["X-Question"] == "2")
        try server.verify()
    }

    @Test func `The header fields of the app's configuration reach the server`() async throws {
        let base = URLSessionConfiguration.default
        base.httpAdditionalHeaders = ["Authorization": "Bearer abc", "X-App": "1"]
        let server = ScriptedServer()
        let stub = server.on(.get("/greeting").header("Authorization", "Bearer abc"), response: .json("1"))
        let session = URLSession(configuration: server.sessionConfiguration(base))
        var request = session.request(try url())
        request.setValue("2", forHTTPHeaderField: "X-App")
        _ = try await session.data(for: request)
        #expect(stub.requests.first?.headers["Authorization"] == "Bearer abc")
        #expect(stub.requests.first?.headers["X-App"] == "2")
        // The app's configuration isn't changed.
        #expect(base.protocolClasses?.isEmpty != false || base.protocolClasses?.count != 1)
    }

    /// AliSoftware/OHHTTPStubs#56 and EOSIO/eosio-swift#75
    @Test func `A background session's configuration sends nothing either`() async throws {
        #if canImport(FoundationNetworking)
        let base = URLSessionConfiguration.default
        base.identifier = "com.example.background"
        #else
        let base = URLSessionConfiguration.background(withIdentifier: "com.example.background")
        #endif
        base.httpAdditionalHeaders = ["X-App": "1"]
        let server = ScriptedServer()
        let stub = server.on(.get, "/greeting", query: ["q": "1"], response: .json("1"))
        let configuration = server.sessionConfiguration(base)
        #expect(configuration.identifier == nil)
        let session = URLSession(configuration: configuration)
        _ = try await session.data(for: session.request(try url()))
        #expect(stub.requests.first?.headers["X-App"] == "1")
    }

    @Test func `An unexpected request is reported, and a failure is an error`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/offline", response: .failure(.notConnectedToInternet))
        let session = URLSession(configuration: server.sessionConfiguration())
        let (data, response) = try await session.data(for: session.request(try url()))
        #expect((response as? HTTPURLResponse)?.statusCode == 400)
        #expect(String(decoding: data, as: UTF8.self).contains("Unexpected request"))
        let error = await #expect(throws: URLError.self) {
            try await session.data(for: session.request(try url("https://api.example.com/offline")))
        }
        #expect(error?.code == .notConnectedToInternet)
        #expect(throws: ScriptedServer.Mismatch(unexpected: ["GET /greeting?q=1"])) { try server.verify() }
    }

    @Test func `A session without its server sends nothing, and says so on standard error`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            // The server is released right after this.
            let session = URLSession(configuration: ScriptedServer().sessionConfiguration())
            let url = try #require(URL(string: "https://api.example.com/a"))
            let error = await #expect(throws: URLError.self) { try await session.data(for: session.request(url)) }
            #expect(error?.code == .resourceUnavailable)
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("https://api.example.com/a: No MockURLProtocol.Registration answers"), "\(output)")
    }

    @Test func `A session's traffic is recorded, and replayed`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/greeting", response: .json("1"))
        server.on(.get, "/offline", response: .failure(.notConnectedToInternet))
        let recorder = RecordingTransport(over: server.transport())
        func use(_ transport: any HTTPTransport) async throws {
            let mock = MockURLProtocol.Registration(transport)
            let session = URLSession(configuration: mock.sessionConfiguration())
            #expect(try await session.data(for: session.request(try url())).0 == Data("1".utf8))
            let error = await #expect(throws: URLError.self) {
                try await session.data(for: session.request(try url("https://api.example.com/offline")))
            }
            #expect(error?.code == .notConnectedToInternet)
        }
        try await use(recorder)
        let replay = ReplayingTransport(recorder.recording)
        try await use(replay)
        try replay.verify()
    }
}
