import BrowseDomain

/// The number, delays, and total time limit of a request's attempts.
public struct RetryPolicy: Hashable, Sendable {
    /// Three attempts within 30 seconds.
    ///
    /// The delay before the second is at most half a second, and doubles for the third.
    public static let standard: RetryPolicy = RetryPolicy()
    /// One attempt.
    public static let never: RetryPolicy = RetryPolicy(attempts: 1)

    let attempts: Int
    /// The maximum delay before the second attempt; it doubles for each further attempt, up to 8
    /// seconds.
    private let firstDelay: Duration
    /// The total time limit of a request, including all attempts and delays.
    ///
    /// A delay that would exceed it isn't started; the request fails instead. A request that is
    /// repeated because a confirmed response is gone from the cache has this time again.
    /// An attempt during which the process is suspended doesn't count.
    public var deadline: Duration

    package init(attempts: Int = 3, firstDelay: Duration = .milliseconds(500), deadline: Duration = .seconds(30)) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.deadline = deadline
    }

    /// Returns the delay before an attempt, counted from 2.
    ///
    /// The random `fraction` of 0 to 1 ("full jitter") prevents requests that failed together from
    /// being repeated together (Brooker, "Exponential Backoff And Jitter").
    func delay(before attempt: Int, fraction: Double) -> Duration {
        var longest = firstDelay
        for _ in 2..<attempt where longest < .seconds(8) { longest *= 2 }
        return min(longest, .seconds(8)) * fraction.clamped(to: 0...1)
    }
}
