extension Comparable {
    /// Returns the nearest value in a range.
    package func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}

extension ClosedRange<Int> {
    /// The accepted maximum numbers of requests in flight, of connections, and of pages loaded at
    /// once.
    package static var requestsInFlight: ClosedRange<Int> { 1...100 }
}

extension Duration {
    /// Creates a duration from seconds, clamped to ``TimeLimit/longest`` in both directions; zero
    /// for NaN.
    ///
    /// Numbers from outside can exceed the range of `Duration`, which `seconds(_:)` doesn't accept.
    package static func clampedSeconds(_ seconds: Double) -> Duration {
        let longest = Double(TimeLimit.longest.components.seconds)
        return .seconds(seconds.isNaN ? 0 : seconds.clamped(to: -longest...longest))
    }
}
