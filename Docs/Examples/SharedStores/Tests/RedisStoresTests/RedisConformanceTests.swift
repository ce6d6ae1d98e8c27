import BrowseData
import BrowseKit
import BrowseMocks
import BrowseTesting
import Crypto
import Foundation
import RedisStores
import TestServers
import Testing

/// The stores in Redis follow the rules of the SDK's stores.
@Suite(.timeLimit(.minutes(10)))
struct `Stores in Redis` {
    @Test(arguments: TokenStoreConformance.rules + TokenStoreConformance.lockRules + TokenStoreConformance.changeRules)
    func `keep tokens`(rule: ConformanceRule<any TokenStore>) async throws {
        let server = try await RedisServer()
        let url = try #require(URL(string: "https://api.github.com"))
        try await rule.verify(
            RedisTokenStore(
                server.client(),
                visitor: "a",
                session: SessionName("GitHub", at: url),
                secret: SymmetricKey(size: .bits256)
            )
        )
    }

    @Test(arguments: FavoriteRepositoryConformance.rules)
    func `keep favorites`(rule: ConformanceRule<any FavoriteRepository>) async throws {
        let server = try await RedisServer()
        try await rule.verify(RedisFavoriteRepository(server.client(), visitor: "a"))
    }

    @Test func `pass the present repository on`() async throws {
        let server = try await RedisServer()
        let container = Container.offline()
        server.stores(SymmetricKey(size: .bits256)).shareStars(of: "a", in: container)
        let details = try await container.repoRepository()
            .details(named: "hello-tentacles", of: GitHub.Login("octocat"))
        #expect(try await container.starRepository().current(details.repo) == details.repo)
    }
}
