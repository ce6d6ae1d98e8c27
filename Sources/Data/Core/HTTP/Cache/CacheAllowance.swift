import Synchronization

/// The remaining time that a request may wait for the cache.
final class CacheAllowance: Sendable {
    private let value: Mutex<Duration>

    /// Creates an allowance; a request waits at most 50 ms in total.
    init(_ duration: Duration = .milliseconds(50)) {
        value = Mutex(duration)
    }

    var remaining: Duration { value.withLock { $0 } }

    func spend(_ duration: Duration) { value.withLock { $0 -= duration } }
}
