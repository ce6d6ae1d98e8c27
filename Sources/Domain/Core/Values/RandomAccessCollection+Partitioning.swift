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

    /// Returns the ranges of elements with equal keys, which must be neighbors. A binary search finds the end of each.
    package func ranges<Key: Equatable>(by key: (Element) -> Key) -> [(key: Key, range: Range<Index>)] {
        var ranges: [(key: Key, range: Range<Index>)] = []
        var start = startIndex
        while start != endIndex {
            let current = key(self[start])
            let end = self[index(after: start)...].partitioningIndex { key($0) != current }
            ranges.append((current, start..<end))
            start = end
        }
        return ranges
    }
}
