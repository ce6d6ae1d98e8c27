import BrowseKit
import RedisStores
import WebApp

extension SiteStores {
    /// Stores everything in Redis, so that it doesn't matter which process responds to a visitor.
    static func redis(_ redis: RedisStores) -> SiteStores {
        var stores = SiteStores { key in
            let stars = redis.stars(of: key)
            let user = UserStores(favorites: redis.favorites(of: key)) { redis.tokens(of: key, session: $0) }
            return VisitorStores(user, signIn: redis.pendingSignIns(of: key)) { stars.share(in: $0) }
        }
        (stores.ids, stores.channel) = (redis.visitors, redis.channel)
        stores.servers = redis.servers
        return stores
    }
}
