import Foundation
import TestLimits
import Testing

@testable import BrowseData

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.bounded)
struct `A challenge` {
    /// An unused sender; the completion handler receives the answer.
    private final class Sender: NSObject, URLAuthenticationChallengeSender {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
    }

    private func answer(to space: URLProtectionSpace) async throws -> URLSession.AuthChallengeDisposition {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: try #require(URL(string: "https://host.test/")))
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space,
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: nil,
            error: nil,
            sender: Sender()
        )
        return await withCheckedContinuation { continuation in
            ExchangeDelegate().urlSession(session, task: task, didReceive: challenge) { disposition, credential in
                #expect(credential == nil)
                continuation.resume(returning: disposition)
            }
        }
    }

    @Test(arguments: [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest])
    func `of a proxy is handled by the system, which has the proxy's credentials`(method: String) async throws {
        let space = URLProtectionSpace(
            proxyHost: "proxy.test",
            port: 3128,
            type: NSURLProtectionSpaceHTTPSProxy,
            realm: "proxy",
            authenticationMethod: method
        )
        #expect(try await answer(to: space) == .performDefaultHandling)
    }

    @Test func `of a server gets no credentials`() async throws {
        let space = URLProtectionSpace(
            host: "host.test",
            port: 443,
            protocol: "https",
            realm: "server",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic
        )
        #expect(try await answer(to: space) != .performDefaultHandling)
    }
}
