/// The rows of a list as a value: random access, and shared instead of copied.
///
/// Pages are kept whole. A front end may hold the rows of yesterday's state while today's grow: appending a page to
/// 100,000 rows shares all that was there before. ``change(since:)`` tells what happened between any two of them.
///
/// Reading is inlinable, since those who read are front ends in other modules: without it each row costs them a
/// microsecond.
public struct Rows<Element: Identifiable & Equatable & Sendable>: RandomAccessCollection, Sendable
where Element.ID: Sendable {
    /// One page, never changed once made; two lists that share it compare it by identity.
    @usableFromInline
    final class Segment: Sendable {
        @usableFromInline let elements: [Element]

        init(_ elements: [Element]) {
            self.elements = elements
        }
    }

    /// A page and the position behind its last row.
    @usableFromInline
    struct Slot: Sendable {
        @usableFromInline var segment: Segment
        @usableFromInline var end: Int

        init(segment: Segment, end: Int) {
            self.segment = segment
            self.end = end
        }
    }

    /// Marks all rows that came about by appending, updating and removing; a reset begins a new lineage.
    final class Lineage: Sendable {}

    @usableFromInline private(set) var slots: [Slot] = []
    let lineage: Lineage

    /// Creates an empty list.
    public init() {
        lineage = Lineage()
    }

    /// Creates a list of one page, as tests and previews want it; ``PagedList`` is what makes rows unique.
    public init(_ elements: some Sequence<Element>) {
        self.init()
        append(Array(elements))
    }

    /// 0.
    @inlinable public var startIndex: Int { 0 }
    /// The number of rows.
    @inlinable public var endIndex: Int { slots.last?.end ?? 0 }

    /// The row at a position.
    @inlinable
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "Row \(position) of \(endIndex)")
        let slot = slotIndex(of: position)
        return slots[slot].segment.elements[position - start(of: slot)]
    }

    /// Goes through the rows page by page, without a search for each.
    @inlinable
    public func makeIterator() -> Iterator {
        Iterator(slots: slots)
    }

    /// Goes through the rows in order.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var slots: IndexingIterator<[Slot]>
        @usableFromInline var rows: IndexingIterator<[Element]> = [].makeIterator()

        @inlinable
        init(slots: [Slot]) {
            self.slots = slots.makeIterator()
        }

        /// The next row, or `nil` at the end.
        @inlinable
        public mutating func next() -> Element? {
            while true {
                if let row = rows.next() { return row }
                guard let slot = slots.next() else { return nil }
                rows = slot.segment.elements.makeIterator()
            }
        }
    }
}

extension Rows {
    /// The position of a page's first row.
    @inlinable
    func start(of slot: Int) -> Int {
        slot == 0 ? 0 : slots[slot - 1].end
    }

    @inlinable
    func slotIndex(of position: Int) -> Int {
        // Pages of a server are mostly of one size, so that the place can be told without a search.
        let guess = position * slots.count / endIndex
        if start(of: guess) <= position, position < slots[guess].end { return guess }
        var low = 0
        var high = slots.count - 1
        while low < high {
            let middle = (low + high) / 2
            if slots[middle].end > position { high = middle } else { low = middle + 1 }
        }
        return low
    }

    mutating func append(_ elements: [Element]) {
        slots.append(Slot(segment: Segment(elements), end: endIndex + elements.count))
    }

    /// Whether a page has the row with an id.
    func has(_ id: Element.ID, in slot: Int) -> Bool {
        slots[slot].segment.elements.contains { $0.id == id }
    }

    /// The same rows as other rows, so that a view shows them again.
    func inNewLineage() -> Rows {
        var rows = Rows()
        rows.slots = slots
        return rows
    }

    /// Puts other rows in place of a page's.
    mutating func replace(slot: Int, with elements: [Element]) {
        let growth = elements.count - slots[slot].segment.elements.count
        slots[slot].segment = Segment(elements)
        guard growth != 0 else { return }
        for index in slot..<slots.count { slots[index].end += growth }
    }
}

extension Rows: Equatable {
    /// Whether both have the same rows in the same order; pages that are shared are not looked into.
    public static func == (left: Rows, right: Rows) -> Bool {
        guard left.count == right.count else { return false }
        // Most states of a screen differ in something else and share all of their rows.
        let isSameStorage = left.slots.withUnsafeBufferPointer { left in
            right.slots.withUnsafeBufferPointer { left.baseAddress == $0.baseAddress }
        }
        guard !isSameStorage else { return true }
        let haveSamePages =
            left.slots.count == right.slots.count
            && zip(left.slots, right.slots).allSatisfy { left, right in
                left.segment === right.segment || left.segment.elements == right.segment.elements
            }
        return haveSamePages || left.elementsEqual(right)
    }
}

extension Rows: CustomStringConvertible {
    /// The rows in brackets, as an array prints.
    public var description: String { Array(self).description }
}
