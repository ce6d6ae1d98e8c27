public import BrowseDomain

/// Marks rows of a list, such as favorites and stars.
@MainActor
protocol RowMarks<Row>: AnyObject, Sendable {
    associatedtype Row: ListRow

    /// Loads the marks and observes their changes; called for each load of a first page and each retry.
    ///
    /// - Parameter isRefresh: Whether to reload marks that are known.
    /// - Returns: The load of the marks; `nil` if callers of the list don't wait for it.
    func follow(isRefresh: Bool) -> SharedLoad?

    /// Called before each page is fetched.
    func willFetch()

    /// Marks the rows of a page.
    func mark(_ rows: inout [Row])
}

/// Marks rows that are favorites.
@MainActor
final class FavoriteMarks<Row: FavoriteRow>: RowMarks {
    private let tracker: FavoriteTracker

    init(_ tracker: FavoriteTracker) {
        self.tracker = tracker
    }

    func follow(isRefresh: Bool) -> SharedLoad? { tracker.follow() }

    func willFetch() {}

    func mark(_ rows: inout [Row]) {
        guard !tracker.isEmpty else { return }
        for index in rows.indices where tracker.contains(rows[index].favoriteID) { rows[index].isFavorite = true }
    }
}

extension ListController where Row: FavoriteRow {
    /// Marks favorites, and lets the person change them.
    public func markFavorites(in repository: any FavoriteRepository) {
        markFavorites(by: FavoriteTracker(repository: repository))
    }

    func markFavorites(by tracker: FavoriteTracker) {
        marks.append(FavoriteMarks(tracker))
        updateFavorites(by: tracker)
    }

    /// Updates the loaded rows when favorites change.
    func updateFavorites(by tracker: FavoriteTracker) {
        favorites = tracker
        tracker.addObserver { [weak self, unowned tracker] ids in
            self?.update { list in
                guard let ids else { return list.updateAll { $0.isFavorite = tracker.contains($0.favoriteID) } }
                for id in ids {
                    guard let row = Row.id(of: id) else { continue }
                    list.update(id: row) { $0.isFavorite = tracker.contains(id) }
                }
            }
        }
    }
}
