import Dispatch
import Synchronization

/// An observer that returns promptly, so that events are delivered to it in place.
package protocol SynchronousObserver: HTTPObserver {}

/// Delivers events to an observer in order, on a queue of its own, so that a slow observer never delays a request.
package final class ObserverBuffer: SynchronousObserver {
    /// The number of undelivered events beyond which new events are dropped.
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
    /// Not a Swift task: an observer that blocks would hold one of the few threads that all tasks share.
    private let queue = DispatchQueue(label: "BrowseKit.observer")

    private init(_ observer: any HTTPObserver) {
        self.observer = observer
    }

    /// The observers, each behind a buffer unless it needs none.
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

    /// Waits until the observer has received every event so far; one that blocks is waited for.
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

    /// The next items to deliver; `nil` ends the delivery.
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
