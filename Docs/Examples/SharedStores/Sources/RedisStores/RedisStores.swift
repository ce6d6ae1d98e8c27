public import BrowseData
public import BrowseKit
public import Crypto
import Foundation

/// All stores of a server's processes, on a Redis server.
///
/// The server evicts nothing, and has an append-only file.
///
/// ```swift
/// let redis = RedisStores(durable: RedisClient(RedisAddress(port: 6379)), secret: secret)
/// container.gitHubTokenStore.override { _ in redis.tokens(of: visitor, session: session) }
/// container.favoriteRepository.override { _ in redis.favorites(of: visitor) }
/// ```
public struct RedisStores: Sendable {
    /// A durable server that could lose what visitors have stored.
    public struct UnsuitableServer: Error, CustomStringConvertible {
        /// The problem, and its solution.
        public let description: String
    }

    /// The client of the server that evicts nothing.
    public let durable: RedisClient
    private let secret: SymmetricKey

    /// Creates the stores without accessing the server.
    ///
    /// - Parameters:
    ///   - durable: The client of a server with `maxmemory-policy noeviction` and `appendonly yes`.
    ///   - secret: The key that encrypts credentials and sign-ins, the same in all processes.
    public init(durable: RedisClient, secret: SymmetricKey) {
        self.durable = durable
        self.secret = secret
    }

    /// Checks that the server stores something, and evicts nothing.
    ///
    /// - Returns: Further problems, for the log: a server that can't be reached, refuses something, or can lose data.
    /// - Throws: ``UnsuitableServer``.
    public func check() async throws(UnsuitableServer) -> [String] {
        func unsuitable(_ problem: String) -> UnsuitableServer {
            UnsuitableServer(description: "The Redis server \(durable.address) \(problem)")
        }
        guard let information = await durable.information() else {
            // The user may lack this permission only.
            let isAvailable = await durable.isAvailable()
            let missing = "doesn't say whether it evicts. Permit +info."
            let problem = isAvailable ? missing : "can't be reached, or refuses the user or password."
            return ["The durable Redis server \(problem)"]
        }
        // Valkey has another name for it.
        let mode = information["redis_mode"] ?? information["server_mode"]
        if mode == "sentinel" {
            throw unsuitable("is a sentinel, which stores nothing. Use the address of the primary server.")
        }
        if let policy = information["maxmemory_policy"], policy != "noeviction" {
            let problem = "has the maxmemory-policy \(policy), which evicts what visitors have stored"
            throw unsuitable("\(problem). Set it to noeviction.")
        }
        var problems: [String] = []
        if mode == "cluster" {
            problems.append("is part of a cluster, and refuses what other servers of it store. Use one server.")
        }
        if information["role"] == "slave" {
            problems.append("is a replica, and refuses changes. Use the address of the primary server.")
        }
        if information["aof_enabled"] == "0" {
            problems.append("has no append-only file, and can lose data. Set appendonly yes.")
        }
        if await !durable.isNotifying() {
            let channel = durable.subscriber.channel
            problems.append("doesn't let the user notify other processes of changes. Permit &\(channel).")
        }
        return problems.map { "The durable Redis server \($0)" }
    }

    /// The ids of visitors.
    public var visitors: RedisVisitors { RedisVisitors(durable) }

    /// Returns the sign-in in progress of a visitor.
    public func pendingSignIn(of visitor: String) -> RedisVisitorValue<PendingSignIn> {
        RedisVisitorValue(client: durable, key: durable.key("sign-in", of: visitor), secret: secret) { signIn in
            .seconds(signIn.expiresAt.timeIntervalSinceNow)
        }
    }

    /// Returns a value of a visitor that expires after a time without a change.
    public func value<Value: Codable & Sendable>(
        _ type: Value.Type,
        named name: String,
        of visitor: String,
        for lifetime: Duration
    ) -> RedisVisitorValue<Value> {
        RedisVisitorValue(client: durable, key: durable.key(name, of: visitor), secret: secret) { _ in lifetime }
    }

    /// Returns the credentials of a visitor.
    ///
    /// - Parameters:
    ///   - visitor: The identifier of the visitor, the same in all processes.
    ///   - session: The name of the session that the credentials are for; a visitor has one.
    public func tokens(of visitor: String, session: SessionName) -> RedisTokenStore {
        RedisTokenStore(durable, visitor: visitor, session: session, secret: secret)
    }

    /// Returns the favorites of a visitor.
    public func favorites(of visitor: String) -> RedisFavoriteRepository {
        RedisFavoriteRepository(durable, visitor: visitor)
    }

    /// Shares the stars of a visitor's container with other processes; call it before the first use.
    public func shareStars(of visitor: String, in container: Container) {
        let remote = RemoteGitHubRepository(
            client: container.gitHubClient(),
            concurrency: container.configuration.pageConcurrency,
            pageSize: container.configuration.gitHub.pageSize
        )
        let stars = RedisStarRepository(remote, durable, visitor: visitor)
        container.starRepository.override { _ in stars }
        stars.follow { [weak session = container.gitHubSession()] in await session?.reloadContent() }
    }

    /// Returns whether the server responds, and evicts nothing.
    public func isReady() async -> Bool {
        // A server that is loading its data reports its policy, too.
        guard await durable.isAvailable() else { return false }
        return (try? await check()) != nil
    }
}
