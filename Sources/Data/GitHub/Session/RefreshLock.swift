import BrowseDomain
import Dispatch
import Foundation
import Synchronization

/// The right to refresh a stored token, held from before it is read until the new one is stored.
///
/// ``TokenStore/refreshLock()`` returns one. It's released by ``release()``, or when its last reference goes away.
public final class RefreshLock: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    /// Creates a lock that is held.
    ///
    /// - Parameter release: Releases it; called once, on any thread.
    public init(release: @escaping @Sendable () -> Void) {
        action = Mutex(release)
    }

    deinit { release() }

    /// Whether it wasn't released.
    public var isHeld: Bool { action.withLock { $0 != nil } }

    /// Releases the lock, so that others can refresh; does nothing when that was done.
    public func release() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}

extension RefreshLock {
    /// Takes the lock of a file, unless another process or store has it.
    ///
    /// - Parameter activity: Keeps the process from being suspended meanwhile.
    static func ofFile(_ file: StorageFile, during activity: ExpiringActivity) throws(StorageFailure) -> RefreshLock? {
        guard let descriptor = try file.tryLock() else { return nil }
        let end = Mutex<(@Sendable () -> Void)?>(nil)
        let lock = RefreshLock {
            StorageFile.unlock(descriptor)
            end.withLock(\.self)?()
        }
        let endActivity = activity.begin { [weak lock] in lock?.release() }
        end.withLock { $0 = endActivity }
        // It may have expired at once.
        if !lock.isHeld { endActivity() }
        return lock
    }
}

/// Keeps the process running for a while when its app goes to the background, where the system suspends processes.
///
/// iOS ends a process that is suspended while it holds a file lock in an app group's container.
struct ExpiringActivity: Sendable {
    /// Begins an activity, and returns what ends it.
    ///
    /// The parameter is called on any thread when the process is about to be suspended.
    let begin: @Sendable (_ onExpiration: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// The system's; see `ProcessInfo.performExpiringActivity(withReason:using:)`.
    static let system = ExpiringActivity { onExpiration in
        let end = DispatchSemaphore(value: 0)
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Refreshing the sign-in") { isExpired in
            // The activity lasts until the block returns; it's called again, beside that, when time is up.
            if isExpired { onExpiration() } else { end.wait() }
        }
        return { end.signal() }
    }
    #else
    /// The system suspends no process for holding a lock.
    static let system = ExpiringActivity { _ in {} }
    #endif
}
