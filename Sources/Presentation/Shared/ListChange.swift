/// What happened between two states of a list, in the terms of a batch update.
///
/// Apply it in this order: take out ``Update/removed`` (positions in the old rows), put in ``Update/inserted`` and
/// ``Update/appended``, refresh ``Update/updated`` (all three positions in the new rows).
public enum ListChange: Equatable, Sendable {
    /// The rows are the same.
    case none
    /// These are other rows: show all of them again, from the top.
    case reset
    /// Rows went, came, or have new contents.
    case update(Update)

    /// The positions that changed.
    public struct Update: Equatable, Sendable {
        /// Positions in the old rows, ascending.
        public var removed: [Int] = []
        /// Positions in the new rows, ascending, of rows that came between those that were there.
        public var inserted: [Int] = []
        /// Positions in the new rows, of whole pages that came at the end.
        public var appended: Range<Int> = 0..<0
        /// Positions in the new rows, ascending.
        public var updated: [Int] = []

        /// Creates an update.
        public init(
            removed: [Int] = [],
            inserted: [Int] = [],
            appended: Range<Int> = 0..<0,
            updated: [Int] = []
        ) {
            self.removed = removed
            self.inserted = inserted
            self.appended = appended
            self.updated = updated
        }
    }
}

extension Rows {
    /// What to do to a view that shows `old`, so that it shows these rows.
    ///
    /// It is computed from the two values, so it is right whichever states a slow front end missed in between; pages that
    /// both share cost one comparison.
    public func change(since old: Rows) -> ListChange {
        guard lineage === old.lineage, slots.count >= old.slots.count else { return .reset }
        var update = ListChange.Update()
        for index in old.slots.indices where slots[index].segment !== old.slots[index].segment {
            guard Self.compare(slot: index, of: old, with: self, into: &update) else { return .reset }
        }
        let kept = old.slots.isEmpty ? 0 : slots[old.slots.count - 1].end
        if kept < endIndex { update.appended = kept..<endIndex }
        return update == ListChange.Update() ? .none : .update(update)
    }

    /// Adds what differs in one page; `false` when rows changed places, which no update of this list does.
    private static func compare(slot: Int, of old: Rows, with new: Rows, into update: inout ListChange.Update) -> Bool {
        let before = old.slots[slot].segment.elements
        let after = new.slots[slot].segment.elements
        let known = Set(before.map(\.id))
        let kept = Set(after.map(\.id))
        let oldStart = old.start(of: slot)
        let newStart = new.start(of: slot)
        var from = 0
        var to = 0
        while from < before.count || to < after.count {
            if from < before.count, !kept.contains(before[from].id) {
                update.removed.append(oldStart + from)
                from += 1
            } else if to < after.count, !known.contains(after[to].id) {
                update.inserted.append(newStart + to)
                to += 1
            } else if from < before.count, to < after.count, before[from].id == after[to].id {
                if before[from] != after[to] { update.updated.append(newStart + to) }
                from += 1
                to += 1
            } else {
                return false
            }
        }
        return true
    }
}
