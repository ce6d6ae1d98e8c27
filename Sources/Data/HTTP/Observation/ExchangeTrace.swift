import BrowseDomain
import Foundation
import Synchronization

/// One request's way through a client, as observers are told of it.
///
/// It goes with the task, so that every middleware may note what it does; where nobody observes, there is none.
final class ExchangeTrace: Sendable {
    /// The trace of the request that the current task works on.
    @TaskLocal static var current: ExchangeTrace?

    private static let lastID = Mutex(0)

    private let id: Int
    private let endpoint: String
    private let observers: [any HTTPObserver]
    private let now: @Sendable () -> Date

    init(endpoint: String, observers: [any HTTPObserver], now: @escaping @Sendable () -> Date) {
        id = Self.lastID.withLock { last in
            last += 1
            return last
        }
        self.endpoint = endpoint
        self.observers = observers
        self.now = now
    }

    /// Does something as one exchange, and tells observers how it begins and ends.
    static func tell<Value>(
        _ observers: [any HTTPObserver],
        of endpoint: String,
        now: @escaping @Sendable () -> Date,
        _ work: () async throws(BrowseError) -> Loaded<Value>
    ) async throws(BrowseError) -> Loaded<Value> {
        guard !observers.isEmpty else { return try await work() }
        let trace = ExchangeTrace(endpoint: endpoint, observers: observers, now: now)
        trace.note(.began)
        let result = await $current.withValue(trace) { await Result.of(work) }
        switch result {
        case .success(let loaded): trace.note(.ended(.succeeded(loaded.provenance)))
        case .failure(let error): trace.note(.ended(.failed(error)))
        }
        return try result.get()
    }

    /// Tells observers what happened, if there are any.
    static func note(_ kind: @autoclosure () -> HTTPEvent.Kind) {
        guard let current else { return }
        current.note(kind())
    }

    func note(_ kind: HTTPEvent.Kind) {
        let event = HTTPEvent(exchange: id, endpoint: endpoint, date: now(), kind: kind)
        for observer in observers { observer.observe(event) }
    }
}
