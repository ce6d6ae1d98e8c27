import Synchronization

/// Measures how long tasks wait for the main actor.
public final class MainActorHops: Sendable {
    /// The hops so far.
    public struct Totals: Hashable, Sendable {
        /// The number of hops.
        public var count = 0
        /// The sum of their waits, in seconds.
        public var seconds = 0.0
    }

    private let guarded = Mutex(Totals())

    /// Creates a measurement without hops.
    public init() {}

    /// The hops so far.
    public var totals: Totals { guarded.withLock(\.self) }

    /// Runs a closure on the main actor, and measures the wait before it starts.
    @concurrent
    public func run<Result: Sendable>(_ work: @MainActor @Sendable () -> Result) async -> Result {
        let start = ContinuousClock.now
        return await MainActor.run {
            let wait = (ContinuousClock.now - start) / .seconds(1)
            guarded.withLock { totals in
                totals.count += 1
                totals.seconds += wait
            }
            return work()
        }
    }
}
