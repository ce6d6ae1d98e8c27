import Dispatch
import Foundation

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
