import BrowseDomain
import Foundation
import ScriptedTLSServer
import Testing

@testable import BrowseData

@Suite("A server that can't be trusted", .timeLimit(.minutes(5)))
struct CertificateTests {
    /// Invalid certificates, and the word that the error must contain.
    struct Problem: Sendable, CustomTestStringConvertible {
        let certificate: String
        let word: String
        var testDescription: String { certificate }
    }

    private static let problems = [
        Problem(certificate: "expired", word: "expired"),
        Problem(certificate: "not-yet-valid", word: "not yet valid"),
        Problem(certificate: "wrong-host", word: "host name"),
        Problem(certificate: "self-signed", word: "self-signed"),
        Problem(certificate: "unknown-ca", word: "issuer"),
    ]

    private let transport: any HTTPTransport

    init() throws {
        transport = try TestedTransport.make()
    }

    @Test("gets no request, whatever the problem with its certificate", arguments: problems)
    func certificate(_ problem: Problem) async throws {
        for version in TLSServer.Version.allCases {
            let server = try await TLSServer(version, certificate: problem.certificate) { _ in .good }
            let error = await failure(transport, try server.request(headers: ["Authorization": "Bearer secret"]))
            #expect(error?.isNotSecure == true, "\(String(describing: error))")
            #expect(server.requests.isEmpty)
        }
    }

    @Test(
        "is reported by the name of the problem",
        arguments: problems
    )
    func wording(_ problem: Problem) async throws {
        let server = try await TLSServer(.http1, certificate: problem.certificate) { _ in .good }
        guard case .unreachable(.notSecure(let detail), .test) = await failure(transport, try server.request()) else {
            Issue.record("the error is another one")
            return
        }
        #expect(detail.contains(problem.word), "\(detail)")
    }

    @Test("fails with a security error if it supports only an obsolete TLS version")
    func obsolete() async throws {
        let server = try await TLSServer(.http1) {
            $0.isObsolete = true
        } respond: { _ in
            .good
        }
        let error = await failure(transport, try server.request())
        #expect(error?.isNotSecure == true, "\(String(describing: error))")
        #expect(server.requests.isEmpty)
    }

    @Test("doesn't affect requests to a trusted one")
    func others() async throws {
        let bad = try await TLSServer(.http1, certificate: "self-signed") { _ in .good }
        let good = try await TLSServer(.http1) { _ in .good }
        for _ in 0..<3 {
            #expect(await failure(transport, try bad.request())?.isNotSecure == true)
            try await expectNextRequestWorks(transport, good)
        }
    }
}

extension BrowseError {
    /// Whether the error is a failed secure connection.
    var isNotSecure: Bool {
        if case .unreachable(.notSecure, _) = self { true } else { false }
    }
}
