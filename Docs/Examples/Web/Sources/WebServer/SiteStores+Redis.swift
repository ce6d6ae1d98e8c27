import BrowseKit
import Foundation
import RedisStores
import Synchronization
import WebApp

extension SiteStores {
    /// Stores everything in Redis, so that it doesn't matter which process responds to a visitor.
    static func redis(_ redis: RedisStores, server: URL) -> SiteStores {
        SiteStores(shared: redis.shared) { key in
            let stars = SharedStars(redis, key)
            return VisitorStores(
                favorites: redis.favorites(of: key),
                tokens: redis.tokens(of: key, server: server),
                prepare: { stars.share(in: $0) }
            )
        }
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
        let end = redis.followStars(of: visitor, container.session())
        self.end.withLock { $0 = end }
    }
}
