import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import Testing

/// The time at which the services of these tests live: 2026-01-02 03:04:05 UTC.
let testNow = Date(timeIntervalSince1970: 1_767_323_045)

extension HTTPClient {
    /// A client of GitHub's API at an address, over the default transport.
    static func gitHub(
        at address: String,
        token: GitHub.AccessToken? = nil,
        limits: HTTPLimits = .unhurried,
        transport: (any HTTPTransport)? = nil
    ) throws -> HTTPClient {
        let baseURL = try #require(URL(string: address))
        return HTTPClient(
            service: .gitHub(baseURL: baseURL, userAgent: "BrowseKit-Tests", now: { testNow }),
            transport: transport ?? TransportKind.platformDefault.makeTransport(),
            middleware: [Authorization(for: baseURL, tokens: StoredTokenRepository(token: token))],
            limits: limits
        )
    }

    /// A client of the App Store at an address, over the default transport.
    static func appStore(at address: String, transport: (any HTTPTransport)? = nil) throws -> HTTPClient {
        HTTPClient(
            service: .appStore(
                baseURL: try #require(URL(string: address)),
                userAgent: "BrowseKit-Tests",
                now: { testNow }
            ),
            transport: transport ?? TransportKind.platformDefault.makeTransport()
        )
    }
}

extension HTTPClient {
    /// A client of the Rick and Morty API at an address, over the default transport.
    static func rickAndMorty(at address: String, transport: (any HTTPTransport)? = nil) throws -> HTTPClient {
        let baseURL = try #require(URL(string: address))
        return HTTPClient(
            service: .rickAndMorty(baseURL: baseURL, userAgent: "BrowseKit-Tests", now: { testNow }),
            transport: transport ?? TransportKind.platformDefault.makeTransport()
        )
    }
}

extension LoopbackServer {
    /// A server that gives each response once, in order of the requests, and GitHub's good responses after them.
    convenience init(first responses: LoopbackResponse...) throws {
        let played = Mutex(0)
        try self.init { request in
            let index = played.withLock { played in
                defer { played += 1 }
                return played
            }
            return index < responses.count ? responses[index] : GitHubResponses.good(for: request)
        }
    }
}

/// What an asynchronous call threw, for comparing.
func thrown<Value>(
    by body: () async throws(BrowseError) -> Value
) async -> BrowseError? {
    do throws(BrowseError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// An address on this machine where nobody listens: a reserved port, which no other test's server is ever given.
let closedAddress = "http://127.0.0.1:1"

extension HTTPLimits {
    /// A time that is over on no machine, however slow.
    static let unhurried = HTTPLimits(duration: .seconds(100_000))
}
