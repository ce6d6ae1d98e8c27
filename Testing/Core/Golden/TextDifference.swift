/// The differing lines of two texts, marked with `-` and `+`, with two equal lines around them.
struct TextDifference: CustomStringConvertible {
    /// The number of lines of a report; a longer one is shortened.
    static let lineLimit = 100
    /// The maximum number of differing lines to align, which takes quadratic time.
    private static let exactLimit = 1000
    private static let contextCount = 2

    let description: String

    init(from old: [String], to new: [String]) {
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        let removed = Array(old[start..<(old.count - end)])
        let added = Array(new[start..<(new.count - end)])
        let before = old[..<start].suffix(Self.contextCount).map { "  \($0)" }
        let after = old.suffix(end).prefix(Self.contextCount).map { "  \($0)" }
        let skipped = start > Self.contextCount ? ["  … (\(start - Self.contextCount) equal lines)"] : []
        let lines = skipped + before + Self.marked(removed, added) + after
        description = Self.shortened(lines).joined(separator: "\n")
    }

    /// The first lines, and the number of omitted ones.
    static func shortened(_ lines: [String]) -> [String] {
        guard lines.count > lineLimit else { return lines }
        return lines.prefix(lineLimit) + ["… (\(lines.count - lineLimit) more lines)"]
    }

    private static func marked(_ old: [String], _ new: [String]) -> [String] {
        guard max(old.count, new.count) <= exactLimit else {
            let half = lineLimit / 2
            return old.prefix(half).map { "- \($0)" } + ["… (\(max(0, old.count - half)) more lines)"]
                + new.prefix(half).map { "+ \($0)" }
        }
        let difference = new.difference(from: old)
        let removals = Set(difference.removals.map(offset))
        let insertions = Set(difference.insertions.map(offset))
        var result: [String] = []
        var equal: [String] = []
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            if removals.contains(i) || insertions.contains(j) {
                result += context(equal, isFirst: result.isEmpty)
                equal = []
                if removals.contains(i) {
                    result.append("- \(old[i])")
                    i += 1
                } else {
                    result.append("+ \(new[j])")
                    j += 1
                }
            } else {
                equal.append("  \(old[i])")
                i += 1
                j += 1
            }
        }
        return result + equal.prefix(contextCount)
    }

    /// The equal lines between two groups of differing ones.
    private static func context(_ lines: [String], isFirst: Bool) -> [String] {
        let omitted = lines.count - contextCount * 2
        guard omitted > 0, !isFirst else { return lines }
        return lines.prefix(contextCount) + ["  … (\(omitted) equal lines)"] + lines.suffix(contextCount)
    }

    private static func offset(_ change: CollectionDifference<String>.Change) -> Int {
        switch change {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
