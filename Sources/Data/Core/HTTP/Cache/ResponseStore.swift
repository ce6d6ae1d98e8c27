public import BrowseDomain
public import Foundation

/// Storage for responses that processes share, possibly on another machine.
///
/// ``ResponseCache`` decides which responses are stored, and when they are used. Each time that a request is sent, it waits for
/// the store at most 50 ms, and then continues without it. A store may discard responses at any time, such as after a day without
/// use, and must discard the least recently used ones before it is full.
///
/// Processes on one machine can share a folder instead, with ``ResponseCache/init(folder:byteLimit:now:clock:)``, and clients of
/// one process a ``ResponseCache``. Tests can use `InMemoryResponseStore` of BrowseCoreMocks.
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
    /// The origin, path, query, `Accept` field, and account of the request.
    ///
    /// Secrets in the query aren't masked.
    public let text: String
    /// The account of the request; `nil` if it was sent without one.
    public let account: String?

    /// Creates a key, for tests of a store.
    public init(text: String, account: String?) {
        self.text = text
        self.account = account
    }
}

/// A stored response, in the format of ``ResponseCache``.
public struct ResponseRecord: Hashable, Sendable {
    /// The status, URL, header fields, and date: usually less than 4 KiB.
    public var head: Data
    /// The decompressed body, up to ``HTTPLimits/bodyBytes``.
    public var body: Data

    /// Creates a record from the bytes that a store has read.
    public init(head: Data, body: Data) {
        self.head = head
        self.body = body
    }
}
