import BrowseDomain

/// The rows of a list, as a value with random access.
///
/// Values share their pages: appending a page copies no row, even if a front end holds the previous
/// value. ``change(since:)`` returns the difference between two values.
public struct Rows<Element: Identifiable & Equatable & Sendable>: RandomAccessCollection, Sendable
where Element.ID: Sendable {
    /// An immutable page. Values that share it compare it by identity.
    final class Segment: Sendable {
        let elements: [Element]

        init(_ elements: [Element]) { self.elements = elements }
    }

    /// A page, and the position after its last row.
    struct Slot: Sendable {
        var segment: Segment
        var end: Int
    }

    /// The identity of all values between two resets, filtered or not.
    final class Lineage: Sendable {}

    var slots: [Slot] = []
    let lineage: Lineage

    /// Creates an empty list.
    public init() { lineage = Lineage() }

    /// Creates a list of one page, for tests and previews. Ids must be unique.
    public init(_ elements: some Sequence<Element>) {
        self.init()
        append(Array(elements))
    }

    /// The position of the first row: 0.
    public var startIndex: Int { 0 }
    /// The number of rows.
    public var endIndex: Int { slots.last?.end ?? 0 }

    /// The row at a position.
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "Row \(position) of \(endIndex)")
        // The page of the row.
        let slot = slots.partitioningIndex { $0.end > position }
        return slots[slot].segment.elements[position - start(of: slot)]
    }
}

extension Rows {
    /// Returns the position of a page's first row.
    func start(of slot: Int) -> Int { slot == 0 ? 0 : slots[slot - 1].end }

    mutating func append(_ elements: [Element]) {
        slots.append(Slot(segment: Segment(elements), end: endIndex + elements.count))
    }

    /// Returns the rows that pass a filter, with the same identity and pages.
    ///
    /// Views show the difference. Without a filter, returns `nil`.
    func filtered(by isIncluded: ((Element) -> Bool)?) -> Rows? {
        guard let isIncluded else { return nil }
        var rows = self
        rows.slots = []
        for slot in slots { rows.append(slot.segment.elements.filter(isIncluded)) }
        return rows
    }

    /// Replaces the rows of a page.
    mutating func replace(slot: Int, with elements: [Element]) {
        let growth = elements.count - slots[slot].segment.elements.count
        slots[slot].segment = Segment(elements)
        guard growth != 0 else { return }
        for index in slot..<slots.count { slots[index].end += growth }
    }
}

extension Rows: Equatable {
    /// Returns whether two values have equal rows in the same order.
    ///
    /// Shared pages aren't compared, unless the pages begin at different rows.
    public static func == (left: Rows, right: Rows) -> Bool {
        guard left.count == right.count else { return false }
        guard left.slots.count == right.slots.count, zip(left.slots, right.slots).allSatisfy({ $0.end == $1.end })
        else { return left.elementsEqual(right) }
        return zip(left.slots, right.slots).allSatisfy { left, right in
            left.segment === right.segment || left.segment.elements == right.segment.elements
        }
    }
}

extension Rows: CustomStringConvertible {
    /// The rows in brackets, like an array.
    public var description: String { Array(self).description }
}
