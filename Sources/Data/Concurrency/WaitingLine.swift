import BrowseDomain

/// A line that is left by priority, then by age.
///
/// Joining, leaving and becoming more urgent cost O(log n), so that ten thousand may wait.
struct WaitingLine<Element> {
    private struct Place {
        let priority: LoadPriority
        let number: Int

        func isBefore(_ other: Place) -> Bool {
            priority == other.priority ? number < other.number : priority > other.priority
        }
    }

    /// Who waits, by number, and with which priority.
    private var waiting: [Int: (element: Element, priority: LoadPriority)] = [:]
    /// A binary heap, the next to leave first. A place whose number has left, or has moved, is passed over.
    private var heap: [Place] = []

    /// How many wait.
    var count: Int { waiting.count }
    /// Who waits, in no particular order.
    var elements: some Sequence<Element> { waiting.values.lazy.map { $0.element } }
    /// Whether nobody waits.
    var isEmpty: Bool { waiting.isEmpty }

    /// Joins the line.
    ///
    /// - Parameter number: Unique, and larger than that of everybody who came before.
    mutating func join(_ element: Element, as number: Int, priority: LoadPriority) {
        waiting[number] = (element, priority)
        push(Place(priority: priority, number: number))
    }

    /// Moves somebody who is wanted sooner or later than was thought; they keep their age.
    mutating func move(_ number: Int, to priority: LoadPriority) {
        guard let known = waiting[number], known.priority != priority else { return }
        waiting[number]?.priority = priority
        push(Place(priority: priority, number: number))
        sweep()
    }

    /// Takes somebody out, wherever they stand; `nil` when they are not in the line.
    mutating func leave(_ number: Int) -> Element? {
        guard let known = waiting.removeValue(forKey: number) else { return nil }
        sweep()
        return known.element
    }

    /// Takes everybody out of whom something is true, the oldest first.
    mutating func leave(where isLeaving: (Element) -> Bool) -> [Element] {
        let numbers = waiting.filter { isLeaving($0.value.element) }.keys.sorted()
        return numbers.compactMap { leave($0) }
    }

    /// The priority of the one who leaves next; `nil` when nobody waits.
    var nextPriority: LoadPriority? {
        mutating get {
            while let place = heap.first {
                if waiting[place.number]?.priority == place.priority { return place.priority }
                _ = pop()
            }
            return nil
        }
    }

    /// Lets the next one out; `nil` when nobody waits.
    mutating func next() -> Element? {
        guard nextPriority != nil, let place = pop() else { return nil }
        return waiting.removeValue(forKey: place.number)?.element
    }

    /// Sweeps places away that are passed over, before they outnumber the others.
    private mutating func sweep() {
        guard heap.count > 64, heap.count > 2 * waiting.count else { return }
        heap = waiting.map { Place(priority: $0.value.priority, number: $0.key) }
        // A sorted array is a heap.
        heap.sort { $0.isBefore($1) }
    }

    private mutating func push(_ place: Place) {
        heap.append(place)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func pop() -> Place? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var next = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isBefore(heap[next]) { next = child }
            guard next != parent else { return first }
            heap.swapAt(parent, next)
            parent = next
        }
    }
}
