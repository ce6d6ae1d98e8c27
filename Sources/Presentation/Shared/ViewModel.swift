import BrowseDomain
public import Observation

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

// Observation alone cannot hand over each state: it merges changes until its next turn, and of 1,000 quick ones a listener
// saw one.
extension Broadcast where Value: Equatable {
    /// A stream that begins with the current state.
    func stream(_ delivery: StateDelivery, startingWith state: Value) -> AsyncStream<Value> {
        switch delivery {
        case .every: stream(.unbounded, startingWith: state)
        case .newest: stream(.bufferingNewest(1), startingWith: state)
        }
    }

    /// Tells every listener, unless nothing changed.
    func send(_ state: Value, insteadOf old: Value) {
        guard hasListeners, state != old else { return }
        send(state)
    }
}
