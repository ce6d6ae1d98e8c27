import BrowseAppStoreData
import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import BrowseRickAndMortyData
import Foundation
import Synchronization
import Testing

/// The current time of fake services: 2026-01-02 03:04:05 UTC.
let testNow = Date(timeIntervalSince1970: 1_767_323_045)

extension StoredTokenRepository {
    /// Creates a repository of a token that isn't stored, such as a personal one; `nil` is signed out.
    init(token: AccessToken?) {
        self.init(store: InMemoryTokenStore(token.map { Credentials(token: $0) }), configuredToken: token)
    }
}

extension HTTPClient {
    /// Creates a client of GitHub's API, over the default transport.
    static func gitHub(
        at address: String,
        token: AccessToken? = nil,
        limits: HTTPLimits = .unhurried,
        transport: (any HTTPTransport)? = nil
    ) throws -> HTTPClient {
        let baseURL = try #require(URL(string: address))
        var service = HTTPClient.Service.gitHub(baseURL: baseURL, userAgent: "BrowseKit-Tests")
        service.evidence = .ofFakes
        return HTTPClient(
            service: service,
            transport: transport ?? HTTPClient.makeTransport(),
            middleware: .authorized(at: baseURL, StoredTokenRepository(token: token)),
            options: .init {
                $0.limits = limits
                $0.now = { testNow }
            }
        )
    }

    /// Creates a client of the App Store, over the default transport.
    static func appStore(at address: String, transport: (any HTTPTransport)? = nil) throws -> HTTPClient {
        HTTPClient(
            service: .appStore(baseURL: try #require(URL(string: address)), userAgent: "BrowseKit-Tests"),
            transport: transport ?? HTTPClient.makeTransport(),
            options: .init {
                $0.limits = .unhurried
                $0.now = { testNow }
            }
        )
    }
}

extension HTTPClient.Service.Evidence {
    /// Takes everything but pages for the service's, because fakes of GitHub don't have its fields.
    static var ofFakes: Self { Self(realm: "GitHub") { $0.mediaType != "text/html" } }
}

extension HTTPClient {
    /// Creates a client of the Rick and Morty API, over the default transport.
    static func rickAndMorty(at address: String, transport: (any HTTPTransport)? = nil) throws -> HTTPClient {
        let baseURL = try #require(URL(string: address))
        return HTTPClient(
            service: .rickAndMorty(baseURL: baseURL, userAgent: "BrowseKit-Tests"),
            transport: transport ?? HTTPClient.makeTransport(),
            options: .init {
                $0.limits = .unhurried
                $0.now = { testNow }
            }
        )
    }
}

extension HTTPClient {
    /// Creates a standard client that adds tokens and doesn't retry.
    static func authorized(
        by tokens: any AccessTokens,
        slots: Int = 8,
        over transport: any HTTPTransport,
        clock: any Clock<Duration>,
        observers: [any HTTPObserver] = []
    ) throws -> HTTPClient {
        var service = HTTPClient.Service.json(
            baseURL: try #require(URL(string: "https://api.example")),
            userAgent: "Tests"
        )
        // No proxy is between them.
        service.evidence = .init { _ in true }
        return .standard(
            service,
            transport: transport,
            tokens: tokens,
            options: .init {
                $0.requestConcurrency = slots
                $0.retries = .never
                $0.clock = clock
                $0.observers = observers
            }
        )
    }
}

extension [any HTTPMiddleware] {
    /// The middleware that adds tokens, around others.
    static func authorized(
        at baseURL: URL,
        _ tokens: any AccessTokens,
        in field: TokenField = .bearer,
        around others: [any HTTPMiddleware] = []
    ) -> Self {
        let authorization = Authorization(tokens: tokens, in: field)
        return [RequestAccount(for: baseURL, tokens: tokens)] + others
            + [TokenRenewal(for: authorization), authorization]
    }
}

extension StoredTokenRepository {
    /// Returns the grant after a refusal of the current token.
    func grantAfterRefusal() async throws(BrowseError) -> AccessGrant? {
        guard let refused = try await currentGrant() else { return nil }
        return try await grant(afterRefusalOf: refused, refusals: 1)
    }
}

extension LoopbackServer {
    /// Starts a server that sends each response once, in order, and valid GitHub responses afterward.
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

/// Returns the error that an asynchronous call throws.
func thrown<Value>(by body: () async throws(BrowseError) -> Value) async -> BrowseError? {
    do throws(BrowseError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// A loopback URL with a closed port, which is reserved, so that no test's server gets it.
let closedAddress = "http://127.0.0.1:1"

extension HTTPLimits {
    /// A duration that doesn't pass during a test, even on slow machines.
    static let unhurried = HTTPLimits(duration: .seconds(100_000))
}
