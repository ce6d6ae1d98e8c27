import BrowseMocks

/// A clock that only advances when a test advances it.
final class ManualClock: Clock {
    /// A time on this clock, as the duration since its creation.
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let wakeTime: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state = Monitor(State())

    var now: Instant { state.value.now }
    var minimumResolution: Duration { .zero }
    /// The number of sleepers.
    var sleeperCount: Int { state.value.sleepers.count }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                enum Step {
                    case returns, throwsCancellation, waits
                }
                let step = state.withLock { state -> Step in
                    if Task.isCancelled { return .throwsCancellation }
                    if state.now >= deadline { return .returns }
                    state.sleepers[id] = Sleeper(wakeTime: deadline, continuation: continuation)
                    return .waits
                }
                switch step {
                case .returns: continuation.resume()
                case .throwsCancellation: continuation.resume(throwing: CancellationError())
                case .waits: break
                }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until at least `count` tasks sleep at the same time, or until the caller is canceled.
    func waitForSleepers(_ count: Int = 1) async {
        await state.wait { $0.sleepers.count >= count }
    }

    /// Waits until a task sleeps that wakes by a given time, or until the caller is canceled.
    func waitForSleeper(wakingBy offset: Duration) async {
        await state.wait { $0.sleepers.values.contains { $0.wakeTime.offset <= offset } }
    }

    /// Waits until no task sleeps; canceled ones can take a moment to wake.
    func waitForNoSleepers() async {
        await state.wait { $0.sleepers.isEmpty }
    }

    /// Advances the time and wakes sleepers.
    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let woken = state.sleepers.filter { $0.value.wakeTime <= state.now }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }
}
