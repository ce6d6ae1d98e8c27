public import BrowseDomain
public import Foundation
import Synchronization

/// Storage for the rate limits of accounts that several processes share.
///
/// A service counts the requests of all processes together. With a store, ``RateLimitGate`` reserves each request before it is
/// sent, so that all processes stay within one limit. Choose ``SQLiteRateLimitStore`` for processes on one machine; clients of
/// one process can share a gate. Tests can use `InMemoryRateLimitStore` of BrowseCoreMocks.
///
/// The processes' clocks must agree within a second.
public protocol RateLimitStore: Sendable {
    /// Reads and changes the stored limits of an account atomically.
    ///
    /// The gate waits for at most a quarter of a second, or its `storeTimeout`. If the store is slower or fails, each process sends
    /// one request of a bucket at a time, and leaves an eighth of the limit unused.
    ///
    /// - Parameters:
    ///   - key: The service and the account in two lines, without secrets; the second line is empty without an account. Limits may
    ///     be discarded a day after their last change.
    ///   - change: Takes the stored data, or `nil` if there is none, and returns the new data, or `nil` for no change. Called
    ///     again whenever the data has changed before the result could be stored; only the last result counts.
    /// - Throws: `.unavailable` if the store doesn't respond, or another reason. The change may have been stored anyway.
    func update(_ key: String, _ change: @Sendable (Data?) -> Data?) async throws(StorageFailure)
}

extension RateLimitStore {
    /// Changes the stored limits of an account, and returns the value of the last call of the closure.
    ///
    /// - Throws: The error of the store; `.other` without a value.
    func update<Value: Sendable>(
        _ key: String,
        _ change: @Sendable (Data?) -> (data: Data?, value: Value?)
    ) async throws(StorageFailure) -> Value {
        let value = Mutex<Value?>(nil)
        try await update(key) { data in
            let result = change(data)
            value.withLock { $0 = result.value }
            return result.data
        }
        guard let value = value.withLock(\.self) else { throw StorageFailure(reason: .other, file: "rate limits") }
        return value
    }
}

/// Decides when a store deletes limits that weren't changed for a day.
///
/// Once an hour, since that reads them all.
struct RemovalSchedule {
    private static var lifetime: TimeInterval { 86_400 }
    private static var interval: TimeInterval { 3600 }

    private var last: Date?

    /// Returns the date before which limits are deleted now; `nil` if none are.
    mutating func next(at now: Date) -> Date? {
        // The clock may have been set back.
        if let last, last <= now, now.timeIntervalSince(last) < Self.interval { return nil }
        last = now
        return now.addingTimeInterval(-Self.lifetime)
    }
}
