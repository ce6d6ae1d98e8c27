import BrowseDomain
import Synchronization

/// Decides which requests of a ``RequestQueue`` are admitted, and counts them.
///
/// Times are counted from the creation of the queue, by its clock.
protocol AdmissionRule: Sendable {
    /// Why a request isn't admitted.
    associatedtype Refusal: Sendable

    /// Admits a request and counts it; returns `false` when there's no room for it.
    mutating func admit(_ priority: LoadPriority, at now: Duration) -> Bool

    /// Why there's no room, and when there's expected to be some; `nil` when that isn't known.
    func refusal(at now: Duration) -> (reason: Refusal, end: Duration?)
}

/// A queue that suspends callers until admitted, by priority, then first come, first served.
///
/// Updates of the rule resume waiters, and one alarm for all of them when time may make room or a deadline passes; nothing
/// polls. Waiters cancel independently.
final class RequestQueue<Rule: AdmissionRule>: Sendable {
    /// How a caller left the queue.
    enum Outcome: Sendable {
        /// The rule has counted the caller.
        case admitted
        /// There's no room before the caller's deadline.
        case refused(Rule.Refusal)
        /// The caller's task was canceled.
        case cancelled
    }

    fileprivate struct Waiter {
        let continuation: CheckedContinuation<Outcome, Never>
        let deadline: Duration?
    }

    fileprivate struct State {
        var rule: Rule
        var lastNumber = 0
        var waiters = PriorityBuckets<Waiter>()
        /// No waiter has an earlier deadline, so that most updates needn't look at all of them.
        var earliestDeadline: Duration?
        var alarm: (time: Duration, task: Task<Void, Never>)?
    }

    private let state: Mutex<State>
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let alarmsAreTimeLimits: Bool

    /// Creates a queue without waiters.
    ///
    /// - Parameters:
    ///   - rule: Decides who is admitted.
    ///   - clock: Measures waits.
    ///   - alarmsAreTimeLimits: Whether time only ends waits, and never makes room; see `TimeLimit`.
    init(_ rule: Rule, clock: any Clock<Duration>, alarmsAreTimeLimits: Bool) {
        state = Mutex(State(rule: rule))
        self.clock = clock
        elapsed = clock.stopwatch()
        self.alarmsAreTimeLimits = alarmsAreTimeLimits
    }

    deinit {
        state.withLock { $0.alarm }?.task.cancel()
    }

    /// The time since the creation of the queue.
    var now: Duration { elapsed() }
    /// The number of waiters.
    var waiting: Int { state.withLock { $0.waiters.count } }
    /// The rule as it is now.
    var rule: Rule { state.withLock { $0.rule } }

    /// Admits the caller if it's next and there's room for it; otherwise it has to ``enter(_:until:didWait:)``.
    func admitAtOnce(_ priority: LoadPriority) -> Bool {
        state.withLock { $0.isNext(priority) && $0.rule.admit(priority, at: elapsed()) }
    }

    /// Returns when the caller is admitted, refused, or canceled.
    ///
    /// Callers of the same or a higher priority that wait already are admitted first. A caller whose deadline has come
    /// doesn't wait, so it skips the queue.
    ///
    /// - Parameters:
    ///   - priority: The priority, which may change while the caller waits.
    ///   - deadline: The end of the caller's patience; `nil` waits without one.
    ///   - didWait: Called when the caller has to wait, with the rule at that time.
    func enter(
        _ priority: SharedPriority,
        until deadline: Duration?,
        didWait: (Rule) -> Void = { _ in }
    ) async -> Outcome {
        let (first, number) = state.withLock { state in
            state.lastNumber += 1
            return (state.outcome(for: priority.priority, until: deadline, at: elapsed()), state.lastNumber)
        }
        if let first { return first }
        let listener = priority.listen { [weak self] priority in self?.move(number, to: priority) }
        defer { priority.forget(listener) }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(continuation: continuation, deadline: deadline)
                let (outcome, rule) = state.withLock { join(waiter, as: number, priority, &$0) }
                if let outcome { continuation.resume(returning: outcome) } else { didWait(rule) }
            }
        } onCancel: {
            resume { state, _ in state.waiters.remove(number) }?.continuation.resume(returning: .cancelled)
        }
    }

    /// Changes the rule, and resumes the waiters that it admits or refuses then.
    @discardableResult
    func update<Value: Sendable>(_ change: (inout Rule, _ now: Duration) -> Value) -> Value {
        resume { change(&$0.rule, $1) }
    }

    /// Changes the state, and resumes the waiters that the rule admits or refuses then.
    @discardableResult
    private func resume<Value: Sendable>(after change: (inout State, _ now: Duration) -> Value) -> Value {
        let (value, leaving) = state.withLock { state in
            let now = elapsed()
            let value = change(&state, now)
            defer { setAlarm(&state, at: now) }
            return (value, state.removeLeaving(at: now))
        }
        for (waiter, outcome) in leaving { waiter.continuation.resume(returning: outcome) }
        return value
    }

    private func move(_ number: Int, to priority: LoadPriority) {
        resume { state, _ in state.waiters.move(number, to: priority) }
    }

    private func join(
        _ waiter: Waiter,
        as number: Int,
        _ priority: SharedPriority,
        _ state: inout State
    ) -> (Outcome?, Rule) {
        // A cancellation after this finds the waiter in the queue, and so does a change of the priority.
        guard !Task.isCancelled else { return (.cancelled, state.rule) }
        let (now, priority) = (elapsed(), priority.priority)
        let outcome = state.outcome(for: priority, until: waiter.deadline, at: now)
        if outcome == nil {
            state.waiters.insert(waiter, as: number, priority: priority)
            if let deadline = waiter.deadline {
                state.earliestDeadline = min(state.earliestDeadline ?? deadline, deadline)
            }
            setAlarm(&state, at: now)
        }
        return (outcome, state.rule)
    }

    /// Sets the alarm to the next time at which waiters may leave; an earlier one stays, and is set again when it rings.
    private func setAlarm(_ state: inout State, at now: Duration) {
        guard !state.waiters.isEmpty else {
            state.alarm?.task.cancel()
            (state.alarm, state.earliestDeadline) = (nil, nil)
            return
        }
        let end = state.rule.refusal(at: now).end
        guard let next = [end, state.earliestDeadline].compactMap(\.self).min() else { return }
        let time = max(next, now + .milliseconds(50))
        if let alarm = state.alarm, alarm.time <= time { return }
        state.alarm?.task.cancel()
        let ring: @Sendable () -> Void = { [weak self] in
            self?.resume { state, _ in
                if state.alarm?.time == time { state.alarm = nil }
            }
        }
        let task =
            alarmsAreTimeLimits
            ? clock.startTimeLimit(of: time - now, expire: ring) : clock.startAlarm(after: time - now, ring)
        state.alarm = (time, task)
    }
}

extension RequestQueue.State {
    /// Whether no waiter goes before a caller of a priority.
    fileprivate mutating func isNext(_ priority: LoadPriority) -> Bool {
        waiters.nextPriority.map { priority > $0 } ?? true
    }

    /// The outcome for a caller at once; `nil` when it has to wait.
    fileprivate mutating func outcome(
        for priority: LoadPriority,
        until deadline: Duration?,
        at now: Duration
    ) -> RequestQueue<Rule>.Outcome? {
        let canWait = deadline.map { $0 > now } ?? true
        if isNext(priority) || !canWait, rule.admit(priority, at: now) { return .admitted }
        let (reason, end) = rule.refusal(at: now)
        guard canWait, let deadline else { return canWait ? nil : .refused(reason) }
        return (end ?? now) <= deadline ? nil : .refused(reason)
    }

    /// Removes the waiters that are admitted, and those that are refused.
    fileprivate mutating func removeLeaving(at now: Duration) -> [(
        RequestQueue<Rule>.Waiter, RequestQueue<Rule>.Outcome
    )] {
        var leaving: [(RequestQueue<Rule>.Waiter, RequestQueue<Rule>.Outcome)] = []
        while let priority = waiters.nextPriority, rule.admit(priority, at: now), let waiter = waiters.popFirst() {
            leaving.append((waiter, .admitted))
        }
        guard let earliestDeadline, !waiters.isEmpty else { return leaving }
        let (reason, end) = rule.refusal(at: now)
        guard earliestDeadline <= now || earliestDeadline < end ?? now else { return leaving }
        let refused = waiters.removeAll { waiter in
            waiter.deadline.map { $0 <= now || $0 < end ?? now } ?? false
        }
        self.earliestDeadline = waiters.elements.lazy.compactMap { $0.deadline }.min()
        return leaving + refused.map { ($0, .refused(reason)) }
    }
}

extension Clock<Duration> {
    /// Runs an action after some time, unless the returned task is canceled before.
    fileprivate func startAlarm(after duration: Duration, _ ring: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        // Counted from the call, not from when the task begins to run.
        let time = now.advanced(by: min(duration, TimeLimit.longest))
        return Task {
            guard (try? await sleep(until: time, tolerance: nil)) != nil else { return }
            ring()
        }
    }
}
