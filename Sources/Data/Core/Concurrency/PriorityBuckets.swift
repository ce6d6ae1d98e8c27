import BrowseDomain

/// A priority queue with a bucket per priority, ordered by number within a bucket.
///
/// Elements can be removed or moved by number, which stays fast with 10,000 elements.
struct PriorityBuckets<Element> {
    /// The numbers of one priority, ascending; numbers of removed or moved elements are skipped.
    private struct Bucket {
        var numbers: [Int] = []
        var first = 0

        mutating func insert(_ number: Int) {
            var low = first
            var high = numbers.count
            if let last = numbers.last, last < number { low = high }
            while low < high {
                let middle = (low + high) / 2
                if numbers[middle] < number { low = middle + 1 } else { high = middle }
            }
            // An element that moves away and back still has its number here.
            guard low == numbers.count || numbers[low] != number else { return }
            numbers.insert(number, at: low)
        }

        mutating func removeFirst() {
            first += 1
            guard first > 64, 2 * first > numbers.count else { return }
            numbers.removeFirst(first)
            first = 0
        }
    }

    private var entries: [Int: (element: Element, priority: LoadPriority)] = [:]
    /// Indexed by the raw value of the priority.
    private var buckets = LoadPriority.allCases.map { _ in Bucket() }

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }
    var elements: some Sequence<Element> { entries.values.lazy.map { $0.element } }

    /// The highest priority of all elements; `nil` if empty.
    var nextPriority: LoadPriority? {
        mutating get {
            for priority in LoadPriority.allCases.reversed() {
                while let number = next(in: priority) {
                    if entries[number]?.priority == priority { return priority }
                    buckets[priority.rawValue].removeFirst()
                }
            }
            return nil
        }
    }

    /// Inserts an element under a unique number; lower numbers are removed first.
    mutating func insert(_ element: Element, as number: Int, priority: LoadPriority) {
        entries[number] = (element, priority)
        buckets[priority.rawValue].insert(number)
    }

    /// Changes the priority of an element, if it exists; its number stays the same.
    mutating func move(_ number: Int, to priority: LoadPriority) {
        guard let entry = entries[number], entry.priority != priority else { return }
        entries[number]?.priority = priority
        buckets[priority.rawValue].insert(number)
        compact()
    }

    /// Removes and returns an element; `nil` if it doesn't exist.
    mutating func remove(_ number: Int) -> Element? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        compact()
        return entry.element
    }

    /// Removes and returns the elements that satisfy a condition, ordered by number.
    mutating func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
        let numbers = entries.filter { isRemoved($0.value.element) }.keys.sorted()
        return numbers.compactMap { remove($0) }
    }

    /// Removes and returns the element with the highest priority and lowest number; `nil` if empty.
    mutating func popFirst() -> Element? {
        guard let priority = nextPriority, let number = next(in: priority) else { return nil }
        buckets[priority.rawValue].removeFirst()
        return entries.removeValue(forKey: number)?.element
    }

    private func next(in priority: LoadPriority) -> Int? {
        let bucket = buckets[priority.rawValue]
        return bucket.first < bucket.numbers.count ? bucket.numbers[bucket.first] : nil
    }

    /// Rebuilds the buckets when most numbers are skipped ones.
    private mutating func compact() {
        let size = buckets.reduce(0) { $0 + $1.numbers.count - $1.first }
        guard size > 64, size > 2 * entries.count else { return }
        for priority in LoadPriority.allCases {
            let numbers = entries.filter { $0.value.priority == priority }.keys.sorted()
            buckets[priority.rawValue] = Bucket(numbers: numbers)
        }
    }
}
