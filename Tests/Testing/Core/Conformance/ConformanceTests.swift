import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import BrowseTesting
import Foundation
import Synchronization
import TestLimits
import Testing

/// BrowseKit's own types follow the rules that it offers for others.
@Suite(.bounded)
struct ConformanceTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "conformance-\(UUID().uuidString)")

    @Test(arguments: TokenStoreConformance.rules + TokenStoreConformance.lockRules)
    func `Token stores in memory and in files follow the rules`(rule: ConformanceRule<any TokenStore>) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await rule.verify(InMemoryTokenStore())
        let server = try #require(URL(string: "https://api.github.com"))
        try await rule.verify(FileTokenStore(folder: folder, name: SessionName("GitHub", at: server)))
    }

    @Test(arguments: TokenRepositoryConformance.rules)
    func `Token repositories in memory and on a store follow the rules`(
        rule: ConformanceRule<any TokenRepository>
    ) async throws {
        try await rule.verify(InMemoryTokenRepository())
        try await rule.verify(StoredTokenRepository(store: InMemoryTokenStore()))
    }

    @Test(arguments: FavoriteRepositoryConformance.rules)
    func `Favorite repositories in memory and in files follow the rules`(
        rule: ConformanceRule<any FavoriteRepository>
    ) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await rule.verify(InMemoryFavoriteRepository())
        try await rule.verify(SQLiteFavoriteRepository(folder: folder))
    }

    @Test(arguments: TransportConformance.rules)
    func `The platform's transport follows the rules`(rule: ConformanceRule<any HTTPTransport>) async throws {
        try await rule.verify(HTTPClient.makeTransport())
    }

    @Test func `A transport that caches responses violates the rules`() async throws {
        final class Caching: HTTPTransport {
            private let base = HTTPClient.makeTransport()
            private let responses = Mutex<[URL: HTTPClient.Response]>([:])

            func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
                if request.method == .get, let response = responses.withLock({ $0[request.url] }) { return response }
                let response = try await base.send(request)
                responses.withLock { $0[request.url] = response }
                return response
            }
        }
        let rule = try #require(TransportConformance.rules.first { $0.name.hasPrefix("Each request is sent once") })
        let violation = await #expect(throws: ConformanceViolation.self) { try await rule.verify(Caching()) }
        #expect(violation?.description.hasSuffix("Instead: 2 of 3 arrived, such as with a cache.") == true)
    }

    @Test func `A transport that sends no length of a missing body violates the rules`() async throws {
        struct Literal: HTTPTransport {
            func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
                var request = request
                // The method that has none.
                if request.body == nil { request.method = .get }
                return try await HTTPClient.makeTransport().send(request)
            }
        }
        let rule = try #require(TransportConformance.rules.first { $0.name.hasSuffix("has the length 0.") })
        let violation = await #expect(throws: ConformanceViolation.self) { try await rule.verify(Literal()) }
        #expect(violation?.description.hasSuffix("Instead: POST has no `Content-Length`.") == true)
    }

    @Test func `Token repositories that store users of ended grants violate the rules`() async {
        actor Restoring: TokenRepository {
            private let good = InMemoryTokenRepository()
            private var last: Credentials?
            nonisolated var events: AsyncStream<TokenEvent> { good.events }

            func current() async throws(BrowseError) -> TokenGrant? { try await good.current() }

            func begin(with credentials: Credentials) async throws(BrowseError) -> TokenGrant {
                last = credentials
                return try await good.begin(with: credentials)
            }

            func identify(_ grant: TokenGrant.ID, as user: StoredUser) async {
                let isEnded = (try? await good.current()) == nil
                if isEnded, let last { _ = try? await good.begin(with: last) }
                await good.identify(grant, as: user)
            }

            func end() async throws(BrowseError) { try await good.end() }

            func revoke(_ credentials: Credentials) async throws(BrowseError) { try await good.revoke(credentials) }
        }
        var violated: [String] = []
        for rule in TokenRepositoryConformance.rules {
            do { try await rule.verify(Restoring()) } catch { violated.append(rule.name) }
        }
        #expect(violated == ["The user of a grant that has ended isn't stored."])
    }

    @Test func `Broken types violate the rules`() async throws {
        struct Forgetful: TokenStore {
            func load() async throws(BrowseError) -> Credentials? { nil }
            func update(
                _ change: @Sendable (Result<Credentials?, BrowseError>) -> TokenChange
            ) async throws(BrowseError) {}
        }
        struct Silent: HTTPTransport {
            func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
                HTTPClient.Response(status: 200, url: request.url)
            }
        }
        var violated: [String] = []
        for rule in TokenStoreConformance.rules + TokenStoreConformance.lockRules {
            do { try await rule.verify(Forgetful()) } catch { violated.append("\(error)") }
        }
        #expect(violated.count == 4)
        #expect(
            violated.first == "Rule violated: Stored credentials are loaded unchanged. Instead: nothing was loaded."
        )
        for rule in TransportConformance.rules where !["A canceled request is `.cancelled`."].contains(rule.name) {
            await #expect(throws: (any Error).self, "\(rule.name)") { try await rule.verify(Silent()) }
        }
    }
}
