import BrowseDomain

/// A controller whose rows or entity can be favorites, which is known at run time only.
@MainActor
protocol FavoriteMarking {
    /// Marks favorites, and lets the person change them; does nothing without favorites in the
    /// options.
    func markFavorites()
}

extension DetailController: FavoriteMarking where Entity: Favoritable {
    func markFavorites() { markFavorite { Favorite($0) } }
}

extension ListController: FavoriteMarking where Row: FavoriteRow {
    func markFavorites() {
        guard let repository = options.favorites else { return }
        let tracker = FavoriteTracker(repository: repository)
        let marks = RowMarks<Row> { [weak self] _ in
            // A feed follows its rows itself.
            self?.isStored == true ? nil : tracker.follow().map { ScreenLoad([$0]) }
        } mark: { rows in
            guard !tracker.isEmpty else { return }
            for index in rows.indices where tracker.contains(rows[index].favoriteID) { rows[index].isFavorite = true }
        }
        add(marks)
        updateFavorites(by: tracker)
        didReceiveFresh = { rows in
            tracker.refresh { rows.filter { tracker.contains($0.favoriteID) }.map(\.favorite) }
        }
    }

    /// Updates the loaded rows when favorites change.
    func updateFavorites(by tracker: FavoriteTracker) {
        onChange(of: .favorite) { [weak self] row, isFavorite in
            guard let self else { return nil }
            if Row.id(of: row.favoriteID) != row.id {
                ScreenMisuse.record("The row \(row.id) won't change: its favoriteKey isn't the description of its id.")
            }
            // Not afterwards: a notice that appears meanwhile, such as that a file was repaired,
            // isn't about this change.
            show(nil)
            let error = await tracker.set(row.favorite, to: isFavorite, shownAs: row.isFavorite)
            if let error { show(texts.message(for: error).ofChange) }
            return nil
        }
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
