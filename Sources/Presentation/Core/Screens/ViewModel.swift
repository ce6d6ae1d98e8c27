import BrowseDomain
public import Observation

/// The view model of a screen: a state to show, and methods for the actions of the person.
///
/// In SwiftUI read ``state``, which is observable. Elsewhere iterate over ``states``:
///
/// ```swift
/// for await state in viewModel.states { render(state) }
/// ```
///
/// Methods that load are `async` and return when the load has ended. Callers share a load. It's canceled when all of their
/// tasks have been, unless the view model keeps it, as for a typed query; a cancellation isn't shown as a failure. Creating a view
/// model starts no work. Releasing it cancels the loads of its content; changes that are being stored continue.
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

/// Holds and publishes the state of one screen. It's private to the view model, which publishes ``states``.
///
/// ```swift
/// private let store = StateStore(State())
/// var states: States<State> { store.states }
/// ```
///
/// Each update publishes one state, however many values it changes. Controllers such as ``ListController`` write their parts
/// of the state after each update.
@MainActor
public final class StateStore<State: Equatable & Sendable> {
    /// The states, for readers.
    public nonisolated let states: States<State>

    private var parts: [@MainActor (inout State) -> Void] = []
    private var amendments: [@MainActor (inout State) -> Void] = []
    private var isUpdating = false

    /// Creates a store with the initial state.
    public init(_ state: State) { states = States(subject: StateSubject(state)) }

    deinit { states.subject.broadcast.finish() }

    /// The current state; setting it is one update.
    public var state: State {
        get { states.current }
        set { update { $0 = newValue } }
    }

    /// Changes the state, and publishes it if it differs.
    ///
    /// Controllers that are called inside the closure change the same state.
    ///
    /// - Precondition: It isn't called inside another update of this store; use ``amend(_:)`` there.
    /// - Returns: The result of the closure.
    public func update<Result>(_ change: (inout State) -> Result) -> Result {
        precondition(!isUpdating, "An update of a state inside another one would be lost")
        isUpdating = true
        var state = states.subject.state
        let result = change(&state)
        // Amendments and parts can make further amendments.
        applyAmendments(to: &state)
        for part in parts {
            part(&state)
            applyAmendments(to: &state)
        }
        isUpdating = false
        states.subject.publish(state)
        return result
    }

    private func applyAmendments(to state: inout State) {
        while !amendments.isEmpty { amendments.removeFirst()(&state) }
    }

    /// Changes the state like ``update(_:)``; inside another update, takes effect when that one ends.
    public func amend(_ change: @escaping @MainActor (inout State) -> Void = { _ in }) {
        if isUpdating { amendments.append(change) } else { update(change) }
    }

    /// Adds a closure that writes a part of the state at the end of each update.
    ///
    /// - Parameter write: Copies values of other objects. It must capture the owner of this store weakly.
    public func addPart(_ write: @escaping @MainActor (inout State) -> Void) {
        parts.append(write)
    }
}

/// The states of a screen: the current one, and a stream.
///
/// Iterating delivers the current state, then the newest one each time the loop is ready:
///
/// ```swift
/// for await state in viewModel.states { render(state) }
/// ```
///
/// The stream ends when the view model is released.
public struct States<State: Equatable & Sendable>: AsyncSequence, Sendable {
    let subject: StateSubject<State>

    /// The current state; observable.
    @MainActor public var current: State { subject.observedState }

    /// Every state in order, the current one first: for logs, tests, and front ends that replay steps.
    public var every: AsyncStream<State> { subject.broadcast.stream() }

    /// Iterates over the newest states, the current one first.
    public func makeAsyncIterator() -> AsyncStream<State>.Iterator {
        subject.broadcast.stream(.bufferingNewest(1)).makeAsyncIterator()
    }
}

/// The current state of a store, which readers can hold after the store is released.
@MainActor
final class StateSubject<State: Equatable & Sendable>: Observable {
    /// Observation merges the changes of one turn; a stream delivers each.
    nonisolated let broadcast: Broadcast<State>
    private(set) var state: State
    private let registrar = ObservationRegistrar()
    // Stored, because code that isn't specialized creates a key path each time.
    private let observedPath = \StateSubject.observedState

    init(_ state: State) {
        self.state = state
        broadcast = Broadcast(replaying: state)
    }

    var observedState: State {
        registrar.access(self, keyPath: observedPath)
        return state
    }

    func publish(_ newState: State) {
        guard newState != state else { return }
        registrar.withMutation(of: self, keyPath: observedPath) { state = newState }
        broadcast.send(newState, isReplayed: true)
    }
}
