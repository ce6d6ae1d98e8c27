import Synchronization

/// Stores the current ids of visitors whose ids were replaced, by the keys of their stores.
///
/// A visitor's cookie has an id and a key. Signing in and out replace the id, so a former cookie, which somebody may have planted or
/// stolen, is worthless in every process. Nothing is stored for other visitors. Ids are stored as digests.
public protocol VisitorIDs: Sendable {
    /// Returns a visitor's current id; `nil` if it was never replaced. What is stored for the visitor then lives on.
    func current(of visitor: String) async throws -> String?
    /// Replaces an id; returns `false` if another request has replaced it.
    func replace(_ former: String, by new: String, of visitor: String) async throws -> Bool
    /// Deletes what is stored for visitors whose cookies have expired; the default does nothing.
    func deleteExpired() async throws
}

extension VisitorIDs {
    /// Does nothing, for a store that deletes expired values itself.
    public func deleteExpired() {}
}

/// Stores a value of a visitor, such as a sign-in in progress, so that any process can go on with it.
public protocol VisitorValueStore<Value>: Sendable {
    /// The type of the value.
    associatedtype Value: Sendable
    /// Returns the value; `nil` if there is none.
    func load() async throws -> Value?
    /// Returns the value, and deletes it in the same step, so that one process only gets it.
    func take() async throws -> Value?
    /// Stores a value until it expires; `nil` deletes the stored one.
    func save(_ value: Value?) async throws
}

/// A value of a visitor in memory, for a single process.
public final class InMemoryVisitorValue<Value: Sendable>: VisitorValueStore {
    private let value = Mutex<Value?>(nil)

    /// Creates an empty store.
    public init() {}

    /// Returns the value; `nil` if there is none.
    public func load() -> Value? { value.withLock(\.self) }

    /// Returns the value, and deletes it in the same step.
    public func take() -> Value? { value.withLock { $0.take() } }

    /// Stores a value; `nil` deletes the stored one.
    public func save(_ value: Value?) { self.value.withLock { $0 = value } }
}
