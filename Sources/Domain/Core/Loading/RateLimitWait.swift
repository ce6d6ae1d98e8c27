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
        /// The number of changes that ``didChange`` hasn't been called for, including the call in progress.
        var changeCount = 0
    }

    private let state = Mutex(State())
    private let didChange: @Sendable (RateLimitWait) -> Void

    /// - Parameter didChange: Called after each change of ``end``, in any context and without locks; it must not block. Calls don't
    ///   overlap, and changes during a call are reported together.
    package init(didChange: @escaping @Sendable (RateLimitWait) -> Void = { _ in }) {
        self.didChange = didChange
    }

    /// The latest end of the waits; `nil` if there is none.
    package var end: Date? { state.withLock { $0.ends.values.max() } }

    /// Reports when a wait will end; `nil` reports that it has ended.
    package func report(_ end: Date?, of waiter: AnyObject) { update(waiter) { end } }

    /// Adds a load that waits for this work; then call its ``follow(_:)`` without locks.
    package func add(_ follower: RateLimitWait) { state.withLock { $0.followers.append(follower) } }

    /// Removes a load that no longer waits for this work; then call its ``follow(_:)`` without locks.
    package func remove(_ follower: RateLimitWait) {
        state.withLock { state in
            // A load can be added several times.
            if let index = state.followers.firstIndex(where: { $0 === follower }) { state.followers.remove(at: index) }
        }
    }

    /// Reads the end of work that this load waits for, or no longer waits for.
    package func follow(_ work: RateLimitWait) {
        // Read under the lock, so that the last of overlapping calls has the newest end.
        update(work) { work.state.withLock { $0.followers.contains { $0 === self } ? $0.ends.values.max() : nil } }
    }

    private func update(_ waiter: AnyObject, to end: () -> Date?) {
        let (followers, notifies) = state.withLock { state -> ([RateLimitWait], Bool) in
            let old = state.ends.values.max()
            state.ends[ObjectIdentifier(waiter)] = end()
            guard state.ends.values.max() != old else { return ([], false) }
            state.changeCount += 1
            return (state.followers, state.changeCount == 1)
        }
        for follower in followers { follower.follow(self) }
        var remaining = notifies ? 1 : 0
        while remaining > 0 {
            let reported = state.withLock { $0.changeCount }
            didChange(self)
            remaining = state.withLock { state in
                state.changeCount -= reported
                return state.changeCount
            }
        }
    }
}
