import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import BrowseTesting
import Foundation
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
