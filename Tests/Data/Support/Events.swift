import BrowseDomain
import BrowseMocks
import Foundation

import BrowseData

/// An observer that records all events.
final class Events: HTTPObserver {
    private let events = Monitor<[HTTPEvent]>([])

    func observe(_ event: HTTPEvent) { events.withLock { $0.append(event) } }

    var all: [HTTPEvent] { events.value }

    /// The names of the events.
    var names: [String] { all.map(\.name) }

    func count(where isIncluded: (HTTPEvent) -> Bool) -> Int { all.count(where: isIncluded) }
}

/// An observer that counts events of one kind, for tests that wait for them.
final class EventCounter: HTTPObserver {
    private let count = Monitor(0)
    private let name: String

    /// - Parameter name: The ``HTTPEvent/name`` of the events.
    init(_ name: String) { self.name = name }

    func observe(_ event: HTTPEvent) {
        if event.name == name { count.withLock { $0 += 1 } }
    }

    var value: Int { count.value }

    /// Waits until at least `expected` events were observed, or until the calling task is canceled.
    func wait(for expected: Int) async { await count.wait { $0 >= expected } }

}

extension HTTPEvent {
    /// A short name of the event.
    var name: String {
        switch kind {
        case .began: "began"
        case .joined: "joined"
        case .cache(.missed): "missed"
        case .cache(.revalidating): "revalidating"
        case .cache(.answered): "answered"
        case .cache(.stored): "stored"
        case .cache(.discarded): "discarded"
        case .waiting: "slot"
        case .sent: "sent"
        case .received(let response): "\(response.status)"
        case .failed: "failed"
        case .retrying: "retrying"
        case .ended(.success): "ended"
        case .ended(.failure): "ended badly"
        }
    }
}
