public import BrowseDomain

/// The difference between two states of favorites in sections, for a batch update of a view.
///
/// Apply it in this order: remove rows and sections, at their old positions; insert sections and
/// rows, at their new positions; and then reload rows.
public enum FavoriteSectionChange: Equatable, Sendable {
    /// The sections and rows are the same.
    case none
    /// Reload all sections, and scroll to the top.
    case reset
    /// Sections or rows were removed, inserted, or updated.
    case update(Update)

    /// The place of a row.
    public struct Place: Hashable, Sendable {
        /// The position of the section.
        public let section: Int
        /// The position of the row in its section.
        public let row: Int

        /// Creates a place.
        public init(section: Int, row: Int) { (self.section, self.row) = (section, row) }
    }

    /// The sections and places that changed.
    ///
    /// The rows of a removed or inserted section aren't listed.
    public struct Update: Equatable, Sendable {
        /// The positions of removed sections in the old sections, ascending.
        public var removedSections: [Int] = []
        /// The positions of inserted sections in the new sections, ascending.
        public var insertedSections: [Int] = []
        /// The old places of removed rows, in sections that remain.
        public var removed: [Place] = []
        /// The new places of inserted rows, in sections that existed.
        public var inserted: [Place] = []
        /// The new places of rows whose contents changed; apply them after the others.
        public var updated: [Place] = []
    }
}

extension [FavoriteSection] {
    /// Returns the update of a view from older sections to these.
    ///
    /// It's a reset if either has no sections, although there are rows, because of another order.
    ///
    /// - Parameters:
    ///   - old: The sections that the view shows, of any earlier state.
    ///   - rows: The change of the rows between the same two states.
    public func change(since old: [FavoriteSection], with rows: ListChange) -> FavoriteSectionChange {
        guard case .update(let rows) = rows else { return rows == .none && self == old ? .none : .reset }
        let before = old.places
        let after = places
        var removed = Set(rows.removed)
        var inserted = Set(rows.inserted).union(rows.appended)
        let stayed = before.indices.filter { !removed.contains($0) }
        let stays = after.indices.filter { !inserted.contains($0) }
        guard stayed.count == stays.count, removed.isSubset(of: before.indices), inserted.isSubset(of: after.indices)
        else { return .reset }
        let titles = (before: old.map(\.title), after: map(\.title))
        // A row with another title can be in another section, although it didn't move.
        for (from, to) in zip(stayed, stays)
        where titles.before[before[from].section] != titles.after[after[to].section] {
            removed.insert(from)
            inserted.insert(to)
        }
        let known = Set(titles.before)
        let kept = Set(titles.after)
        var update = FavoriteSectionChange.Update()
        update.removedSections = old.indices.filter { !kept.contains(titles.before[$0]) }
        update.insertedSections = indices.filter { !known.contains(titles.after[$0]) }
        update.removed = removed.sorted().map { before[$0] }.filter { kept.contains(titles.before[$0.section]) }
        update.inserted = inserted.sorted().map { after[$0] }.filter { known.contains(titles.after[$0.section]) }
        update.updated = rows.updated.filter { !inserted.contains($0) }.map { after[$0] }
        return .update(update)
    }

    /// The place of each row.
    private var places: [FavoriteSectionChange.Place] {
        enumerated().flatMap { number, section in
            section.positions.map {
                FavoriteSectionChange.Place(section: number, row: $0 - section.positions.lowerBound)
            }
        }
    }
}
