public import BrowseData
public import BrowseKit
import Foundation

/// Rate limits in Redis, which all processes share.
public struct RedisRateLimitStore: RateLimitStore {
    private let client: RedisClient

    /// Creates a store.
    ///
    /// GitHub counts requests without a token by IP address. Machines with different addresses need different clients, whose
    /// prefixes contain the address.
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
