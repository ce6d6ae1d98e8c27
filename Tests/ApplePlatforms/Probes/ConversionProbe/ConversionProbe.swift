/// Converts numbers that a 32-bit `Int` may not hold: the first three lines trap.
func conversionProbe(_ size: Int64, _ hash: UInt64, _ seconds: Double) -> [Int] {
    [
        Int(size),
        Int(hash),
        Int(seconds),
        Int(clamping: size),
        Int(truncatingIfNeeded: hash),
        Int(exactly: seconds) ?? 0,
    ]
}
