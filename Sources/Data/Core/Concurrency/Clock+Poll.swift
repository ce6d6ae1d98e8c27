import BrowseDomain

extension Clock<Duration> {
    /// Repeats an attempt at intervals until it succeeds; the last attempt is at the timeout.
    ///
    /// - Parameter timeout: The time until the last attempt, at most ``TimeLimit/longest``.
    /// - Returns: The attempt's value; `nil` if the last one fails, or if the task is canceled
    ///   during a pause.
    func poll<Value, Failure: Error>(
        every interval: Duration,
        for timeout: Duration,
        _ attempt: () async throws(Failure) -> Value?
    ) async throws(Failure) -> Value? {
        let deadline = now.advanced(by: min(timeout, TimeLimit.longest))
        while true {
            // Read before the attempt, so that a test clock that advances during it shortens the
            // pause.
            let start = now
            if let value = try await attempt() { return value }
            guard start < deadline else { return nil }
            let end = min(start.advanced(by: interval), deadline)
            guard (try? await sleep(until: end, tolerance: nil)) != nil else { return nil }
        }
    }

    /// Returns a closure that reports whether a duration has passed; limited to
    /// ``TimeLimit/longest``.
    func deadline(after duration: Duration) -> @Sendable () -> Bool {
        let deadline = now.advanced(by: min(duration, TimeLimit.longest))
        return { now >= deadline }
    }
}
