import Synchronization

/// Measures how long tasks wait for the main actor.
public final class MainActorHops: Sendable {
    private let guarded = Mutex((count: 0, seconds: 0.0))

    /// Creates a measurement without hops.
    public init() {}

    /// The number of hops so far, and the sum of their waits.
    public var totals: (count: Int, seconds: Double) { guarded.withLock(\.self) }

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
