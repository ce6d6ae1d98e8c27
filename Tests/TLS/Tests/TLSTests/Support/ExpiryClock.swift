import ScriptedTLSServer
import Synchronization

/// A clock on which time limits of up to a minute expire when a test says so, and longer ones never.
final class ExpiryClock: Clock {
    typealias Instant = ContinuousClock.Instant

    private let gate = Mutex(Gate())

    var now: Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let isShort = now.duration(to: deadline) <= .seconds(60)
        await (isShort ? gate.withLock(\.self) : Gate()).wait()
        try Task.checkCancellation()
    }

    /// Returns the gate that expires the short time limits that begin from now on.
    func nextExpiry() -> Gate {
        let next = Gate()
        gate.withLock { $0 = next }
        return next
    }
}
