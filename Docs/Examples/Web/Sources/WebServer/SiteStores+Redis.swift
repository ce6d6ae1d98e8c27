import BrowseKit
import Foundation
import RedisStores
import Synchronization
import WebApp
import WebSupport

extension SiteStores {
    /// Stores everything in Redis, so that it doesn't matter which process responds to a visitor.
    static func redis(_ redis: RedisStores) -> SiteStores {
        SiteStores(shared: redis.shared, keys: RedisKeys(keys: RedisVisitorKeys(redis.client))) { key in
            let stars = SharedStars(redis, key)
            let user = UserStores(favorites: redis.favorites(of: key)) { redis.tokens(of: key, server: $0) }
            return VisitorStores(user) { stars.share(in: $0) }
        }
    }
}

/// The keys of visitors' stores, under digests of the ids, so that the database doesn't contain ids.
private struct RedisKeys: VisitorKeys {
    let keys: RedisVisitorKeys

    func key(of id: VisitorID) async throws -> String {
        try await keys.key(of: id.digest, orAdd: VisitorID().rawValue)
    }

    func move(_ former: VisitorID, to new: VisitorID) async throws {
        try await keys.move(former.digest, to: new.digest)
    }
}

/// Notifies a visitor's other processes of stars, and reads the stars again after their notifications.
private final class SharedStars: Sendable {
    private let redis: RedisStores
    private let visitor: String
    private let end = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ redis: RedisStores, _ visitor: String) {
        self.redis = redis
        self.visitor = visitor
    }

    deinit { end.withLock(\.self)?() }

    /// Shares the stars of a container, before its first use.
    func share(in container: Container) {
        container.starRepository.override { [redis, visitor] in redis.stars(of: visitor, in: $0) }
        let end = redis.followStars(of: visitor, container.gitHubSession())
        self.end.withLock { $0 = end }
    }
}
