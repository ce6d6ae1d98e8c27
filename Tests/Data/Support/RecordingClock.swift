import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization

/// A clock with sleeps that return immediately, advance the time, and are recorded.
///
/// Time limits of the SDK never expire, as on an `ImmediateClock`.
final class RecordingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex((now: Instant(offset: .zero), sleeps: [Duration]()))

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    /// All sleeps so far, in order.
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// The date that corresponds to the clock's time.
    var date: Date { testNow + TimeInterval(now.offset.components.seconds) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        if tolerance == TimeLimit.tolerance {
            return try await ImmediateClock().sleep(until: TestClock.Instant(), tolerance: tolerance)
        }
        try Task.checkCancellation()
        state.withLock { state in
            state.sleeps.append(state.now.duration(to: deadline))
            state.now = max(state.now, deadline)
        }
    }

    /// Advances the time, like a slow request.
    func advance(by duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
    }
}
