import Synchronization

/// How often a client may do something.
public struct RequestRate: Hashable, Sendable {
    /// The number of actions that a client can do at once; at least 1.
    public var burst: Int
    /// The number of actions per second in the long run; more than 0.
    public var perSecond: Double

    /// Creates a rate.
    public init(burst: Int, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }
}

/// Limits how often each client does something: a token bucket per key.
///
/// A bucket starts full and is refilled steadily. The number of buckets is bounded: when all are in use, further keys share one,
/// so an attacker with many addresses neither fills the memory nor resets anybody's limit.
public final class TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var tokens: Double
        var date: Duration
    }

    private struct Guarded {
        var buckets: [Key: Bucket] = [:]
        var shared: Bucket
        var nextSweep: Duration
    }

    private let capacity: Double
    private let rate: Double
    private let keyLimit: Int
    private let elapsed: @Sendable () -> Duration
    private let guarded: Mutex<Guarded>

    /// Creates full buckets.
    ///
    /// - Parameters:
    ///   - rate: The size and the refill of each bucket.
    ///   - keyLimit: The maximum number of buckets.
    ///   - clock: Measures the refill.
    public init(_ rate: RequestRate, keyLimit: Int = 10_000, clock: any Clock<Duration>) {
        precondition(rate.burst >= 1 && rate.perSecond > 0, "A bucket without tokens would refuse everything")
        capacity = Double(rate.burst)
        self.rate = rate.perSecond
        self.keyLimit = keyLimit
        elapsed = Self.stopwatch(clock)
        let shared = Bucket(tokens: Double(rate.burst), date: .zero)
        guarded = Mutex(Guarded(shared: shared, nextSweep: .zero))
    }

    /// Takes a token.
    ///
    /// - Parameter key: The client.
    /// - Returns: `nil` if there was a token; otherwise the time until the next one.
    public func take(_ key: Key) -> Duration? {
        let now = elapsed()
        return guarded.withLock { guarded in
            if let bucket = guarded.buckets[key] {
                let (rest, wait) = taking(from: bucket, at: now)
                guarded.buckets[key] = rest
                return wait
            }
            if guarded.buckets.count >= keyLimit { sweep(&guarded, at: now) }
            let hasRoom = guarded.buckets.count < keyLimit
            let full = Bucket(tokens: capacity, date: now)
            let (rest, wait) = taking(from: hasRoom ? full : guarded.shared, at: now)
            if hasRoom { guarded.buckets[key] = rest } else { guarded.shared = rest }
            return wait
        }
    }

    /// The number of buckets in use.
    public var count: Int { guarded.withLock { $0.buckets.count } }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    private func refilled(_ bucket: Bucket, at now: Duration) -> Bucket {
        let seconds = max(0, (now - bucket.date) / .seconds(1))
        return Bucket(tokens: min(capacity, bucket.tokens + seconds * rate), date: now)
    }

    private func taking(from bucket: Bucket, at now: Duration) -> (Bucket, Duration?) {
        var bucket = refilled(bucket, at: now)
        guard bucket.tokens >= 1 else { return (bucket, .seconds((1 - bucket.tokens) / rate)) }
        bucket.tokens -= 1
        return (bucket, nil)
    }

    /// Removes full buckets, at most once in the time that an empty one takes to fill.
    private func sweep(_ guarded: inout Guarded, at now: Duration) {
        guard now >= guarded.nextSweep else { return }
        guarded.nextSweep = now + .seconds(capacity / rate)
        guarded.buckets = guarded.buckets.filter { refilled($0.value, at: now).tokens < capacity }
    }
}
