public import BrowseKit
import Synchronization

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
