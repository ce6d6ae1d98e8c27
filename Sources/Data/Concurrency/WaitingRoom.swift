import BrowseDomain
import Foundation
import Synchronization

/// Lets tasks in as a state allows; the others wait, the most urgent and then the oldest first.
///
/// Nobody polls: who waits is let in by the change that makes it possible.
final class WaitingRoom<State: Sendable>: Sendable {
    /// What a state says to somebody who wants in.
    enum Answer {
        /// Come in; the state has counted them.
        case enter
        /// Wait until it changes.
        case wait
        /// Do not wait.
        case refuse(BrowseError)
    }

    private struct Waiter {
        let continuation: CheckedContinuation<Result<Void, BrowseError>, Never>
        /// Until when they would wait.
        let deadline: Date
    }

    private struct Inside {
        var state: State
        var count = 0
        var line = WaitingLine<Waiter>()
        /// No deadline of those in the line is before this, so that most changes need not look at all of them.
        var earliestDeadline = Date.distantFuture

        /// Takes everybody out of the line who would not wait until then.
        mutating func expire(before end: Date) -> [Waiter] {
            guard earliestDeadline < end else { return [] }
            let leaving = line.leave { $0.deadline < end }
            earliestDeadline = line.elements.lazy.map { $0.deadline }.min() ?? .distantFuture
            return leaving
        }

        /// What the state says to somebody who comes now: those who wait and are as urgent go first, but for somebody who
        /// would not wait.
        mutating func answer(
            _ priority: LoadPriority,
            isPatient: Bool,
            _ ask: (inout State) -> Answer,
            _ admit: Admit
        ) -> Answer {
            guard let next = line.nextPriority, isPatient else { return ask(&state) }
            if priority > next, admit(&state, priority) { return .enter }
            var asked = state
            if case .refuse(let error) = ask(&asked) { return .refuse(error) }
            return .wait
        }

        /// Takes those out of the line whom the state allows in.
        mutating func admitted(_ admit: Admit) -> [Waiter] {
            var admitted: [Waiter] = []
            while let priority = line.nextPriority, admit(&state, priority), let waiter = line.next() {
                admitted.append(waiter)
            }
            return admitted
        }
    }

    /// Asks the state whether somebody of a priority, who waits, may come in; if so, it has counted them.
    typealias Admit = @Sendable (inout State, LoadPriority) -> Bool

    private let inside: Mutex<Inside>
    private let admit: Admit

    /// Nobody waits yet.
    init(_ state: State, admit: @escaping Admit) {
        inside = Mutex(Inside(state: state))
        self.admit = admit
    }

    /// How many wait.
    var waiting: Int { inside.withLock { $0.line.count } }

    /// No deadline of those who wait is before this; `nil` when nobody waits.
    var earliestDeadline: Date? { inside.withLock { $0.line.isEmpty ? nil : $0.earliestDeadline } }

    /// Looks at the state.
    func look<Value: Sendable>(_ body: @Sendable (State) -> Value) -> Value { inside.withLock { body($0.state) } }

    /// Comes in, at once or when it is possible.
    ///
    /// - Parameters:
    ///   - urgency: How soon it is wanted.
    ///   - deadline: Until when to wait.
    ///   - isPatient: Whether those who wait already, and are as urgent, go first.
    ///   - didJoin: Called when it is not possible at once, with the state that says so.
    ///   - ask: Asks the state when nobody goes first.
    /// - Throws: `.cancelled` when the task is cancelled while it waits, or the reason of a refusal.
    func enter(
        _ urgency: Urgency,
        until deadline: Date = .distantFuture,
        isPatient: Bool = true,
        didJoin: (State) -> Void = { _ in },
        _ ask: @escaping @Sendable (inout State) -> Answer
    ) async throws(BrowseError) {
        let (answer, number) = inside.withLock { inside -> (Answer, Int) in
            let answer = inside.answer(urgency.priority, isPatient: isPatient, ask, admit)
            inside.count += 1
            return (answer, inside.count)
        }
        switch answer {
        case .enter: return
        case .refuse(let error): throw error
        case .wait: break
        }
        let listener = urgency.listen { [weak self] priority in
            self?.move(number, to: priority)
        }
        defer { urgency.forget(listener) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, BrowseError>, Never>) in
                let (result, state) = inside.withLock { inside -> (Result<Void, BrowseError>?, State) in
                    // Cancelled before it stands in the line, nobody would find it there.
                    guard !Task.isCancelled else { return (.failure(.cancelled), inside.state) }
                    // Read once, here: whoever makes it more urgent after that finds it in the line.
                    let priority = urgency.priority
                    switch inside.answer(priority, isPatient: isPatient, ask, admit) {
                    case .enter: return (.success(()), inside.state)
                    case .refuse(let error): return (.failure(error), inside.state)
                    case .wait:
                        let waiter = Waiter(continuation: continuation, deadline: deadline)
                        inside.line.join(waiter, as: number, priority: priority)
                        inside.earliestDeadline = min(inside.earliestDeadline, deadline)
                        return (nil, inside.state)
                    }
                }
                // Only now: an alarm that is set for this one has to find it in the line.
                if let result { continuation.resume(returning: result) } else { didJoin(state) }
            }
        } onCancel: {
            inside.withLock { $0.line.leave(number) }?.continuation.resume(returning: .failure(.cancelled))
        }
        try result.get()
    }

    /// Changes the state, and lets in whom it allows by then.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - expire: Until when nobody gets in, as far as is known, and the reason; who would not wait so long is refused.
    @discardableResult
    func change<Value: Sendable>(
        _ change: @Sendable (inout State) -> Value,
        expire: @Sendable (State) -> (end: Date, error: BrowseError)? = { _ in nil }
    ) -> Value {
        let (value, ended) = inside.withLock { inside in
            let value = change(&inside.state)
            var ended = inside.admitted(admit).map { ($0, Result<Void, BrowseError>.success(())) }
            if let (end, error) = expire(inside.state) {
                ended += inside.expire(before: end).map { ($0, .failure(error)) }
            }
            return (value, ended)
        }
        for (waiter, result) in ended { waiter.continuation.resume(returning: result) }
        return value
    }

    /// Moves somebody in the line, and lets in whom the state allows now.
    private func move(_ number: Int, to priority: LoadPriority) {
        let admitted = inside.withLock { inside in
            inside.line.move(number, to: priority)
            return inside.admitted(admit)
        }
        for waiter in admitted { waiter.continuation.resume(returning: .success(())) }
    }
}
