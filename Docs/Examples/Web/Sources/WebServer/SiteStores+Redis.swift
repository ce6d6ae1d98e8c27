import BrowseKit
import Foundation
public import RedisStores
import Synchronization
public import WebApp
import WebSupport

extension SiteStores {
    /// Stores everything in Redis, so that it doesn't matter which process responds to a visitor.
    static func redis(_ redis: RedisStores) -> SiteStores {
        SiteStores(
            shared: redis.shared,
            ids: RedisIDs(visitors: redis.visitors),
            channel: redis.channel,
            servers: [
                StoreServer("durable") {
                    guard (try? await redis.check()) != nil else { return false }
                    return await redis.durable.isAvailable()
                } failureCount: {
                    redis.durable.failureCount
                },
                StoreServer("cache") {
                    await redis.cache.isAvailable()
                } failureCount: {
                    redis.cache.failureCount
                },
            ]
        ) { key in
            let stars = SharedStars(redis, key)
            let user = UserStores(favorites: redis.favorites(of: key)) { redis.tokens(of: key, server: $0) }
            return VisitorStores(user, signIn: redis.pendingSignIns(of: key)) { stars.share(in: $0) }
        }
    }
}

extension RedisChannel: ProcessChannel {}

extension RedisPendingSignIns: PendingSignInStore {}

/// The ids of visitors, as digests, so that the database doesn't contain ids.
private struct RedisIDs: VisitorIDs {
    let visitors: RedisVisitors

    func current(of key: String) async throws -> String? { try await visitors.current(of: key) }

    func replace(_ former: VisitorID, by new: VisitorID) async throws -> Bool {
        try await visitors.replace(former.digest, by: new.digest, of: former.key)
    }

    // Redis deletes them itself.
    func deleteExpired() {}
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
