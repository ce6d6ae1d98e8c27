import BrowseData
public import BrowseKit
public import Crypto
import Foundation

/// All stores of a server's processes, on one Redis server.
///
/// ```swift
/// let redis = RedisStores(RedisClient(RedisAddress()), secret: secret)
/// container.distributedStores.override { _ in redis.shared }
/// container.gitHubTokenStore.override { _ in redis.tokens(of: visitor, server: server) }
/// container.favoriteRepository.override { _ in redis.favorites(of: visitor) }
/// container.starRepository.override { redis.stars(of: visitor, in: $0) }
/// ```
public struct RedisStores: Sendable {
    /// The client.
    public let client: RedisClient
    private let secret: SymmetricKey
    private let rateLimitTimeout: Duration

    /// Creates the stores without accessing the server.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - secret: The key that encrypts credentials, the same in all processes.
    ///   - rateLimitTimeout: The longest wait of a request for the rate limits; see ``DistributedStores/rateLimitTimeout``.
    public init(_ client: RedisClient, secret: SymmetricKey, rateLimitTimeout: Duration = .milliseconds(250)) {
        self.client = client
        self.secret = secret
        self.rateLimitTimeout = rateLimitTimeout
    }

    /// The stores that do not belong to a visitor.
    public var shared: DistributedStores {
        DistributedStores(
            responses: RedisResponseStore(client),
            rateLimits: RedisRateLimitStore(client),
            rateLimitTimeout: rateLimitTimeout
        )
    }

    /// Returns the credentials of a visitor.
    ///
    /// - Parameters:
    ///   - visitor: The identifier of the visitor, the same in all processes.
    ///   - server: The base URL of the API that the credentials are for.
    public func tokens(of visitor: String, server: URL) -> RedisTokenStore {
        RedisTokenStore(client, visitor: visitor, server: server, secret: secret)
    }

    /// Returns the favorites of a visitor.
    public func favorites(of visitor: String) -> RedisFavoriteRepository {
        RedisFavoriteRepository(client, visitor: visitor)
    }

    /// Returns the stars of a container's session, which notifies the visitor's other processes.
    public func stars(of visitor: String, in container: Container) -> RedisStarRepository {
        let remote = RemoteStarRepository(
            client: container.gitHubClient(),
            concurrency: container.configuration.pageConcurrency
        )
        return RedisStarRepository(remote, client, visitor: visitor)
    }

    /// Reads the stars of a session again after other processes have written some.
    ///
    /// - Returns: Ends that.
    public func followStars(of visitor: String, _ session: GitHub.SessionManager) -> @Sendable () -> Void {
        RedisStarRepository.follow(client, visitor: visitor, session)
    }
}
