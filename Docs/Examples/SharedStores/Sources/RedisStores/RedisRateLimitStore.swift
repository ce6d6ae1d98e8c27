public import BrowseData
public import BrowseKit
import Foundation

/// Rate limits in Redis, which all processes share.
public struct RedisRateLimitStore: RateLimitStore {
    private let client: RedisClient

    /// Creates a store.
    ///
    /// GitHub counts requests without a token by IP address, but all machines share these limits. If they have different addresses,
    /// add the address to keys without an account; see `RateLimitStore.update(_:_:)`.
    public init(_ client: RedisClient) {
        self.client = client
    }

    /// Reads and changes the stored limits of an account atomically.
    public func update(_ key: String, _ change: @Sendable (Data?) -> Data?) async throws(StorageFailure) {
        do throws(RedisFailure) {
            try await client.update(client.prefix + "limits:" + key, lifetime: .seconds(86_400)) { data in
                change(data).map(RedisClient.Change.set) ?? .keep
            }
        } catch {
            throw error.storageFailure
        }
    }
}
