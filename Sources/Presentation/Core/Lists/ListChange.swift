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
