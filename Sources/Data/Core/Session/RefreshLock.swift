import BrowseDomain
import Dispatch
import Foundation
import Synchronization

/// An exclusive lock for refreshing a stored token.
///
/// ``TokenStore/refreshLock()`` returns one. It's held from before the token is read until the new
/// one is stored, and released by ``release()`` or deallocation.
public final class RefreshLock: Sendable {
    private let action: Mutex<(@Sendable () -> Void)?>

    /// Creates a held lock.
    ///
    /// - Parameter release: Releases the lock; called once, on any thread.
    public init(release: @escaping @Sendable () -> Void) {
        action = Mutex(release)
    }

    deinit { release() }

    /// Whether the lock hasn't been released.
    public var isHeld: Bool { action.withLock { $0 != nil } }

    /// Releases the lock; does nothing if it's released already.
    public func release() { action.withLock { $0.take() }?() }
}

extension RefreshLock {
    /// Acquires the refresh lock of a session's file; returns `nil` if another process or store
    /// holds it.
    ///
    /// - Parameters:
    ///   - activity: Delays the suspension of the process while it holds the lock.
    ///   - queue: Releases the lock, because closing a file can block.
    static func ofFile(
        _ file: StorageFile,
        during activity: ExpiringActivity,
        on queue: QueueExecutor
    ) throws(StorageFailure) -> RefreshLock? {
        guard let descriptor = try file.neighbor(file.name + "-refresh").tryLock() else { return nil }
        let end = OneShot<@Sendable () -> Void>()
        let lock = RefreshLock {
            queue.handOver {
                StorageFile.unlock(descriptor)
                // The activity has begun: that was an earlier job of the queue.
                end.resolved?()
            }
        }
        end.resolve(activity.begin { [weak lock] in lock?.release() })
        return lock
    }
}

/// An activity that delays the suspension of the process when its app enters the background.
///
/// iOS terminates a process that is suspended while it holds a file lock in an app group's
/// container.
struct ExpiringActivity: Sendable {
    /// Begins an activity, and returns a closure that ends it.
    ///
    /// `onExpiration` is called on any thread when the process is about to be suspended.
    let begin: @Sendable (_ onExpiration: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// `ProcessInfo.performExpiringActivity(withReason:using:)`.
    static let system = ExpiringActivity { onExpiration in
        let end = DispatchSemaphore(value: 0)
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Refreshing the sign-in") { isExpired in
            // The activity lasts until the block returns; on expiration, the block is called a
            // second time concurrently.
            if isExpired { onExpiration() } else { end.wait() }
        }
        return { end.signal() }
    }
    #else
    /// No activity: processes aren't suspended on these platforms.
    static let system = ExpiringActivity { _ in {} }
    #endif
}
