import BrowseData
public import BrowseKit
public import Crypto
import Foundation
public import ServerStores
import Synchronization

/// All stores of a server's processes, on two Redis servers.
///
/// `maxmemory` and its policy belong to a whole server. One server evicts responses, which can be lost. The other one evicts
/// nothing, and has an append-only file.
///
/// ```swift
/// let durable = RedisClient(RedisAddress(port: 6379))
/// let redis = RedisStores(durable: durable, cache: RedisClient(RedisAddress(port: 6380)), secret: secret)
/// container.distributedStores.override { _ in redis.shared }
/// container.gitHubTokenStore.override { _ in redis.tokens(of: visitor, server: server) }
/// container.favoriteRepository.override { _ in redis.favorites(of: visitor) }
/// stars = redis.stars(of: visitor)
/// stars.share(in: container)
/// ```
public struct RedisStores: Sendable {
    /// A durable server that could lose what visitors have stored.
    public struct UnsuitableServer: Error, Hashable, CustomStringConvertible {
        /// The server.
        public let address: RedisAddress
        /// Its `maxmemory-policy`.
        public let policy: String

        /// The problem, and its solution.
        public var description: String {
            "The durable Redis server \(address) has the maxmemory-policy \(policy), which evicts what visitors have stored. "
                + "Set it to noeviction."
        }
    }

    /// The client of the server that evicts nothing.
    public let durable: RedisClient
    /// The client of the server that evicts responses.
    public let cache: RedisClient
    private let secret: SymmetricKey

    /// Creates the stores without accessing the servers.
    ///
    /// - Parameters:
    ///   - durable: The client of a server with `maxmemory-policy noeviction` and `appendonly yes`.
    ///   - cache: The client of a server with `maxmemory-policy allkeys-lru`.
    ///   - secret: The key that encrypts credentials and sign-ins, the same in all processes.
    public init(durable: RedisClient, cache: RedisClient, secret: SymmetricKey) {
        self.durable = durable
        self.cache = cache
        self.secret = secret
    }

    /// Checks that the durable server evicts nothing.
    ///
    /// - Returns: Further problems, for the log: servers that can't be reached, or aren't configured for their purpose.
    /// - Throws: ``UnsuitableServer``.
    public func check() async throws(UnsuitableServer) -> [String] {
        let (lasting, evicting) = (await durable.information(), await cache.information())
        if let policy = lasting?["maxmemory_policy"], policy != "noeviction" {
            throw UnsuitableServer(address: durable.address, policy: String(policy))
        }
        var problems: [String] = []
        for (name, information) in [("durable", lasting), ("cache", evicting)] where information == nil {
            problems.append("The \(name) Redis server can't be reached; the site shows what it can.")
        }
        if lasting?["aof_enabled"] == "0" {
            problems.append("The durable Redis server has no append-only file, and can lose data. Set appendonly yes.")
        }
        if evicting?["maxmemory_policy"] == "noeviction" {
            problems.append("The cache Redis server evicts nothing. Set maxmemory, and maxmemory-policy allkeys-lru.")
        }
        if let id = lasting?["run_id"], id == evicting?["run_id"] {
            problems.append("The durable server and the cache are the same Redis server, which must be two.")
        }
        return problems
    }

    /// The stores that do not belong to a visitor.
    public var shared: DistributedStores {
        DistributedStores(responses: RedisResponseStore(cache))
    }

    /// The ids of visitors.
    public var visitors: RedisVisitors { RedisVisitors(durable) }

    /// The messages between processes.
    public var channel: RedisChannel { RedisChannel(durable) }

    /// Returns the sign-in in progress of a visitor.
    public func pendingSignIns(of visitor: String) -> RedisPendingSignIns {
        RedisPendingSignIns(durable, visitor: visitor, secret: secret)
    }

    /// Returns the credentials of a visitor.
    ///
    /// - Parameters:
    ///   - visitor: The identifier of the visitor, the same in all processes.
    ///   - server: The base URL of the API that the credentials are for.
    public func tokens(of visitor: String, server: URL) -> RedisTokenStore {
        RedisTokenStore(durable, visitor: visitor, server: server, secret: secret)
    }

    /// Returns the favorites of a visitor.
    public func favorites(of visitor: String) -> RedisFavoriteRepository {
        RedisFavoriteRepository(durable, visitor: visitor)
    }

    /// Both servers, to be observed.
    public var servers: [StoreServer] {
        [
            StoreServer("durable") {
                let policy = await durable.information()?["maxmemory_policy"]
                // A server that is loading its data has a policy, too.
                guard ["noeviction", nil].contains(policy) else { return false }
                return await durable.isAvailable()
            } failureCount: {
                durable.failureCount
            },
            StoreServer("cache") {
                await cache.isAvailable()
            } failureCount: {
                cache.failureCount
            },
        ]
    }

    /// Returns the stars of a visitor, to be shared by processes.
    public func stars(of visitor: String) -> SharedStars { SharedStars(durable, visitor) }
}

/// The stars of a visitor, which are read again after other processes have written some.
public final class SharedStars: Sendable {
    private let client: RedisClient
    private let visitor: String
    private let end = Mutex<(@Sendable () -> Void)?>(nil)

    fileprivate init(_ client: RedisClient, _ visitor: String) {
        self.client = client
        self.visitor = visitor
    }

    deinit { end.withLock(\.self)?() }

    /// Shares the stars of a container, before its first use.
    ///
    /// - Parameters:
    ///   - container: The visitor's container.
    ///   - clock: Measures the wait after a reconnect.
    public func share(in container: Container, clock: any Clock<Duration> = ContinuousClock()) {
        container.starRepository.override { [client, visitor] container in
            let remote = RemoteStarRepository(
                client: container.gitHubClient(),
                concurrency: container.configuration.pageConcurrency
            )
            return RedisStarRepository(remote, client, visitor: visitor)
        }
        let end = RedisStarRepository.follow(client, visitor: visitor, container.gitHubSession(), clock: clock)
        self.end.withLock { $0 = end }
    }
}
