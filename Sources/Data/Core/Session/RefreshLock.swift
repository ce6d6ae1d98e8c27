import BrowseDomain
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
