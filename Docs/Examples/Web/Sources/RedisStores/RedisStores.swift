import BrowseData
public import BrowseKit
public import Crypto
import Foundation

/// All stores of a server's processes, on one Redis server.
///
/// ```swift
/// let redis = RedisStores(RedisClient(RedisAddress()), secret: secret)
/// container.sharedStores.override { _ in redis.shared }
/// container.tokenStore.override { _ in redis.tokens(of: visitor, server: server) }
/// container.favoriteRepository.override { _ in redis.favorites(of: visitor) }
/// container.starRepository.override { redis.stars(of: visitor, in: $0) }
/// ```
public struct RedisStores: Sendable {
    /// The client.
    public let client: RedisClient
    private let secret: SymmetricKey

    /// Creates the stores without accessing the server.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - secret: The key that encrypts credentials, the same in all processes.
    public init(_ client: RedisClient, secret: SymmetricKey) {
        self.client = client
        self.secret = secret
    }

    /// The stores that do not belong to a visitor.
    public var shared: SharedStores {
        SharedStores(responses: RedisResponseStore(client), rateLimits: RedisRateLimitStore(client))
    }

    /// Changes how long the requests of a container wait for the rate limits, before its first use.
    ///
    /// By default, a process goes on without the limits of the others after a quarter of a second, so requests can be too many.
    public func setRateLimitTimeout(_ timeout: Duration, of container: Container) {
        container.gitHubMiddleware.override { [shared] container in
            let configuration = container.configuration
            let original = Container(configuration)
            original.responseCache.override { _ in container.responseCache() }
            let service = HTTPClient.Service.gitHub(
                baseURL: configuration.gitHubURL,
                userAgent: configuration.userAgent,
                now: configuration.now
            )
            let gate = RateLimitGate(
                service: service,
                store: shared.rateLimits,
                storeTimeout: timeout,
                now: configuration.now,
                clock: configuration.clock
            )
            return original.gitHubMiddleware().map { $0 is RateLimitGate ? gate : $0 }
        }
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
