// Without Foundation, so that Tests/ApplePlatforms can run it where `Int` has 32 bits, as on an Apple Watch.

extension Int {
    /// Creates a count or a size in bytes from a number in a file.
    ///
    /// The result is between 0 and the largest `Int`: a damaged file can contain any number, and a 32-bit `Int` holds fewer
    /// than a file does.
    init(fileNumber number: Int64) {
        self = Swift.max(0, Int(clamping: number))
    }

    /// Returns the sum, or the largest `Int` if the sum is larger.
    func addingClamped(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// Creates a number of whole seconds, rounded down; what doesn't fit becomes the closest `Int`, and NaN becomes 0.
    init(clampingSeconds seconds: Double) {
        let seconds = seconds.rounded(.down)
        self = Int(exactly: seconds) ?? (seconds > 0 ? .max : seconds < 0 ? .min : 0)
    }
}
