// Imports no Foundation, so that Tests/ApplePlatforms can run it with a 32-bit `Int`, as on Apple
// Watch.

extension Int {
    /// Adds a count or byte size; `Int.max` if the sum is larger.
    func addingClamped(_ count: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(count)
        return overflow ? .max : sum
    }
}

extension Double {
    /// The number rounded down and clamped to the range of `Int`; 0 for NaN.
    var clampedToInt: Int {
        let whole = rounded(.down)
        return Int(exactly: whole) ?? (whole > 0 ? .max : whole < 0 ? .min : 0)
    }
}
