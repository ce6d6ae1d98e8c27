package import Foundation
import Synchronization

/// Reports whether a load waits for rate limits, and until when.
///
/// Clients report to the current task's object. Work that several loads share has its own object, which forwards to theirs.
package final class RateLimitWait: Sendable {
    /// The object of the load that the current task belongs to.
    @TaskLocal package static var current: RateLimitWait?

    private struct State {
        /// The ends of the waits, by the identity of the waiter.
        var ends: [ObjectIdentifier: Date] = [:]
        var followers: [RateLimitWait] = []
    }

    private let state = Mutex(State())
    private let didChange: @Sendable (RateLimitWait) -> Void

    /// - Parameter didChange: Called after each change of ``end``, in any context; it must not block.
    package init(didChange: @escaping @Sendable (RateLimitWait) -> Void = { _ in }) {
        self.didChange = didChange
    }

    /// The latest end of the waits; `nil` if there is none.
    package var end: Date? { state.withLock { $0.ends.values.max() } }

    /// Reports when a wait will end; `nil` reports that it has ended.
    package func report(_ end: Date?, of waiter: AnyObject) {
        // Followers are notified under the lock, so that reports stay in order.
        let isChanged = state.withLock { state in
            let old = state.ends.values.max()
            state.ends[ObjectIdentifier(waiter)] = end
            let new = state.ends.values.max()
            guard new != old else { return false }
            for follower in state.followers { follower.report(new, of: self) }
            return true
        }
        if isChanged { didChange(self) }
    }

    /// Adds a load that waits for this work.
    package func add(_ follower: RateLimitWait) {
        state.withLock { state in
            state.followers.append(follower)
            if let end = state.ends.values.max() { follower.report(end, of: self) }
        }
    }

    /// Removes a load that no longer waits for this work.
    package func remove(_ follower: RateLimitWait) {
        state.withLock { state in
            guard let index = state.followers.firstIndex(where: { $0 === follower }) else { return }
            state.followers.remove(at: index)
            // A load can be added several times.
            if !state.followers.contains(where: { $0 === follower }) { follower.report(nil, of: self) }
        }
    }
}
