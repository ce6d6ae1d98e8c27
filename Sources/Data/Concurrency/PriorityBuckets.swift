import BrowseDomain

/// A queue with a bucket per priority; within a bucket, elements leave by number.
///
/// Lookups are by number, so that ten thousand elements can leave or change their priority in any order.
struct PriorityBuckets<Element> {
    /// The numbers of one priority, ascending; those of elements that have left or moved are skipped.
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
            // An element that moves away and back finds its old number.
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
    /// By the raw value of their priority.
    private var buckets = LoadPriority.allCases.map { _ in Bucket() }

    /// The number of elements.
    var count: Int { entries.count }
    /// Whether there are no elements.
    var isEmpty: Bool { entries.isEmpty }
    /// The elements, in no particular order.
    var elements: some Sequence<Element> { entries.values.lazy.map { $0.element } }

    /// The highest priority of all elements; `nil` when there are none.
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

    /// Adds an element.
    ///
    /// - Parameter number: Unique; lower numbers leave first.
    mutating func insert(_ element: Element, as number: Int, priority: LoadPriority) {
        entries[number] = (element, priority)
        buckets[priority.rawValue].insert(number)
    }

    /// Changes the priority of an element, which keeps its number; does nothing when there's no such element.
    mutating func move(_ number: Int, to priority: LoadPriority) {
        guard let known = entries[number], known.priority != priority else { return }
        entries[number]?.priority = priority
        buckets[priority.rawValue].insert(number)
        compact()
    }

    /// Removes an element; `nil` when there's no such element.
    mutating func remove(_ number: Int) -> Element? {
        guard let known = entries.removeValue(forKey: number) else { return nil }
        compact()
        return known.element
    }

    /// Removes the elements that satisfy a condition, and returns them by number.
    mutating func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
        let numbers = entries.filter { isRemoved($0.value.element) }.keys.sorted()
        return numbers.compactMap { remove($0) }
    }

    /// Removes the element with the highest priority and the lowest number; `nil` when there are none.
    mutating func popFirst() -> Element? {
        guard let priority = nextPriority, let number = next(in: priority) else { return nil }
        buckets[priority.rawValue].removeFirst()
        return entries.removeValue(forKey: number)?.element
    }

    private func next(in priority: LoadPriority) -> Int? {
        let bucket = buckets[priority.rawValue]
        return bucket.first < bucket.numbers.count ? bucket.numbers[bucket.first] : nil
    }

    /// Drops skipped numbers before they outnumber the others.
    private mutating func compact() {
        let size = buckets.reduce(0) { $0 + $1.numbers.count - $1.first }
        guard size > 64, size > 2 * entries.count else { return }
        for priority in LoadPriority.allCases {
            let numbers = entries.filter { $0.value.priority == priority }.keys.sorted()
            buckets[priority.rawValue] = Bucket(numbers: numbers)
        }
    }
}
