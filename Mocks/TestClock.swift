import BrowseDomain

/// A clock whose time moves only when a test moves it.
///
/// Give it to code that takes a `Clock`, wait until that sleeps, move the time, and **await the work itself**:
///
/// ```swift
/// let clock = TestClock()
/// let task = Task { try await clock.sleep(for: .milliseconds(300)) }
/// await clock.waitForSleepers(1)
/// await clock.advance(by: .milliseconds(300))
/// try await task.value
/// ```
///
/// Where there is nothing to await, use ``waitUntil(within:fileID:line:_:)``. ``advance(by:)`` says how far a task that it
/// woke has come.
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
        /// The caller's actor, where the sleep returns to.
        let actor: (any Actor)?
    }

    private struct Time {
        var now: Instant
        var lastID = 0
        /// The sleeping tasks by order of arrival.
        var asleep: [Int: Sleeper] = [:]
        /// The tasks that were woken and whose sleep has not returned yet.
        var woken: Set<Int> = []

        var sleeperCount: Int { asleep.values.count { !$0.isTimeLimit } }

        /// The sleeper to wake next on the way to a point in time: the earliest deadline, then the earliest arrival.
        func next(until target: Instant) -> Int? {
            asleep.lazy.filter { $0.value.deadline <= target }.map { ($0.value.deadline, $0.key) }.min(by: <)?.1
        }

        /// Whether a sleep ends because its task was woken, and not because it was canceled.
        mutating func endSleep(_ id: Int) -> Bool {
            asleep[id] = nil
            return woken.remove(id) != nil
        }
    }

    private let time: Monitor<Time>

    /// Creates a clock that stands still.
    public init(now: Instant = Instant()) {
        time = Monitor(Time(now: now))
    }

    /// The time that was last moved to.
    public var now: Instant { time.value.now }

    /// Zero: a sleeper wakes at its deadline exactly.
    public var minimumResolution: Duration { .zero }

    /// The number of sleeping tasks, without those that were woken or canceled.
    ///
    /// Time limits of the SDK, such as `HTTPLimits.duration`, sleep for as long as their work takes and don't count.
    public var sleeperCount: Int { time.value.sleeperCount }

    /// Sleeps on the caller's actor until time is moved to a deadline, or returns at once when it has passed.
    ///
    /// - Parameters:
    ///   - deadline: When to go on.
    ///   - tolerance: Ignored, since the clock is exact.
    /// - Throws: `CancellationError`, at once, when the task is cancelled while it sleeps or was before.
    nonisolated(nonsending) public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        // Not inside the closure, which runs without an actor.
        let actor = #isolation
        let id = time.withLock { time in
            time.lastID += 1
            return time.lastID
        }
        let sleeps = await withTaskCancellationHandler {
            // Here, so that whoever sees the sleeper and cancels it finds that done at once.
            let sleeps = time.withLock { time in
                guard !Task.isCancelled, deadline > time.now else { return false }
                time.asleep[id] = Sleeper(deadline: deadline, isTimeLimit: TimeLimit.isSleeping, actor: actor)
                return true
            }
            if sleeps { await time.wait { $0.asleep[id] == nil } }
            return sleeps
        } onCancel: {
            _ = time.withLock { $0.asleep.removeValue(forKey: id) }
        }
        // On the caller's actor again, in one go with the code after the sleep.
        let isOver = sleeps ? time.withLock { time in time.endSleep(id) } : !Task.isCancelled
        guard isOver else { throw CancellationError() }
    }

    /// Sleeps on the caller's actor until time is moved on by a duration, or returns at once when it is zero or less.
    ///
    /// Unlike the method of all clocks with this name, it doesn't leave the caller's actor; see ``advance(by:)``.
    ///
    /// - Parameters:
    ///   - duration: How long to sleep.
    ///   - tolerance: Ignored, since the clock is exact.
    /// - Throws: `CancellationError`, at once, when the task is canceled while it sleeps or was before.
    nonisolated(nonsending) public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
        try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
    }

    /// Moves the time on, and wakes the tasks that sleep until then, one after the other.
    ///
    /// When it returns, every `sleep` that it ended has returned. For a task on an actor that sleeps by this clock's own
    /// methods, such as one on the main actor, more is guaranteed: its code after the sleep has run up to its next `await`.
    /// For others (a task without an actor, or a sleep through `any Clock`), that code may still be about to run. Await the
    /// work itself, or ``waitForSleepers(_:)`` when it sleeps again.
    ///
    /// - Parameter duration: How far; zero or less moves nothing.
    public func advance(by duration: Duration) async {
        await advance(to: now.advanced(by: duration))
    }

    /// Moves the time to a point, and wakes the tasks that sleep until then, one after the other.
    ///
    /// Sleepers wake in the order of their deadlines, those with the same deadline in the order of their arrival. The time
    /// is a sleeper's deadline when it wakes, and moves on when its `sleep` has returned; see ``advance(by:)``.
    ///
    /// - Parameter target: Where to; a point that has passed moves nothing.
    public func advance(to target: Instant) async {
        while let (id, sleeper) = wakeNext(until: target) {
            await time.wait { !$0.woken.contains(id) }
            // The actor runs one task at a time: when it comes to this, the woken task has suspended or ended.
            if let actor = sleeper.actor { await Self.run(on: actor) }
        }
    }

    private static func run(on actor: isolated any Actor) {}

    /// Waits until at least so many tasks sleep, or until the calling task is canceled.
    ///
    /// Time limits of the SDK don't count, though ``advance(by:)`` wakes them: a request that has a time limit on this clock
    /// and waits before its next attempt is one sleeper.
    ///
    /// A test that waits for a sleeper that never comes waits for ever; the trait `.timeLimit` ends it.
    public func waitForSleepers(_ count: Int) async {
        await time.wait { $0.sleeperCount >= count }
    }

    /// Waits until at least so many tasks and time limits sleep, or until the calling task is canceled.
    package func waitForSleepersAndTimeLimits(_ count: Int) async {
        await time.wait { $0.asleep.count >= count }
    }

    /// Moves to the next deadline and wakes its sleeper, or moves to the target when nobody sleeps until then.
    private func wakeNext(until target: Instant) -> (id: Int, sleeper: Sleeper)? {
        time.withLock { time in
            guard let id = time.next(until: target), let sleeper = time.asleep.removeValue(forKey: id) else {
                time.now = max(time.now, target)
                return nil
            }
            time.now = max(time.now, sleeper.deadline)
            time.woken.insert(id)
            return (id, sleeper)
        }
    }
}
