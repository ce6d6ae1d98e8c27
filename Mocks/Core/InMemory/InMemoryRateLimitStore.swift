public import BrowseData
public import BrowseDomain
public import Foundation
import Synchronization

/// A store of rate limits in memory, which deletes none.
public final class InMemoryRateLimitStore: RateLimitStore {
    private let limits = Mutex<[String: Data]>([:])

    /// Creates an empty store.
    public init() {}

    /// Reads and changes the stored limits of an account atomically.
    public func update(_ key: String, _ change: @Sendable (Data?) -> Data?) async throws(StorageFailure) {
        limits.withLock { limits in
            if let new = change(limits[key]) { limits[key] = new }
        }
    }
}
