import BrowseDomain
import BrowseMocks
import TestSupport
import Testing

/// The server of a screen under test: its requests wait while it's closed.
final class Gate: Sendable {
    private let isOpen = Monitor(true)
    private let counts = Monitor((inFlight: 0, all: 0))
    let fails: Bool

    init(fails: Bool) { self.fails = fails }

    /// The number of requests in flight; observable.
    var inFlightCount: Int { counts.value.inFlight }
    /// The number of all requests so far.
    var requestCount: Int { counts.value.all }

    func setOpen(_ isOpen: Bool) {
        self.isOpen.withLock { $0 = isOpen }
    }

    /// Waits until the gate is open.
    ///
    /// - Returns: The number of the request.
    /// - Throws: `.cancelled`, or `.timedOut` for every 31st request of a gate that fails.
    @discardableResult
    func pass() async throws(BrowseError) -> Int {
        let number = counts.withLock { counts in
            counts.inFlight += 1
            counts.all += 1
            return counts.all
        }
        defer { counts.withLock { $0.inFlight -= 1 } }
        await isOpen.wait { $0 }
        if Task.isCancelled { throw .cancelled }
        if fails, number.isMultiple(of: 31) { throw .timedOut(BrowseError.RequestInfo(endpoint: "GET /")) }
        return number
    }
}

/// Runs the intents of a screen in random order, and cancels their callers at any await.
///
/// The invariant of every screen: a state that says that something is loading has a load in flight. So when all loads have
/// ended, no state says that something is loading.
@MainActor
final class Interleaving {
    typealias Intent = @MainActor () async -> Void

    var random: SeededGenerator
    let gate: Gate
    private var callers: [Task<Void, Never>] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        // A failure ends a load that wouldn't end by itself.
        gate = Gate(fails: seed % 3 != 0)
    }

    @concurrent
    private nonisolated func leaveMainActor() async {}

    /// Starts intents, and checks the state each time all loads have ended.
    ///
    /// - Parameters:
    ///   - count: The number of steps.
    ///   - intents: The intents of the screen.
    ///   - events: Changes by others, which cancel no caller.
    ///   - check: Checks the state when no caller waits, and no request is in flight.
    func run(_ count: Int, _ intents: [Intent], events: [Intent] = [], check: () async throws -> Void) async throws {
        for _ in 0..<count {
            let intent = intents[Int.random(in: 0..<intents.count, using: &random)]
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<3: callers.append(Task { await intent() })
            case 3..<5: await events.randomElement(using: &random)?()
            case 5..<9:
                // The only callers are canceled, and another intent starts in the same turn.
                let canceled = callers
                callers.append(
                    Task {
                        for caller in canceled { caller.cancel() }
                        await intent()
                    }
                )
                // Later intents would hide that this one has published or applied nothing.
                if Bool.random(using: &random) { try await settle(check) }
            case 9..<11: gate.setOpen(Bool.random(using: &random))
            default: try await settle(check)
            }
            // The tasks take some steps meanwhile.
            for _ in 0..<Int.random(in: 0..<5, using: &random) { await leaveMainActor() }
        }
        try await settle(check)
    }

    private func settle(_ check: () async throws -> Void) async throws {
        gate.setOpen(true)
        for caller in callers { await caller.value }
        callers = []
        try await waitUntil { self.gate.inFlightCount == 0 }
        try await check()
    }

    /// Waits until a state stops saying that something is loading.
    ///
    /// The last deliveries may still be on the way.
    func expectEnd(_ seed: UInt64, _ isLoading: () -> Bool) async throws {
        do {
            try await waitUntil { !isLoading() }
        } catch {
            Issue.record("seed \(seed): the state says that something is loading, but nothing is")
            throw error
        }
    }
}

extension InMemoryFavoriteRepository {
    /// Returns a copy that delivers changes while `isOpen` is true.
    func deliveringChanges(while isOpen: Monitor<Bool>) -> Self {
        var copy = self
        copy.onChanges = {
            // One listener asks for one change at a time.
            nonisolated(unsafe) var changes = self.changes.makeAsyncIterator()
            return AsyncStream {
                let change = await changes.next()
                await isOpen.wait { $0 }
                return change
            }
        }
        return copy
    }
}
