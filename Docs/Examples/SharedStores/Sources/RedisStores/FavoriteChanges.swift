import BrowseKit
import Synchronization

/// Reports the numbered changes of favorites in order, and detects missed ones.
final class FavoriteChanges: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<FavoriteChange>.Continuation] = [:]
        var listenerCount = 0
        /// The number of the last change that was reported or read; `nil` before the first.
        var last: Int64?
    }

    private let state = Mutex(State())

    deinit {
        for listener in state.withLock({ $0.listeners.values.map(\.self) }) { listener.finish() }
    }

    var last: Int64? { state.withLock { $0.last } }

    func stream() -> AsyncStream<FavoriteChange> {
        let (stream, listener) = AsyncStream.makeStream(of: FavoriteChange.self)
        let number = state.withLock { state in
            state.listenerCount += 1
            state.listeners[state.listenerCount] = listener
            return state.listenerCount
        }
        listener.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Records a read, from which changes are reported.
    func start(at number: Int64) {
        state.withLock { $0.last = $0.last ?? number }
    }

    /// Reports a change, unless it was reported before.
    ///
    /// - Returns: `false` if changes before it were missed; read all favorites and call ``replace(with:at:ifStill:)``.
    func report(_ change: FavoriteChange, _ number: Int64) -> Bool {
        state.withLock { state in
            let last = state.last ?? number - 1
            guard number > last else { return true }
            guard number == last + 1 else { return false }
            state.last = number
            for listener in state.listeners.values { listener.yield(change) }
            return true
        }
    }

    /// Reports all favorites, if changes were missed.
    ///
    /// - Parameters:
    ///   - ids: The identities of all favorites.
    ///   - number: The number of the last change when they were read.
    ///   - last: The last reported change before they were read.
    /// - Returns: `false` if changes were reported meanwhile, so that the favorites must be read again.
    func replace(with ids: Set<Favorite.ID>, at number: Int64, ifStill last: Int64?) -> Bool {
        state.withLock { state in
            guard state.last == last else { return false }
            guard last != number else { return true }
            state.last = number
            // Without an earlier read, nothing was missed.
            guard last != nil else { return true }
            for listener in state.listeners.values { listener.yield(.replaced(ids)) }
            return true
        }
    }
}
