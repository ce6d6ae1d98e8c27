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
}

extension Double {
    /// The number rounded down; the closest `Int` where it doesn't fit, and 0 where it is NaN.
    var clampedToInt: Int {
        let whole = rounded(.down)
        return Int(exactly: whole) ?? (whole > 0 ? .max : whole < 0 ? .min : 0)
    }
}
