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
