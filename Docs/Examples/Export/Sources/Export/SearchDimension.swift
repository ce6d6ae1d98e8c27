import Foundation

/// A qualifier whose ranges divide a search, such as `followers:10..99`.
struct SearchDimension: Sendable {
    let name: String
    private var isDate: Bool { name == "created" }

    /// The values that any result can have; dates are seconds since 1970.
    var limits: ClosedRange<Int64> {
        // From 2007, before GitHub started, to 2060.
        isDate ? 1_167_609_600...2_871_763_199 : 0...1_000_000_000
    }

    /// Whether a word is this qualifier, or excludes it.
    func qualifies(_ word: Substring) -> Bool {
        let word = word.lowercased()
        return word.hasPrefix("\(name):") || word.hasPrefix("-\(name):")
    }

    /// Returns the qualifier of a range.
    func qualifier(_ range: ClosedRange<Int64>) -> String {
        let bounds = [range.lowerBound, range.upperBound].map { value in
            isDate ? Date(timeIntervalSince1970: TimeInterval(value)).formatted(.iso8601) : String(value)
        }
        return "\(name):\(bounds[0])..\(bounds[1])"
    }

    /// Returns both halves of a range; `nil` if it has one value.
    ///
    /// Few accounts have many followers, so counts are divided at the geometric mean.
    func halves(of range: ClosedRange<Int64>) -> (ClosedRange<Int64>, ClosedRange<Int64>)? {
        let (low, high) = (range.lowerBound, range.upperBound)
        guard low < high else { return nil }
        let mean = (Double(low + 1) * Double(high + 1)).squareRoot() - 1
        let middle = isDate ? low + (high - low) / 2 : min(Int64(mean), high - 1)
        return (low...middle, middle + 1...high)
    }
}
