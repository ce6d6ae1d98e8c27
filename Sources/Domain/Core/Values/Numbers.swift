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

extension RandomAccessCollection {
    /// Returns the start of the elements that satisfy a condition, found with a binary search.
    ///
    /// - Parameter condition: False for the first elements, then true.
    package func partitioningIndex(where condition: (Element) -> Bool) -> Index {
        var start = startIndex
        var count = self.count
        while count > 0 {
            let half = count / 2
            let middle = index(start, offsetBy: half)
            if condition(self[middle]) {
                count = half
            } else {
                start = index(after: middle)
                count -= half + 1
            }
        }
        return start
    }
}
