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
    var rowCount = 0
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
    public var endIndex: Int { rowCount }

    /// The row at a position.
    public subscript(position: Int) -> Element {
        precondition(position >= 0 && position < endIndex, "Row \(position) of \(endIndex)")
        let slot = slotIndex(of: position)
        return slots[slot].segment.elements[position - start(of: slot)]
    }
}

extension Rows {
    /// Returns the position of a page's first row.
    func start(of slot: Int) -> Int { slot == 0 ? 0 : slots[slot - 1].end }

    /// Returns the page of a row.
    private func slotIndex(of position: Int) -> Int { slots.partitioningIndex { $0.end > position } }

    mutating func append(_ elements: [Element]) {
        rowCount += elements.count
        slots.append(Slot(segment: Segment(elements), end: rowCount))
    }

    /// Returns the rows that pass a filter, with the same identity and pages.
    ///
    /// Views show the difference. Without a filter, returns `nil`.
    func filtered(by isIncluded: ((Element) -> Bool)?) -> Rows? {
        guard let isIncluded else { return nil }
        var rows = self
        rows.slots = []
        rows.rowCount = 0
        for slot in slots { rows.append(slot.segment.elements.filter(isIncluded)) }
        return rows
    }

    /// Replaces the rows of a page.
    mutating func replace(slot: Int, with elements: [Element]) {
        let growth = elements.count - slots[slot].segment.elements.count
        slots[slot].segment = Segment(elements)
        guard growth != 0 else { return }
        rowCount += growth
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

/// The difference between two values of ``Rows``, for a batch update of a view.
///
/// Apply it in this order: remove ``Update/removed`` (positions in the old rows), insert
/// ``Update/inserted`` and ``Update/appended``, and reload ``Update/updated`` (positions in the new
/// rows).
public enum ListChange: Equatable, Sendable {
    /// The rows are the same.
    case none
    /// The list started over: reload all rows, and scroll to the top.
    case reset
    /// Rows were removed, inserted, appended, or updated; one that moved is removed and inserted.
    case update(Update)

    /// The positions that changed.
    public struct Update: Equatable, Sendable {
        /// The positions of removed rows in the old rows, ascending.
        public var removed: [Int] = []
        /// The positions in the new rows of rows that were inserted between others, ascending.
        public var inserted: [Int] = []
        /// The positions in the new rows of pages that were appended.
        public var appended: Range<Int> = 0..<0
        /// The positions in the new rows of rows whose contents changed, ascending.
        public var updated: [Int] = []
    }
}

extension Rows {
    /// Returns the update of a view from older rows to these.
    ///
    /// The older rows can be of any earlier state, so a front end may skip states. A shared page
    /// costs one comparison. Another filter of the same list removes and inserts rows.
    public func change(since old: Rows) -> ListChange {
        guard lineage === old.lineage, slots.count >= old.slots.count else {
            return isEmpty && old.isEmpty ? .none : .reset
        }
        var update = ListChange.Update()
        for index in old.slots.indices where slots[index].segment !== old.slots[index].segment {
            Self.compare(slot: index, of: old, with: self, into: &update)
        }
        let kept = old.slots.isEmpty ? 0 : slots[old.slots.count - 1].end
        if kept < endIndex { update.appended = kept..<endIndex }
        return update == ListChange.Update() ? .none : .update(update)
    }

    /// Adds the differences of one page.
    private static func compare(slot: Int, of old: Rows, with new: Rows, into update: inout ListChange.Update) {
        let before = old.slots[slot].segment.elements
        let after = new.slots[slot].segment.elements
        let oldPlaces = Dictionary(zip(before.map(\.id), before.indices)) { $1 }
        let newPlaces = Dictionary(zip(after.map(\.id), after.indices)) { $1 }
        var moved: Set<Element.ID> = []
        let oldStart = old.start(of: slot)
        let newStart = new.start(of: slot)
        var from = 0
        var to = 0
        while from < before.count || to < after.count {
            let place = from < before.count ? newPlaces[before[from].id] : nil
            let oldPlace = to < after.count ? oldPlaces[after[to].id] : nil
            if from < before.count, place == nil || moved.contains(before[from].id) {
                update.removed.append(oldStart + from)
                from += 1
            } else if to < after.count, oldPlace == nil || moved.contains(after[to].id) {
                update.inserted.append(newStart + to)
                to += 1
            } else if let place, let oldPlace, place != to {
                // Of two rows, the one that is farther from its other place has moved.
                moved.insert(place - to > oldPlace - from ? before[from].id : after[to].id)
            } else {
                if before[from] != after[to] { update.updated.append(newStart + to) }
                from += 1
                to += 1
            }
        }
    }
}
