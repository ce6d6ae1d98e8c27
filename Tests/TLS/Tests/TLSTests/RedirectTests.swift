import BrowseDomain
import Foundation
import ScriptedTLSServer
import Testing

@testable import BrowseData

@Suite("A redirect over TLS", .timeLimit(.minutes(5)))
struct RedirectTests {
    private let transport: any HTTPTransport

    init() throws {
        transport = try TestedTransport.make()
    }

    @Test("to plain http is refused", arguments: TLSServer.Version.allCases)
    func insecure(_ version: TLSServer.Version) async throws {
        let server = try await TLSServer(version) { request in
            request.target == "/next" ? .good : .redirect(to: "http://\(request.header("host") ?? "127.0.0.1:1")/plain")
        }
        #expect(
            await failure(transport, try server.request())
                == .unreachable(.intercepted, .init(endpoint: "test", status: 302))
        )
        try await expectNextRequestWorks(transport, server)
        #expect(server.requests.map(\.target) == ["/", "/next"])
    }

    @Test("on the same origin includes credentials", arguments: TLSServer.Version.allCases)
    func sameOrigin(_ version: TLSServer.Version) async throws {
        let server = try await TLSServer(version) { $0.target == "/" ? .redirect(to: "/there") : .good }
        let response = try await transport.send(server.request(headers: ["Authorization": "Bearer secret"]))
        #expect(response.url.path() == "/there")
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer secret", "Bearer secret"])
    }

    @Test("to another origin includes no credentials", arguments: TLSServer.Version.allCases)
    func otherOrigin(_ version: TLSServer.Version) async throws {
        let other = try await TLSServer(version) { _ in .good }
        let address = "https://127.0.0.1:\(other.port)/there"
        let server = try await TLSServer(version) { _ in .redirect(to: address) }
        let response = try await transport.send(
            server.request(headers: ["Authorization": "Bearer secret", "Cookie": "secret", "X-Test": "1"])
        )
        #expect(response.url.absoluteString == address)
        let request = try #require(other.requests.first)
        #expect(request.header("X-Test") == nil)
        #expect(!request.headers.contains { $0.value.contains("secret") })
        #expect(server.requests.first?.header("Authorization") == "Bearer secret")
    }

    @Test("to another origin with an untrusted certificate isn't followed")
    func untrusted() async throws {
        let other = try await TLSServer(.http1, certificate: "expired") { _ in .good }
        let address = "https://127.0.0.1:\(other.port)/there"
        let server = try await TLSServer(.http1) { _ in .redirect(to: address) }
        let error = await failure(transport, try server.request())
        #expect(error?.isNotSecure == true, "\(String(describing: error))")
        #expect(other.requests.isEmpty)
    }
}
