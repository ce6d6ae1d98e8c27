import BrowseDomain
import Observation

/// Holds and publishes the state of one screen. It's private to the view model, which publishes
/// ``states``.
///
/// ```swift
/// private let store = StateStore(State())
/// var states: States<State> { store.states }
/// ```
///
/// Each update publishes one state, however many values it changes. Controllers such as
/// ``ListController`` write their parts of the state after each update.
@MainActor
public final class StateStore<State: Equatable & Sendable> {
    /// The states, for readers.
    public nonisolated let states: States<State>

    private var parts: [@MainActor (inout State) -> Void] = []
    /// Changes that were made during an update.
    private var changes: [(inout State) -> Void] = []
    private var isUpdating = false

    /// Creates a store with the initial state.
    public init(_ state: State) { states = States(subject: StateSubject(state)) }

    deinit { states.subject.broadcast.finish() }

    /// The current state.
    public var state: State { states.current }

    /// Changes the state, and publishes it if it differs.
    ///
    /// Controllers that are called inside the closure change the same state. Inside another update,
    /// for example in a closure that a front end passed to its view model, or in an observer of the
    /// state, the change takes effect when that update ends, and isn't lost.
    public func update(_ change: @escaping (inout State) -> Void = { _ in }) {
        if isUpdating { changes.append(change) } else { perform(change) }
    }

    /// Changes the state like ``update(_:)``, and waits for the load that the change begins.
    ///
    /// - Parameter change: Returns the load; `nil` if there is none to wait for.
    public func load(_ change: (inout State) -> ScreenLoad?) async {
        // A task that an update starts immediately continues after it.
        while isUpdating { await Task.yield() }
        var load: ScreenLoad?
        perform { load = change(&$0) }
        await load?()
    }

    private func perform(_ change: (inout State) -> Void) {
        isUpdating = true
        var state = states.subject.state
        change(&state)
        // Changes, parts, and observers can make further changes, which the parts that were written
        // lack.
        for _ in 0..<100 {
            let batch = changes
            changes = []
            for change in batch { change(&state) }
            if changes.isEmpty { for part in parts { part(&state) } }
            if changes.isEmpty { states.subject.publish(state) }
            if changes.isEmpty { break }
        }
        if !changes.isEmpty {
            ScreenMisuse.record("Each change of \(State.self) makes another one, so the last ones had no effect.")
            states.subject.publish(state)
            changes = []
        }
        isUpdating = false
    }

    /// Adds a closure that writes a part of the state at the end of each update.
    ///
    /// - Parameter write: Copies values of other objects. It must capture the owner of this store
    ///   weakly.
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
/// Equal states come once. A loop on the main actor never gets a state that is older than
/// ``current``, so a front end can write it into a text field. The stream ends when the view model
/// is released.
public struct States<State: Equatable & Sendable>: AsyncSequence, Sendable {
    let subject: StateSubject<State>

    /// The current state; observable.
    @MainActor public var current: State { subject.observedState }

    /// Every state in order, the current one first: for logs, tests, and front ends that replay
    /// steps.
    public var every: AsyncStream<State> { subject.broadcast.stream() }

    /// Iterates over the newest states, the current one first.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            signals: subject.broadcast.stream(.bufferingNewest(1)).makeAsyncIterator(),
            broadcast: subject.broadcast
        )
    }

    /// Delivers the newest state each time it's asked for one.
    public struct Iterator: AsyncIteratorProtocol {
        var signals: AsyncStream<State>.Iterator
        let broadcast: Broadcast<State>
        var last: State?

        /// Returns the present state as soon as it differs from the last one; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> State? {
            // The delivered state is only a signal: others may have been published before the
            // reader got its turn.
            while await signals.next(isolation: actor) != nil {
                guard let state = broadcast.replayed, state != last else { continue }
                last = state
                return state
            }
            return nil
        }
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
