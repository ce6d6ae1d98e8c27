public import Observation

/// A screen's view model: one state to show, changed by calling its methods.
///
/// In SwiftUI read ``state``; it is observable. Elsewhere follow ``states``:
///
/// ```swift
/// for await state in viewModel.states { render(state) }
/// ```
///
/// Methods are what a person does. Those that load are `async` and return when the work is done; canceling the task of
/// every caller cancels the work, without a failure being shown. Creating a view model starts no work, and a view model
/// that goes away cancels its work.
@MainActor
public protocol ViewModel<State>: AnyObject, Observable {
    /// Everything that the screen shows, as a value.
    associatedtype State: Equatable & Sendable

    /// The current state and those that follow.
    var states: States<State> { get }
}

extension ViewModel {
    /// The current state of the screen.
    public var state: State { states.current }
}
