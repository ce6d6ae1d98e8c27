import BrowseDomain
import Synchronization

/// The admission policy of a ``RequestQueue``, which also counts admitted requests.
///
/// Times are measured from the creation of the queue, by its clock.
protocol AdmissionRule: Sendable {
    associatedtype Refusal: Sendable

    /// Admits and counts a request; returns `false` if there's no capacity.
    mutating func admit(_ priority: LoadPriority, at now: Duration) -> Bool

    /// Returns the reason for missing capacity, and the time when some is expected; `nil` if unknown.
    func refusal(at now: Duration) -> (reason: Refusal, end: Duration?)
}

/// A queue that suspends callers until admitted, by priority, then first come, first served.
///
/// Updates of the rule resume waiters, as does one shared alarm for expected capacity and deadlines; nothing polls. Waiters
/// cancel independently.
final class RequestQueue<Rule: AdmissionRule>: Sendable {
    /// How a caller left the queue.
    enum Outcome: Sendable {
        /// The rule has counted the caller.
        case admitted
        /// No capacity is expected before the caller's deadline.
        case refused(Rule.Refusal)
        case cancelled
    }

    /// A class, so that its caller's frames contain one reference.
    fileprivate final class Waiter: Sendable {
        let answer = OneShot<Outcome>()
        let number: Int
        let priority: CoalescedPriority
        let deadline: Duration?

        init(_ number: Int, _ priority: CoalescedPriority, _ deadline: Duration?) {
            (self.number, self.priority, self.deadline) = (number, priority, deadline)
        }
    }

    fileprivate typealias Departure = (Waiter, Outcome)

    fileprivate struct State {
        var rule: Rule
        var lastNumber = 0
        var waiters = PriorityBuckets<Waiter>()
        /// A lower bound of all deadlines, so that most updates needn't check every waiter.
        var earliestDeadline: Duration?
        var alarm: (time: Duration, task: Task<Void, Never>)?
    }

    private let state: Mutex<State>
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let alarmsAreTimeLimits: Bool

    /// - Parameters:
    ///   - rule: The admission policy.
    ///   - clock: The clock that measures waits.
    ///   - alarmsAreTimeLimits: Whether alarms only end waits that time out; see `TimeLimit`. Pass `false` if time can add
    ///     capacity, as at the reset of a rate limit.
    init(_ rule: Rule, clock: any Clock<Duration>, alarmsAreTimeLimits: Bool) {
        state = Mutex(State(rule: rule))
        self.clock = clock
        elapsed = clock.stopwatch()
        self.alarmsAreTimeLimits = alarmsAreTimeLimits
    }

    deinit { state.withLock { $0.alarm }?.task.cancel() }

    /// The time since the creation of the queue.
    var now: Duration { elapsed() }
    var waiting: Int { state.withLock { $0.waiters.count } }
    var rule: Rule { state.withLock { $0.rule } }

    /// Admits the caller if it's next and there's capacity; otherwise it has to ``enter(_:until:didWait:)``.
    func admitImmediately(_ priority: LoadPriority) -> Bool {
        state.withLock { $0.isNext(priority) && $0.rule.admit(priority, at: elapsed()) }
    }

    /// Suspends the caller until it's admitted, refused, or canceled.
    ///
    /// Waiters of the same or a higher priority are admitted first. A caller whose deadline has passed skips the queue.
    ///
    /// - Parameters:
    ///   - priority: The priority, which can change while the caller waits.
    ///   - deadline: The end of the wait; `nil` is unlimited.
    ///   - didWait: Called with the current rule if the caller has to wait.
    func enter(
        _ priority: CoalescedPriority,
        until deadline: Duration?,
        didWait: (Rule) -> Void = { _ in }
    ) async -> Outcome {
        let (first, waiter) = waiter(priority, until: deadline)
        if let first { return first }
        return await withTaskCancellationHandler {
            join(waiter, didWait)
            return await waiter.answer.value
        } onCancel: {
            resume { state, _ in state.waiters.remove(waiter.number) }?.answer.resolve(.cancelled)
        }
    }

    /// Returns the immediate outcome, if there is one, and a waiter.
    private func waiter(_ priority: CoalescedPriority, until deadline: Duration?) -> (Outcome?, Waiter) {
        state.withLock { state in
            state.lastNumber += 1
            let outcome = state.outcome(for: priority.priority, until: deadline, at: elapsed())
            return (outcome, Waiter(state.lastNumber, priority, deadline))
        }
    }

    /// Adds a waiter, or resolves its answer if it needn't wait.
    private func join(_ waiter: Waiter, _ didWait: (Rule) -> Void) {
        let (outcome, rule) = state.withLock { join(waiter, &$0) }
        if let outcome { waiter.answer.resolve(outcome) } else { didWait(rule) }
    }

    /// Changes the rule, and resumes the waiters that it now admits or refuses.
    @discardableResult
    func update<Value: Sendable>(_ change: (inout Rule, _ now: Duration) -> Value) -> Value {
        resume { change(&$0.rule, $1) }
    }

    /// Changes the state, and resumes the waiters that the rule now admits or refuses.
    @discardableResult
    private func resume<Value: Sendable>(after change: (inout State, _ now: Duration) -> Value) -> Value {
        let (value, leaving) = state.withLock { state in
            let now = elapsed()
            let value = change(&state, now)
            defer { setAlarm(&state, at: now) }
            return (value, state.removeLeaving(at: now))
        }
        for (waiter, outcome) in leaving { waiter.answer.resolve(outcome) }
        return value
    }

    private func join(_ waiter: Waiter, _ state: inout State) -> (Outcome?, Rule) {
        // Under the lock: later cancellations and priority changes find the waiter in the queue.
        guard !Task.isCancelled else { return (.cancelled, state.rule) }
        let (now, priority) = (elapsed(), waiter.priority.priority)
        let outcome = state.outcome(for: priority, until: waiter.deadline, at: now)
        if outcome == nil {
            state.waiters.insert(waiter, as: waiter.number, priority: priority)
            if let deadline = waiter.deadline {
                state.earliestDeadline = min(state.earliestDeadline ?? deadline, deadline)
            }
            setAlarm(&state, at: now)
        }
        return (outcome, state.rule)
    }

    /// Schedules the alarm for the next time that waiters can leave, unless an earlier one is scheduled.
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
        let fire: @Sendable () -> Void = { [weak self] in
            self?.resume { state, _ in
                if state.alarm?.time == time { state.alarm = nil }
            }
        }
        state.alarm = (time, clock.startTimeLimit(of: time - now, expire: fire))
    }
}

extension RequestQueue.State {
    /// Whether a new caller of a priority precedes all waiters.
    fileprivate mutating func isNext(_ priority: LoadPriority) -> Bool {
        waiters.nextPriority.map { priority > $0 } ?? true
    }

    /// The immediate outcome; `nil` if the caller has to wait.
    fileprivate mutating func outcome(
        for priority: LoadPriority,
        until deadline: Duration?,
        at now: Duration
    ) -> RequestQueue<Rule>.Outcome? {
        let canWait = deadline.map { $0 > now } ?? true
        if isNext(priority) || !canWait, rule.admit(priority, at: now) { return .admitted }
        let (reason, end) = rule.refusal(at: now)
        guard canWait else { return .refused(reason) }
        guard let deadline else { return nil }
        return (end ?? now) <= deadline ? nil : .refused(reason)
    }

    /// Removes the waiters that are now admitted or refused.
    fileprivate mutating func removeLeaving(at now: Duration) -> [RequestQueue<Rule>.Departure] {
        var leaving: [RequestQueue<Rule>.Departure] = []
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
