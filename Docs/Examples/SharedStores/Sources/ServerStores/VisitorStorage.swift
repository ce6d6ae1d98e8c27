public import BrowseKit
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

/// Stores a visitor's sign-in in progress, so that any process can finish it.
public protocol PendingSignInStore: Sendable {
    /// Returns the sign-in; `nil` if there is none.
    func load() async throws -> PendingSignIn?
    /// Returns the sign-in, and deletes it in the same step, so that one process only finishes it.
    func take() async throws -> PendingSignIn?
    /// Stores a sign-in until it expires; `nil` deletes the stored one.
    func save(_ signIn: PendingSignIn?) async throws
}

/// A visitor's sign-in in memory, for a single process.
public final class InMemoryPendingSignInStore: PendingSignInStore {
    private let signIn = Mutex<PendingSignIn?>(nil)

    /// Creates an empty store.
    public init() {}

    /// Returns the sign-in; `nil` if there is none.
    public func load() -> PendingSignIn? { signIn.withLock(\.self) }

    /// Returns the sign-in, and deletes it in the same step.
    public func take() -> PendingSignIn? { signIn.withLock { $0.take() } }

    /// Stores a sign-in; `nil` deletes the stored one.
    public func save(_ signIn: PendingSignIn?) { self.signIn.withLock { $0 = signIn } }
}
