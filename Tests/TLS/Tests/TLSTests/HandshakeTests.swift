import BrowseDomain
import Foundation
import ScriptedTLSServer
import Testing

@testable import BrowseData

@Suite("A connection that ends within its handshake", .timeLimit(.minutes(5)))
struct HandshakeTests {
    /// Positions in the server's messages, which have about 1,000 bytes, 127 of them in the ServerHello.
    ///
    /// Before the ServerHello, within its record header and its body, within the encrypted extensions and the certificate, and
    /// after the certificate.
    private static let places = [0, 1, 4, 5, 6, 60, 126, 127, 128, 133, 140, 200, 400, 700]

    @Test("is a typed error, sends no request, and doesn't affect the next one", arguments: places, [false, true])
    func cut(after bytes: Int, withReset isReset: Bool) async throws {
        for version in TLSServer.Version.allCases {
            let transport = try TestedTransport.make()
            let server = try await TLSServer(
                version,
                options: { options in
                    options.byteLimit = { $0 == 0 ? bytes : nil }
                    options.resetsAtByteLimit = isReset
                },
                respond: { _ in .good }
            )
            let error = await failure(transport, try server.request(.post, "/once", body: [1], isSafeToRepeat: false))
            guard case .unreachable(let reason, .test)? = error else {
                Issue.record("\(version): \(String(describing: error))")
                continue
            }
            // libcurl reports the system's error only from 7.88 on.
            if isReset { #expect(reason == .connectionLost, "\(version)") }
            #expect(server.requests.isEmpty, "\(version)")
            try await expectNextRequestWorks(transport, server)
            #expect(server.requests.map(\.connection) == [1], "\(version)")
        }
    }
}
