import BrowseDomain

/// A clock whose time moves only when a test moves it.
///
/// Give it to whatever takes a `Clock`, wait until the code under test sleeps, and move the time:
///
/// ```swift
/// let clock = TestClock()
/// let task = Task { try await clock.sleep(for: .milliseconds(300)) }
/// await clock.waitForSleepers(1)
/// await clock.advance(by: .milliseconds(300))
/// try await task.value
/// ```
///
/// Nothing here polls or waits for real time. ``waitForSleepers(_:)`` is what makes a test certain: without it, time may
/// move before a task that was just started has gone to sleep, and the task would count from the later time. The same
/// holds for a task that sleeps again and again: move one step, wait for it to sleep, move the next.
///
/// It may be used from any number of tasks at once.
public final class TestClock: Clock, Sendable {
    /// A point in a test's time, as the distance from its beginning.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// How long after the beginning it is.
        public let offset: Duration

        /// Creates a point in time; the default is the beginning.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// The point that is this much later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// How much later the other point is; negative when it is earlier.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether a point is earlier than another.
        public static func < (lhs: Instant, rhs: Instant) -> Bool {
            lhs.offset < rhs.offset
        }

        /// The distance from the beginning.
        public var description: String { "\(offset)" }
    }

    private struct Sleeper {
        let deadline: Instant
        let isTimeLimit: Bool
    }

    private struct Time {
        var now: Instant
        var lastID = 0
        /// The sleeping tasks by order of arrival.
        var asleep: [Int: Sleeper] = [:]
        /// The tasks that were woken and whose sleep has not returned yet.
        var woken: Set<Int> = []

        var timeLimitCount: Int { asleep.values.count { $0.isTimeLimit } }
        var sleeperCount: Int { asleep.count - timeLimitCount }

        /// The sleeper to wake next on the way to a point in time: the earliest deadline, then the earliest arrival.
        func next(until target: Instant) -> (id: Int, deadline: Instant)? {
            asleep.lazy.filter { $0.value.deadline <= target }.map { ($0.key, $0.value.deadline) }
                .min { ($0.1, $0.0) < ($1.1, $1.0) }
        }
    }

    private let time: Watched<Time>

    /// Creates a clock that stands still.
    public init(now: Instant = Instant()) {
        time = Watched(Time(now: now))
    }

    /// The time that was last moved to.
    public var now: Instant { time.withLock { $0.now } }

    /// Zero: a sleeper wakes at its deadline exactly.
    public var minimumResolution: Duration { .zero }

    /// The number of sleeping tasks, without those that were woken or canceled.
    ///
    /// Time limits of the SDK, such as `HTTPLimits.duration`, sleep for as long as their work takes and don't count.
    public var sleeperCount: Int { time.withLock { $0.sleeperCount } }

    /// Sleeps until time is moved to a deadline, or returns at once when it has passed.
    ///
    /// - Parameters:
    ///   - deadline: When to go on.
    ///   - tolerance: Ignored, since the clock is exact.
    /// - Throws: `CancellationError`, at once, when the task is cancelled while it sleeps or was before.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = time.withLock { time in
            time.lastID += 1
            return time.lastID
        }
        let isOver = await withTaskCancellationHandler {
            // Here, so that whoever sees the sleeper and cancels it finds that done at once.
            let sleeps = time.withLock { time in
                guard !Task.isCancelled, deadline > time.now else { return false }
                time.asleep[id] = Sleeper(deadline: deadline, isTimeLimit: TimeLimit.isSleeping)
                return true
            }
            guard sleeps else { return !Task.isCancelled }
            await time.wait { $0.asleep[id] == nil }
            return time.withLock { time in
                time.asleep[id] = nil
                return time.woken.remove(id) != nil
            }
        } onCancel: {
            _ = time.withLock { $0.asleep.removeValue(forKey: id) }
        }
        guard isOver else { throw CancellationError() }
    }

    /// Moves the time on, and wakes one after the other whoever sleeps until then.
    ///
    /// See ``advance(to:)``.
    ///
    /// - Parameter duration: How far; zero or less moves nothing.
    public func advance(by duration: Duration) async {
        await advance(to: now.advanced(by: duration))
    }

    /// Moves the time to a point, and wakes one after the other whoever sleeps until then.
    ///
    /// Sleepers wake in the order of their deadlines, those with the same deadline in the order of their arrival. The time
    /// is a sleeper's deadline when it wakes, and moves on when its `sleep` has returned. What a woken task does after that
    /// is not waited for: await its work, or ``waitForSleepers(_:)`` when it sleeps again.
    ///
    /// - Parameter target: Where to; a point that has passed moves nothing.
    public func advance(to target: Instant) async {
        while let id = wakeNext(until: target) {
            await time.wait { !$0.woken.contains(id) }
        }
    }

    /// Waits until at least so many tasks sleep, or until the calling task is cancelled.
    ///
    /// Time limits of the SDK don't count, though ``advance(by:)`` wakes them: a request that has a time limit on this clock
    /// and waits before its next attempt is one sleeper.
    ///
    /// A test that waits for a sleeper that never comes waits for ever; the trait `.timeLimit` ends it.
    public func waitForSleepers(_ count: Int) async {
        await time.wait { $0.sleeperCount >= count }
    }

    /// Waits until at least so many time limits sleep, or until the calling task is canceled.
    package func waitForTimeLimits(_ count: Int) async {
        await time.wait { $0.timeLimitCount >= count }
    }

    /// Moves to the next deadline and wakes its sleeper, or moves to the target when nobody sleeps until then.
    private func wakeNext(until target: Instant) -> Int? {
        time.withLock { time in
            guard let (id, deadline) = time.next(until: target) else {
                time.now = max(time.now, target)
                return nil
            }
            time.now = max(time.now, deadline)
            time.asleep[id] = nil
            time.woken.insert(id)
            return id
        }
    }
}
