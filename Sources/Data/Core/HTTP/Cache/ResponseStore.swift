public import BrowseDomain
public import Foundation
import Synchronization

/// Storage for responses that processes share, possibly on another machine.
///
/// ``ResponseCache`` decides which responses are stored, and when they are used. A request waits for the store at most 50 ms in
/// total, and then continues without it. A store may discard responses at any time, such as after a day without use, and must
/// discard the least recently used ones before it is full.
///
/// Processes on one machine share a folder instead, with ``ResponseCache/init(folder:byteLimit:now:clock:)``. Choose
/// ``InMemoryResponseStore`` for tests, or for several containers in one process.
public protocol ResponseStore: Sendable {
    /// Returns the head of a response, without reading its body; `nil` if there is none.
    func head(of key: ResponseKey) async throws(StorageFailure) -> Data?

    /// Returns a response; `nil` if there is none. Counts as a use.
    func response(for key: ResponseKey) async throws(StorageFailure) -> ResponseRecord?

    /// Stores a response in place of the current one.
    func store(_ response: ResponseRecord, for key: ResponseKey) async throws(StorageFailure)

    /// Replaces the head of a response, unless the response has changed.
    ///
    /// - Parameters:
    ///   - old: The current head; if the store has another one, nothing changes.
    ///   - new: The new head.
    ///   - key: The response.
    func replaceHead(_ old: Data, with new: Data, of key: ResponseKey) async throws(StorageFailure)

    /// Removes a response, if there is one.
    func remove(_ key: ResponseKey) async throws(StorageFailure)

    /// Erases all responses of an account, or all responses.
    ///
    /// - Parameter account: As in ``HTTPRequest/account``; `nil` erases everything.
    func removeAll(of account: String?) async throws(StorageFailure)
}

/// Identifies a stored response.
public struct ResponseKey: Hashable, Sendable {
    /// The origin, path, query, `Accept` field, and account of the request, without secrets.
    public let text: String
    /// The account of the request; `nil` if it was sent without one.
    public let account: String?

    /// Creates a key.
    public init(text: String, account: String?) {
        self.text = text
        self.account = account
    }
}

/// A stored response, in the format of ``ResponseCache``.
public struct ResponseRecord: Hashable, Sendable {
    /// The status, URL, header fields, and date: usually less than 4 KiB.
    public var head: Data
    /// The body.
    public var body: Data

    /// Creates a record.
    public init(head: Data, body: Data) {
        self.head = head
        self.body = body
    }
}

/// A store of responses in memory, for the lifetime of the instance.
public final class InMemoryResponseStore: ResponseStore {
    private struct Entry {
        let account: String?
        var record: ResponseRecord
    }

    private let entries: Mutex<LRUCache<String, Entry>>

    /// Creates an empty store.
    ///
    /// - Parameter byteLimit: The maximum size of all responses in bytes.
    public init(byteLimit: Int = 64 << 20) {
        entries = Mutex(LRUCache(limit: byteLimit))
    }

    /// Returns the head of a response; `nil` if there is none.
    public func head(of key: ResponseKey) async throws(StorageFailure) -> Data? {
        entries.withLock { $0.value(for: key.text)?.record.head }
    }

    /// Returns a response; `nil` if there is none.
    public func response(for key: ResponseKey) async throws(StorageFailure) -> ResponseRecord? {
        entries.withLock { $0.value(for: key.text)?.record }
    }

    /// Stores a response in place of the current one.
    public func store(_ response: ResponseRecord, for key: ResponseKey) async throws(StorageFailure) {
        entries.withLock { entries in
            let cost = key.text.utf8.count + response.head.count + response.body.count
            entries.insert(Entry(account: key.account, record: response), for: key.text, cost: cost)
        }
    }

    /// Replaces the head of a response, unless the response has changed.
    public func replaceHead(_ old: Data, with new: Data, of key: ResponseKey) async throws(StorageFailure) {
        entries.withLock { entries in
            guard var entry = entries.value(for: key.text), entry.record.head == old else { return }
            entry.record.head = new
            let cost = key.text.utf8.count + new.count + entry.record.body.count
            entries.insert(entry, for: key.text, cost: cost)
        }
    }

    /// Removes a response, if there is one.
    public func remove(_ key: ResponseKey) async throws(StorageFailure) {
        entries.withLock { $0.remove(key.text) }
    }

    /// Erases all responses of an account, or all responses.
    public func removeAll(of account: String?) async throws(StorageFailure) {
        entries.withLock { entries in
            guard let account else { return entries = LRUCache(limit: entries.limit) }
            entries.removeAll { $0.account == account }
        }
    }
}
