import BrowseData
import BrowseDomain
public import Foundation

/// A clock that a test advances.
///
/// Pass it to code that takes a `Clock`, wait until that code sleeps, advance the time, and **await
/// the work itself**:
///
/// ```swift
/// let clock = TestClock()
/// let task = Task { try await clock.sleep(for: .milliseconds(300)) }
/// await clock.waitForSleepers(1)
/// await clock.advance(by: .milliseconds(300))
/// try await task.value
/// ```
///
/// Without ``waitForSleepers(_:fileID:line:)``, time can advance before the task sleeps, so its
/// sleep ends later. If the steps don't matter, let ``run(_:)`` advance the time, or use
/// ``ImmediateClock``. If nothing can be awaited, use
/// ``waitUntil(within:fileID:filePath:line:_:)``.
///
/// Nothing polls or waits for real time. Safe to use from any number of tasks.
public final class TestClock: Clock, Sendable {
    /// A point in time, as the distance from the start.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The distance from the start.
        public let offset: Duration

        /// Creates a point in time; the default is the start.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// The instant that is later by a duration.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// The distance to another instant; negative if it's earlier.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether an instant is earlier than another.
        public static func < (lhs: Instant, rhs: Instant) -> Bool {
            lhs.offset < rhs.offset
        }

        /// The distance from the start.
        public var description: String { "\(offset)" }
    }

    private struct Sleeper {
        let deadline: Instant
        let isTimeLimit: Bool
        /// The purpose of the sleep, if a mock or the SDK sleeps.
        let purpose: String?
        /// The caller's actor, to which the sleep returns; `nil` after it was canceled.
        var actor: (any Actor)?
    }

    private struct Time {
        var now: Instant
        var lastID = 0
        /// The sleeping tasks, in order of arrival.
        var asleep: [Int: Sleeper] = [:]
        /// The woken tasks whose sleep hasn't returned yet.
        var woken: Set<Int> = []
        /// The tasks that were canceled while they slept, since the last other sleep or advance.
        ///
        /// A test's variables end with it, before its trait looks.
        var canceled: [Sleeper] = []
        /// The last advance, if nothing slept then, and no time limit expired.
        var idleAdvance: Duration?
        /// Whether dates follow the clock, which then advances for more than sleeps.
        var hasDates = false

        /// A sentence about tasks that sleep; `nil` if there are none.
        var reminder: String? { Self.reminder(of: Array(asleep.values), at: now, idleAdvance) }

        /// A sentence about a sleep that a failed test may have ended, or have been too early for.
        var hint: String? {
            if let text = Self.reminder(of: canceled, at: now, idleAdvance) { return text }
            guard let idleAdvance, sleeperCount == 0, !hasDates else { return nil }
            return """
                nothing had slept on a TestClock when it advanced by \(idleAdvance). If a task should have, await \
                waitForSleepers(1) before.
                """
        }

        private static func reminder(of sleepers: [Sleeper], at now: Instant, _ idleAdvance: Duration?) -> String? {
            let deadlines = sleepers.filter { !$0.isTimeLimit }.map(\.deadline)
            guard let first = deadlines.min() else { return nil }
            let count = deadlines.count == 1 ? "a task" : "\(deadlines.count) tasks"
            let purposes = Set(sleepers.compactMap(\.purpose)).sorted().map { ", \($0)" }.joined()
            let end = "until \(first)\(deadlines.count == 1 ? "" : " or later")\(purposes)"
            let late = idleAdvance.map { "The advance by \($0) woke nothing: await waitForSleepers(1) before it." }
            let remedy = """
                Advance the clock before awaiting the work; if you have, await waitForSleepers(1) before you advance.
                """
            return """
                \(count) slept on a TestClock at \(now), \(end). \(late ?? remedy) Or await the work in \
                clock.run { … }.
                """
        }

        var sleeperCount: Int { asleep.values.count { !$0.isTimeLimit } }

        /// The next sleeper to wake: the earliest deadline, then the earliest arrival.
        func next(until target: Instant) -> Int? {
            asleep.lazy.filter { $0.value.deadline <= target }.map { ($0.value.deadline, $0.key) }.min(by: <)?.1
        }

        /// Ends a sleep; returns whether its task was woken rather than canceled.
        mutating func endSleep(_ id: Int) -> Bool {
            asleep[id] = nil
            return woken.remove(id) != nil
        }
    }

    /// The request whose response this task delays, to name in issues.
    @TaskLocal static var request: String?

    private let time: Monitor<Time>

    /// Creates a clock that is stopped.
    public init(now: Instant = Instant()) {
        time = Monitor(Time(now: now))
        TestScope.current?.remind { [time] in time.value.reminder }
        TestScope.current?.remind(.hint) { [time] in time.value.hint }
    }

    /// The current time.
    public var now: Instant { time.value.now }

    /// Returns a function for `Configuration.now`, whose date advances with the clock.
    ///
    /// - Parameter start: The date at the clock's start.
    public func now(from start: Date) -> @Sendable () -> Date {
        time.withLock { $0.hasDates = true }
        return { [self] in start.addingTimeInterval(now.offset / .seconds(1)) }
    }

    /// Zero: sleepers wake exactly at their deadlines.
    public var minimumResolution: Duration { .zero }

    /// The number of sleeping tasks.
    ///
    /// Time limits of the SDK, such as `HTTPLimits.duration`, don't count.
    public var sleeperCount: Int { time.value.sleeperCount }

    /// Sleeps on the caller's actor until a deadline; returns immediately if it has passed.
    ///
    /// - Parameters:
    ///   - deadline: The end of the sleep.
    ///   - tolerance: Only recognizes time limits of the SDK, since the clock is exact.
    /// - Throws: `CancellationError` when the task is canceled.
    nonisolated(nonsending) public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await sleep(until: deadline, isTimeLimit: tolerance == TimeLimit.tolerance, on: #isolation)
    }

    private func sleep(
        until deadline: Instant,
        isTimeLimit: Bool,
        on actor: isolated (any Actor)?
    ) async throws {
        let id = time.withLock { time in
            time.lastID += 1
            return time.lastID
        }
        let sleeps = await withTaskCancellationHandler {
            // Inside the handler, so that canceling a visible sleeper takes effect immediately. The
            // closure captures the actor, and therefore runs there: a task that sleeps again is
            // visible before the actor's next job.
            let sleeps = time.withLock { time in
                guard !Task.isCancelled, deadline > time.now else { return false }
                let delay = Self.request.map { "for the delayed response to \($0)" }
                let purpose = isTimeLimit ? nil : delay ?? TimeLimit.pause.map { "in the pause before \($0)" }
                if !isTimeLimit { time.canceled = [] }
                time.asleep[id] = Sleeper(deadline: deadline, isTimeLimit: isTimeLimit, purpose: purpose, actor: actor)
                return true
            }
            if sleeps { await time.suspend { $0.asleep[id] == nil } }
            return sleeps
        } onCancel: {
            time.withLock { time in
                if let sleeper = time.asleep.removeValue(forKey: id), !sleeper.isTimeLimit {
                    // An actor can be released when its work has ended.
                    time.canceled.append(modified(sleeper) { $0.actor = nil })
                }
            }
        }
        // On the caller's actor again, without a suspension before the code after the sleep.
        let isOver = sleeps ? time.withLock { time in time.endSleep(id) } : !Task.isCancelled
        guard isOver else { throw CancellationError() }
    }

    /// Sleeps on the caller's actor for a duration; returns immediately if it's zero or less.
    ///
    /// Unlike `Clock.sleep(for:tolerance:)`, it stays on the caller's actor; see ``advance(by:)``.
    ///
    /// - Parameters:
    ///   - duration: The length of the sleep.
    ///   - tolerance: Ignored, since the clock is exact.
    /// - Throws: `CancellationError` when the task is canceled.
    nonisolated(nonsending) public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
        try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
    }

    /// Advances the time, and wakes sleepers one by one.
    ///
    /// When this method returns, every `sleep` that it ended has returned. If a task is on an actor
    /// and called `sleep` of this type, its code after the sleep has also run, up to the next
    /// `await` or into the next sleep. Otherwise (without an actor, or through `any Clock`), await
    /// the work itself, or, if it sleeps again,
    /// ``waitForSleepers(_:fileID:line:)``.
    ///
    /// - Parameter duration: The distance; zero or less has no effect.
    public func advance(by duration: Duration) async {
        await advance(to: now.advanced(by: duration))
    }

    /// Advances the time to an instant, and wakes sleepers one by one.
    ///
    /// Sleepers wake in the order of their deadlines, then of their arrival. The time stays at a
    /// sleeper's deadline until its `sleep` has returned; see ``advance(by:)``.
    ///
    /// - Parameter target: The new time; an earlier one has no effect.
    public func advance(to target: Instant) async {
        time.withLock { time in
            let isIdle = time.sleeperCount == 0 && time.next(until: target) == nil && target > time.now
            time.idleAdvance = isIdle ? time.now.duration(to: target) : nil
            time.canceled = []
        }
        while let (id, sleeper) = wakeNext(until: target) {
            await time.suspend { !$0.woken.contains(id) }
            // The actor runs one task at a time: after this, the woken task has suspended or ended.
            if let actor = sleeper.actor { await Self.run(on: actor) }
        }
    }

    private static func run(on actor: isolated any Actor) {}

    /// Advances to the deadlines of all sleepers, until no task sleeps.
    ///
    /// A task that sleeps again is included if it's on an actor and called `sleep` of this type;
    /// see ``advance(by:)``. Otherwise, pass its work to ``run(_:)``. Ends when the calling task is
    /// canceled, for tasks that sleep in an endless loop.
    ///
    /// Time limits of the SDK don't count as sleeps; they expire only during a longer sleep.
    public func run() async {
        while !Task.isCancelled, let deadline = nextDeadline { await advance(to: deadline) }
    }

    /// Performs work and, until it returns, advances to the next deadline whenever a task sleeps.
    ///
    /// ```swift
    /// let page = try await clock.run { try await followers.page(of: list, at: nil) }  // however often it waits
    /// ```
    ///
    /// Time limits of the SDK don't count as sleeps; they expire only during a longer sleep.
    ///
    /// - Parameter work: The work; runs on the caller's actor.
    /// - Returns: The result of the work.
    nonisolated(nonsending) public func run<Value>(
        _ work: nonisolated(nonsending) () async throws -> Value
    ) async rethrows -> Value {
        let driver = Task.detached { [self] in
            while !Task.isCancelled {
                await time.suspend { $0.sleeperCount > 0 }
                await run()
            }
        }
        defer { driver.cancel() }
        return try await work()
    }

    /// Waits until a number of tasks sleep, or until the calling task is canceled.
    ///
    /// Time limits of the SDK don't count, though ``advance(by:)`` wakes them. The wait has no time
    /// limit; use the trait `.timeLimit`.
    ///
    /// - Parameters:
    ///   - count: The number of tasks.
    ///   - fileID: The file to name in issues.
    ///   - line: The line to name in issues.
    public func waitForSleepers(_ count: Int, fileID: String = #fileID, line: Int = #line) async {
        await time.wait(
            reminding: { time in
                let sleepers = time.sleeperCount == 0 ? "nothing" : "only \(time.sleeperCount)"
                let hasLimits = time.asleep.count > time.sleeperCount
                let limits = hasLimits ? ", except time limits, which don't count" : ""
                let remedy =
                    hasLimits
                    ? "To let one expire, await waitForRequests(1), then advance(by: limits.duration)."
                    : "Is it the clock of the configuration, and of the services?"
                return """
                    waitForSleepers(\(count)) at \(fileID):\(line) waited, and \(sleepers) slept on this \
                    TestClock\(limits). \(remedy)
                    """
            },
            until: { $0.sleeperCount >= count }
        )
    }

    /// Waits until a number of tasks and time limits sleep, or until the calling task is canceled.
    package func waitForSleepersAndTimeLimits(_ count: Int) async {
        await time.suspend { $0.asleep.count >= count }
    }

    /// The earliest deadline of all sleepers that aren't time limits.
    private var nextDeadline: Instant? {
        time.withLock { time in time.asleep.values.filter { !$0.isTimeLimit }.map(\.deadline).min() }
    }

    /// Advances to the next deadline and wakes its sleeper; without one, advances to the target.
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

extension Clock where Duration == Swift.Duration {
    /// Delays the response to a request, which issues about a ``TestClock`` name.
    ///
    /// In place of real time, it's measured by the clock of the container that sent the request.
    ///
    /// - Returns: Whether the delay ended, rather than its task.
    func delay(_ request: HTTPClient.Request, by delay: Duration) async -> Bool {
        let clock: any Clock<Duration> = self is ContinuousClock ? InProcessTransport.time.clock : self
        return await TestClock.$request.withValue(Script.name(of: request)) {
            (try? await clock.sleep(for: delay)) != nil
        }
    }
}
