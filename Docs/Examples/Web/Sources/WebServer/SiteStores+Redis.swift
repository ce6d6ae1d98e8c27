import BrowseKit
import RedisStores
import WebApp

extension SiteStores {
    /// Stores everything in Redis, so that it doesn't matter which process responds to a visitor.
    static func redis(_ redis: RedisStores) -> SiteStores {
        var stores = SiteStores { key in
            let user = UserStores(favorites: redis.favorites(of: key)) { redis.tokens(of: key, session: $0) }
            return VisitorStores(user, signIn: redis.pendingSignIns(of: key))
        }
        stores.ids = redis.visitors
        stores.servers = redis.servers
        return stores
    }
}
