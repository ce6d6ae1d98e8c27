import BrowseDomain
import Observation

/// The state of one screen; private to its view model, which shows it to others as ``states``.
///
/// ```swift
/// private let store = StateStore(State())
/// var states: States<State> { store.states }
/// ```
///
/// A change is one new state, however many values it touches. Controllers such as ``ListController`` write their part of
/// the state after each change.
@MainActor
public final class StateStore<State: Equatable & Sendable> {
    /// The reader that a view model publishes.
    public nonisolated let states: States<State>

    private var parts: [@MainActor (inout State) -> Void] = []
    private var amendments: [@MainActor (inout State) -> Void] = []
    private var isUpdating = false

    /// Creates a store with the first state.
    public init(_ state: State) {
        states = States(subject: StateSubject(state))
    }

    deinit {
        states.subject.broadcast.finish()
    }

    /// The current state; setting it is one update.
    public var state: State {
        get { states.current }
        set { update { $0 = newValue } }
    }

    /// Changes the state, and publishes it once if it differs.
    ///
    /// Controllers may be called inside the closure: their changes become part of the same state.
    ///
    /// - Precondition: It isn't called inside another update of this store; use ``amend(_:)`` there.
    /// - Returns: The result of the closure.
    @discardableResult
    public func update<Result>(_ change: (inout State) -> Result) -> Result {
        precondition(!isUpdating, "An update of a state inside another one would be lost")
        isUpdating = true
        var state = states.subject.state
        let result = change(&state)
        for amendment in amendments { amendment(&state) }
        amendments = []
        for part in parts { part(&state) }
        isUpdating = false
        states.subject.publish(state)
        return result
    }

    /// Changes the state as ``update(_:)`` does, or at the end of the update that is in progress.
    public func amend(_ change: @escaping @MainActor (inout State) -> Void = { _ in }) {
        if isUpdating { amendments.append(change) } else { update(change) }
    }

    /// Adds a closure that writes a part of the state at the end of every update.
    ///
    /// - Parameter write: Writes values that other objects own. It must capture weakly whatever owns this store.
    public func addPart(_ write: @escaping @MainActor (inout State) -> Void) {
        parts.append(write)
    }
}

/// The states of a screen, for its front end: the current one and a stream of those that follow.
///
/// Iterating it delivers the current state, then the newest one whenever the loop is ready for it:
///
/// ```swift
/// for await state in viewModel.states { render(state) }
/// ```
///
/// The stream ends when the view model goes away.
public struct States<State: Equatable & Sendable>: AsyncSequence, Sendable {
    let subject: StateSubject<State>

    /// The current state; observable.
    @MainActor public var current: State { subject.observedState }

    /// A stream of states, the current one first.
    ///
    /// - Parameter delivery: What happens to states while the loop is busy.
    public func callAsFunction(_ delivery: StateDelivery) -> AsyncStream<State> {
        switch delivery {
        case .every: subject.broadcast.stream(.unbounded)
        case .newest: subject.broadcast.stream(.bufferingNewest(1))
        }
    }

    /// Iterates over the newest states, the current one first.
    public func makeAsyncIterator() -> AsyncStream<State>.Iterator {
        self(.newest).makeAsyncIterator()
    }
}

/// What a stream of states does while its reader is busy.
public enum StateDelivery: Hashable, Sendable {
    /// Buffers every state, in order and without bound: for logs, tests, and front ends that replay each step.
    case every
    /// Keeps the newest state only: for front ends that draw.
    case newest
}

/// The part of a store that outlives it in the hands of readers.
@MainActor
final class StateSubject<State: Equatable & Sendable>: Observable {
    /// Observation merges changes that happen in one turn; a stream delivers each.
    nonisolated let broadcast: Broadcast<State>
    private(set) var state: State
    private let registrar = ObservationRegistrar()

    init(_ state: State) {
        self.state = state
        broadcast = Broadcast(replaying: state)
    }

    var observedState: State {
        registrar.access(self, keyPath: \.observedState)
        return state
    }

    func publish(_ newState: State) {
        guard newState != state else { return }
        registrar.withMutation(of: self, keyPath: \.observedState) { state = newState }
        broadcast.send(newState, isReplayed: true)
    }
}
