import BrowseDomain

/// A clock whose sleeps return immediately, for tests in which delays don't matter.
///
/// A sleep advances ``now`` to its deadline. Time limits of the SDK, such as `HTTPLimits.duration`,
/// never expire. For code that sleeps in an endless loop, use ``TestClock``: with this clock, the
/// loop never pauses.
///
/// Safe to use from any number of tasks.
public final class ImmediateClock: Clock, Sendable {
    /// A point in time.
    public typealias Instant = TestClock.Instant

    private let time: Monitor<Instant>

    /// Creates a clock.
    public init(now: Instant = Instant()) {
        time = Monitor(now)
    }

    /// The latest deadline of all sleeps so far.
    public var now: Instant { time.value }

    /// The resolution of the clock, zero.
    public var minimumResolution: Duration { .zero }

    /// Advances ``now`` to the deadline, and returns immediately.
    ///
    /// A time limit of the SDK is different: its sleep lasts until the task is canceled.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    nonisolated(nonsending) public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        if tolerance == TimeLimit.tolerance {
            await time.suspend { _ in false }
        } else {
            time.withLock { $0 = max($0, deadline) }
        }
        try Task.checkCancellation()
    }
}
