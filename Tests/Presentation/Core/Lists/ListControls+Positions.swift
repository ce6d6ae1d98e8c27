@testable import BrowseGitHubPresentation
@testable import BrowsePresentation

// Tests name rows by their positions, which are easier to read than ids.

extension ListControls {
    fileprivate func id(at position: Int) -> Row.ID? {
        let rows = controller.pagedList.rows
        return rows.indices.contains(position) ? rows[position].id : nil
    }

    func rowAppeared(at position: Int) async {
        if let id = id(at: position) { await rowAppeared(id) }
    }

    func select(at position: Int) -> Route? {
        id(at: position).flatMap(select)
    }
}

extension ListControls where Row: FavoriteRow {
    func toggleFavorite(at position: Int) async {
        if let id = id(at: position) { await toggleFavorite(id) }
    }
}

extension ListViewModel {
    func rowAppeared(at position: Int) async { await list.rowAppeared(at: position) }

    func select(at position: Int) -> Route? { list.select(at: position) }
}

extension ListViewModel where Row: FavoriteRow {
    func toggleFavorite(at position: Int) async { await list.toggleFavorite(at: position) }
}

extension ListIntents where Row == RepoRow {
    @discardableResult
    func toggleStar(at position: Int) async -> Route? {
        guard let id = list.id(at: position) else { return nil }
        return await toggleStar(id)
    }
}

extension FavoriteListViewModel {
    func remove(at position: Int) async {
        let rows = state.content.rows
        if rows.indices.contains(position) { await setFavorite(rows[position].id, to: false) }
    }
}
