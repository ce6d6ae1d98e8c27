import BrowseDomain
import Foundation
import ScriptedTLSServer
import Testing

@testable import BrowseData

@Suite("The limits of a response over TLS", .timeLimit(.minutes(5)))
struct LimitTests {
    private let transport: any HTTPTransport
    private let tooLarge = BrowseError.unusableResponse(.tooLarge(limit: 100_000), .test)

    init() throws {
        transport = try TestedTransport.make()
    }

    @Test("stop a body that exceeds them", arguments: TLSServer.Version.allCases)
    func growing(_ version: TLSServer.Version) async throws {
        let part = [UInt8](repeating: 32, count: 10_000)
        let server = try await TLSServer(
            version,
            first: TLSResponse(steps: [.head(200), .repeated(part, count: 11), .hold])
        )
        #expect(await failure(transport, try server.request(bodyLimit: 100_000)) == tooLarge)
        await server.waitForAbandonment()
        try await expectNextRequestWorks(transport, server)
    }

    @Test("reject a body with a larger announced length", arguments: TLSServer.Version.allCases)
    func announced(_ version: TLSServer.Version) async throws {
        let response = TLSResponse(steps: [.head(200, [("content-length", "100001")]), .hold])
        let server = try await TLSServer(version, first: response)
        #expect(await failure(transport, try server.request(bodyLimit: 100_000)) == tooLarge)
        await server.waitForAbandonment()
        try await expectNextRequestWorks(transport, server)
    }

    @Test("accept a body of exactly their size", arguments: TLSServer.Version.allCases)
    func exact(_ version: TLSServer.Version) async throws {
        let body = [UInt8](repeating: 32, count: 100_000)
        let server = try await TLSServer(version, first: TLSResponse(body: body))
        #expect(try await transport.send(server.request(bodyLimit: 100_000)).body == Data(body))
    }

    @Test("accept a compressed body, and stop one that expands to more", arguments: CompressedBody.Coding.allCases)
    func compressed(_ coding: CompressedBody.Coding) async throws {
        for version in TLSServer.Version.allCases {
            let server = try await TLSServer(version) { request in
                let accepted = request.header("Accept-Encoding") ?? ""
                // Servers use only accepted content codings.
                guard accepted.contains(coding.rawValue) else { return .good }
                let body = request.target == "/bomb" ? coding.bomb : coding.answer
                return TLSResponse(headers: [("content-encoding", coding.rawValue)], body: body)
            }
            try await expectNextRequestWorks(transport, server)
            let accepted = server.requests.first?.header("Accept-Encoding") ?? ""
            // Which other codings `URLSession` accepts depends on the installed libcurl.
            guard coding == .gzip || accepted.contains(coding.rawValue) else { continue }
            #expect(accepted.contains(coding.rawValue))
            #expect(await failure(transport, try server.request(.get, "/bomb", bodyLimit: 100_000)) == tooLarge)
            try await expectNextRequestWorks(transport, server)
        }
    }

    @Test(
        "bound a header",
        arguments: TLSServer.Version.allCases
    )
    func header(_ version: TLSServer.Version) async throws {
        // A repeated field, which takes one byte each in HTTP/2.
        let fields = [(String, String)](repeating: ("x-filler", String(repeating: "a", count: 1024)), count: 1000)
        let server = try await TLSServer(version, first: TLSResponse(steps: [.head(200, fields), .hold]))
        let error = await failure(transport, try server.request())
        #expect(error != nil && error != .cancelled, "\(String(describing: error))")
        try await expectNextRequestWorks(transport, server)
    }

    @Test(
        "bound interim responses",
        arguments: TLSServer.Version.allCases
    )
    func interim(_ version: TLSServer.Version) async throws {
        let early = TLSResponse.Step.informational(103, [("x-filler", String(repeating: "a", count: 1000))])
        let steps = [TLSResponse.Step](repeating: early, count: 2000)
        let server = try await TLSServer(version, first: TLSResponse(steps: steps + [.hold]))
        let error = await failure(transport, try server.request())
        #expect(error != nil && error != .cancelled, "\(String(describing: error))")
        // Over HTTP/2, libcurl itself stops the transfer, and may keep the connection.
        if version == .http1 { await server.waitForAbandonment() }
        try await expectNextRequestWorks(transport, server)
    }
}
