import Dispatch
import Synchronization

/// An observer that never blocks, so it receives events synchronously instead of on a queue.
package protocol SynchronousObserver: HTTPObserver {}

/// Delivers events to an observer on its own queue, so that a slow one doesn't delay requests.
package final class ObserverBuffer: SynchronousObserver {
    /// The maximum number of undelivered events; new ones are dropped.
    package static let capacity = 1000

    private enum Item {
        case event(HTTPEvent)
        case gap(Int)
    }

    private struct State {
        var items: [Item] = []
        /// The number of events that were accepted and not yet delivered.
        var pendingCount = 0
        /// The number of events dropped since the last accepted one.
        var droppedCount = 0
        var isDelivering = false
    }

    private let observer: any HTTPObserver
    private let state = Mutex(State())
    /// Not a Swift task, since an observer that blocks would occupy a thread of the shared pool.
    private let queue = DispatchQueue(label: "BrowseKit.observer")

    private init(_ observer: any HTTPObserver) {
        self.observer = observer
    }

    /// Returns the observers, each with a buffer unless it is synchronous.
    package static func buffering(_ observers: [any HTTPObserver]) -> [any HTTPObserver] {
        observers.map { $0 is any SynchronousObserver ? $0 : ObserverBuffer($0) }
    }

    package func observe(_ event: HTTPEvent) {
        let startsDelivery = state.withLock { state in
            guard state.pendingCount < Self.capacity else {
                state.droppedCount += 1
                return false
            }
            if state.droppedCount > 0 { state.items.append(.gap(state.droppedCount)) }
            state.droppedCount = 0
            state.items.append(.event(event))
            state.pendingCount += 1
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if startsDelivery { queue.async { self.deliver() } }
    }

    /// Waits until the observer has received all events so far, even if it blocks.
    package func flush() async {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }

    private func deliver() {
        while let items = nextItems() {
            for item in items {
                switch item {
                case .event(let event):
                    observer.observe(event)
                    state.withLock { $0.pendingCount -= 1 }
                case .gap(let count):
                    observer.didDrop(eventCount: count)
                }
            }
        }
    }

    /// Returns the next items to deliver; `nil` ends the delivery.
    private func nextItems() -> [Item]? {
        state.withLock { state in
            var items: [Item] = []
            swap(&items, &state.items)
            if items.isEmpty, state.droppedCount > 0 {
                items = [.gap(state.droppedCount)]
                state.droppedCount = 0
            }
            state.isDelivering = !items.isEmpty
            return items.isEmpty ? nil : items
        }
    }
}
