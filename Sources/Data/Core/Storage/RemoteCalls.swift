@_spi(Services) import BrowseDomain
import Synchronization

/// Calls a store on another machine within a time limit.
///
/// After a call fails or takes too long, calls fail immediately for a second, so that not every request waits.
final class RemoteCalls: Sendable {
    private static var pause: Duration { .seconds(1) }

    private let clock: any Clock<Duration>
    private let watchdog: Watchdog
    /// The time since the last failure; `nil` after a success.
    private let sinceFailure = Mutex<(@Sendable () -> Duration)?>(nil)

    init(clock: any Clock<Duration>) {
        self.clock = clock
        watchdog = Watchdog(clock: clock)
    }

    /// Returns the result of a call; `nil` if it fails or takes too long.
    ///
    /// Canceling the task doesn't end the wait. A call that takes too long is canceled, but may have had its effect.
    func value<Value: Sendable>(
        within limit: Duration,
        _ call: @escaping @Sendable () async throws(StorageFailure) -> Value
    ) async -> Value? {
        guard limit > .zero, !isPausing else { return nil }
        let answer = OneShot<Value?>()
        let task = Task {
            do throws(StorageFailure) {
                let value = try await call()
                // A store that responds too late isn't available yet.
                if answer.resolve(value) { endPause() }
            } catch {
                // Before the caller continues, whose next call must not wait.
                startPause()
                answer.resolve(nil)
            }
        }
        let wait = watchdog.start(limit) { [self] in
            startPause()
            if answer.resolve(nil) { task.cancel() } else { endPause() }
        }
        defer { watchdog.stop(wait) }
        return await answer.value
    }

    private var isPausing: Bool { sinceFailure.withLock(\.self).map { $0() < Self.pause } ?? false }

    private func endPause() { sinceFailure.withLock { $0 = nil } }

    private func startPause() {
        let elapsed = clock.stopwatch()
        sinceFailure.withLock { $0 = elapsed }
    }
}
