import BrowseDomain
import Foundation
import Synchronization

/// The context of a request, which sends its events to observers.
///
/// It is a task-local value, so that every middleware can report events; `nil` without observers.
final class ExchangeTrace: Sendable {
    @TaskLocal static var current: ExchangeTrace?

    private static let lastID = Atomic(0)

    private let id: Int
    private let endpoint: String
    private let observers: [any HTTPObserver]
    private let now: @Sendable () -> Date

    init(endpoint: String, observers: [any HTTPObserver], now: @escaping @Sendable () -> Date) {
        id = Self.lastID.add(1, ordering: .relaxed).newValue
        self.endpoint = endpoint
        self.observers = observers
        self.now = now
    }

    /// Performs work as one exchange, and notifies observers of its start and end.
    static func perform<Value>(
        _ endpoint: String,
        notifying observers: [any HTTPObserver],
        now: @escaping @Sendable () -> Date,
        _ work: () async throws(BrowseError) -> Loaded<Value>
    ) async throws(BrowseError) -> Loaded<Value> {
        guard !observers.isEmpty else { return try await work() }
        let trace = ExchangeTrace(endpoint: endpoint, observers: observers, now: now)
        trace.note(.began)
        let result = await $current.withValue(trace) { await Result.of(work) }
        trace.note(.ended(result.map(\.provenance)))
        return try result.get()
    }

    /// Notifies the observers of the current task's request, if there are any.
    static func note(_ kind: @autoclosure () -> HTTPEvent.Kind) { current?.note(kind()) }

    func note(_ kind: HTTPEvent.Kind) {
        let event = HTTPEvent(exchange: id, endpoint: endpoint, date: now(), kind: kind)
        for observer in observers { observer.observe(event) }
    }
}
