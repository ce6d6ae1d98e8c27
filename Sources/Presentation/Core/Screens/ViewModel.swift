public import Observation

/// The view model of a screen: a state to show, and methods for the actions of the person.
///
/// In SwiftUI read ``state``, which is observable. Elsewhere iterate over ``states``:
///
/// ```swift
/// for await state in viewModel.states { render(state) }
/// ```
///
/// Methods that load are `async` and return when the load has ended. Callers share a load. It's
/// canceled when all of their tasks have been, unless the view model keeps it, as for a typed
/// query; a cancellation isn't shown as a failure. Creating a view model starts no work. Releasing
/// it cancels the loads of its content; changes that are being stored continue.
@MainActor
public protocol ViewModel<State>: AnyObject, Observable, Sendable {
    /// The values that the screen shows.
    associatedtype State: Equatable & Sendable

    /// The current state, and a stream of states.
    var states: States<State> { get }
}

extension ViewModel {
    /// The current state of the screen.
    public var state: State { states.current }
}
