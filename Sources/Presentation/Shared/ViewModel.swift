public import Observation
import Synchronization

/// What every screen's view model is: one state to show, changed by calling its methods.
///
/// In SwiftUI read ``state``; it is observable. Elsewhere follow ``states``:
///
/// ```swift
/// for await state in viewModel.states { render(state) }
/// ```
///
/// Methods are what a person does. Those that load are `async` and return when the work is done; cancelling the task that
/// called them cancels the work, without a failure being shown.
@MainActor
public protocol ViewModel: AnyObject, Observable {
    /// Everything that the screen shows, as a value.
    associatedtype State: Equatable & Sendable

    /// What the screen shows now.
    var state: State { get }

    /// The states from now on, the current one first; it ends when the view model goes away.
    ///
    /// - Parameter delivery: What happens while the listener is busy.
    func states(_ delivery: StateDelivery) -> AsyncStream<State>
}

/// What a stream of states does while its listener is busy.
public enum StateDelivery: Hashable, Sendable {
    /// Keeps every state, in order: for logs, tests, and front ends that replay each step.
    case every
    /// Keeps the newest only: for front ends that draw.
    case newest
}

extension ViewModel {
    /// Every state from now on, in order, the current one first.
    public var states: AsyncStream<State> { states(.every) }
}

/// Hands each state of a view model to any number of listeners.
///
/// Observation alone cannot do this: it merges changes until its next turn, and of 1,000 quick ones a listener saw one.
final class StateBroadcast<State: Equatable & Sendable>: Sendable {
    private struct Listeners {
        var continuations: [Int: AsyncStream<State>.Continuation] = [:]
        var count = 0
    }

    private let listeners = Mutex(Listeners())

    deinit {
        for continuation in listeners.withLock({ $0.continuations }).values { continuation.finish() }
    }

    /// A stream that begins with the current state.
    func stream(_ delivery: StateDelivery, startingWith state: State) -> AsyncStream<State> {
        let policy: AsyncStream<State>.Continuation.BufferingPolicy =
            switch delivery {
            case .every: .unbounded
            case .newest: .bufferingNewest(1)
            }
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: policy)
        continuation.yield(state)
        let number = listeners.withLock { listeners in
            listeners.count += 1
            listeners.continuations[listeners.count] = continuation
            return listeners.count
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.listeners.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    /// Tells every listener, unless nothing changed.
    func send(_ state: State, insteadOf old: State) {
        // Taken out of the lock: a listener that ends meanwhile calls back into it.
        let continuations = listeners.withLock { Array($0.continuations.values) }
        guard !continuations.isEmpty, state != old else { return }
        for continuation in continuations { continuation.yield(state) }
    }
}
