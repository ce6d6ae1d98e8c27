import BrowseDomain
import BrowseGitHubDomain
import Foundation

/// A qualifier whose ranges divide a search, such as `followers:10..99`.
struct SearchDimension: Sendable {
    /// The qualifiers of searches for accounts, in the order of their use.
    static let users = ["created", "followers", "repos"].map(SearchDimension.init)
    /// The qualifiers of searches for code repositories, in the order of their use.
    static let repos = ["created", "stars", "size"].map(SearchDimension.init)

    let name: String
    private var isDate: Bool { name == "created" }

    /// The values that any result can have; dates are seconds since 1970.
    var limits: SearchRange {
        // From 2007, before GitHub started, to 2060.
        isDate ? SearchRange(low: 1_167_609_600, high: 2_871_763_199) : SearchRange(low: 0, high: 1_000_000_000)
    }

    /// Whether a word is this qualifier, or excludes it.
    func qualifies(_ word: Substring) -> Bool {
        let word = word.lowercased()
        return word.hasPrefix("\(name):") || word.hasPrefix("-\(name):")
    }

    /// Parses this qualifier with `n`, `>n`, `>=n`, `<n`, `<=n`, `n..m`, `n..*`, or `*..n`; `nil` for other words.
    func range(_ word: Substring) -> SearchRange? {
        guard qualifies(word), !word.hasPrefix("-") else { return nil }
        let value = word.dropFirst(name.count + 1)
        if let dots = value.firstRange(of: "..") {
            let (low, high) = (value[..<dots.lowerBound], value[dots.upperBound...])
            guard let low = low == "*" ? limits : extent(low), let high = high == "*" ? limits : extent(high) else {
                return nil
            }
            return SearchRange(low: low.low, high: high.high)
        }
        let sign = value.prefix { "<>=".contains($0) }
        guard let extent = extent(value[sign.endIndex...]) else { return nil }
        switch sign {
        case "": return extent
        case ">=": return SearchRange(low: extent.low, high: limits.high)
        case ">": return SearchRange(low: extent.high + 1, high: limits.high)
        case "<=": return SearchRange(low: limits.low, high: extent.high)
        case "<": return SearchRange(low: limits.low, high: extent.low - 1)
        default: return nil
        }
    }

    /// Parses a number, a second, or a day, which is a range of seconds.
    private func extent(_ text: Substring) -> SearchRange? {
        guard isDate else {
            return Int64(text).flatMap { limits.low...limits.high ~= $0 ? SearchRange(low: $0, high: $0) : nil }
        }
        let isDay = text.utf8.count == 10
        // The parser ignores fractions and what follows a date, and reads February 31 as March 3.
        guard let date = try? Date(text + (isDay ? "T00:00:00Z" : ""), strategy: .iso8601),
            date.formatted(.iso8601).hasPrefix(text),
            let second = Int64(exactly: date.timeIntervalSince1970)
        else { return nil }
        return SearchRange(low: second, high: second + (isDay ? 86_399 : 0))
    }

    /// Returns the qualifier of a range.
    func qualifier(_ range: SearchRange) -> String {
        let bounds = [range.low, range.high].map { value in
            isDate ? Date(timeIntervalSince1970: TimeInterval(value)).formatted(.iso8601) : String(value)
        }
        return "\(name):\(bounds[0])..\(bounds[1])"
    }

    /// Returns both halves of a range; `nil` if it has one value.
    ///
    /// Few accounts have many followers, so counts are divided at the geometric mean.
    func halves(of range: SearchRange) -> (SearchRange, SearchRange)? {
        guard range.low < range.high else { return nil }
        let mean = (Double(range.low + 1) * Double(range.high + 1)).squareRoot() - 1
        let middle = isDate ? range.low + (range.high - range.low) / 2 : min(Int64(mean), range.high - 1)
        return (SearchRange(low: range.low, high: middle), SearchRange(low: middle + 1, high: range.high))
    }
}

/// A range of values, which is empty if its lower bound is above its upper one.
struct SearchRange: Hashable, Codable, Sendable {
    var low: Int64
    var high: Int64
}
