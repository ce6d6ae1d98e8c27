public import BrowseData
public import BrowseDomain
public import Foundation
import Synchronization

/// A store of responses in memory, without a limit.
public final class InMemoryResponseStore: ResponseStore {
    private let records = Mutex<[ResponseKey: ResponseRecord]>([:])

    /// Creates an empty store.
    public init() {}

    /// Returns the head of a response; `nil` if there is none.
    public func head(of key: ResponseKey) async throws(StorageFailure) -> Data? {
        records.withLock { $0[key]?.head }
    }

    /// Returns a response; `nil` if there is none.
    public func response(for key: ResponseKey) async throws(StorageFailure) -> ResponseRecord? {
        records.withLock { $0[key] }
    }

    /// Stores a response in place of the current one.
    public func store(_ response: ResponseRecord, for key: ResponseKey) async throws(StorageFailure) {
        records.withLock { $0[key] = response }
    }

    /// Replaces the head of a response, unless it's another one than `old`.
    public func replaceHead(_ old: Data, with new: Data, of key: ResponseKey) async throws(StorageFailure) {
        records.withLock { records in
            if records[key]?.head == old { records[key]?.head = new }
        }
    }

    /// Removes a response, if there is one.
    public func remove(_ key: ResponseKey) async throws(StorageFailure) {
        records.withLock { $0[key] = nil }
    }

    /// Erases the responses of an account; `nil` erases all.
    public func removeAll(of account: String?) async throws(StorageFailure) {
        records.withLock { records in
            records = account == nil ? [:] : records.filter { $0.key.account != account }
        }
    }
}
