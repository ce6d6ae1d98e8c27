/// A view model whose screen shows a list.
///
/// Call ``rowAppeared(_:)`` for each row that becomes visible. In SwiftUI, call it in the row's task:
///
/// ```
/// List(model.state.content.rows) { row in
///     FollowerCell(row).task { await model.rowAppeared(row.id) }
/// }
/// ```
///
/// In UIKit or AppKit, start a task when the cell is displayed. You can cancel it when the cell disappears:
///
/// ```
/// override func tableView(_ table: UITableView, willDisplay cell: UITableViewCell, forRowAt path: IndexPath) {
///     let id = shownRows[path.row].id
///     Task { await model.rowAppeared(id) }
/// }
/// ```
@MainActor
public protocol ListViewModel<State, Row>: ViewModel {
    /// The rows of the list.
    associatedtype Row: ListRow

    /// The intents of the list.
    var list: ListControls<Row> { get }
}

extension ListViewModel {
    /// Loads the next page; does nothing after a failure, at the end, and while all pages are loading.
    public func loadMore() async {
        await list.loadMore()
    }

    /// Loads the page that failed, or the first page if its load was canceled; otherwise does nothing.
    public func retry() async {
        await list.retry()
    }

    /// Loads the list again from its first page, with the same filter.
    ///
    /// The rows stay until the page arrives. If the load is canceled, the list continues from its previous position.
    public func refresh() async {
        await list.refresh()
    }

    /// Reports that a row is visible, which loads the next page if the row is near the end.
    ///
    /// Call it each time a row appears, and cancel it when the row disappears. The page is canceled only if no other caller
    /// waits for it.
    public func rowAppeared(_ id: Row.ID) async {
        await list.rowAppeared(id)
    }

    /// Removes the notice beside the list.
    public func dismissNotice() {
        list.dismissNotice()
    }

    /// Returns the destination of a row; `nil` if it has none, or if there is no such row.
    public func select(_ id: Row.ID) -> Route? {
        list.select(id)
    }
}

extension ListViewModel where Row: FavoriteRow {
    /// Adds a row to the favorites, or removes it if its mark is shown.
    ///
    /// The mark changes at once, and changes back, with a notice, if that can't be stored. Returns when it's stored.
    public func toggleFavorite(_ id: Row.ID) async {
        await list.toggleFavorite(id)
    }
}

extension ListViewModel where Row == RepoRow {
    /// Stars the repository of a row, or removes the star if it's shown.
    ///
    /// The star and the count change at once, in all lists, and change back, with a notice, if GitHub refuses. Returns when
    /// GitHub has responded.
    ///
    /// - Returns: ``Route/signIn`` if nobody is signed in; the star is stored after signing in.
    public func toggleStar(_ id: Row.ID) async -> Route? {
        await list.toggleStar(id)
    }
}

/// The intents of a list that is part of a screen; see ``ListViewModel`` for their documentation.
@MainActor
public struct ListControls<Row: ListRow> {
    let controller: ListController<Row>

    /// Loads the next page.
    public func loadMore() async { await controller.loadMore() }

    /// Loads the page that failed, or the first page if its load was canceled.
    public func retry() async { await controller.retry() }

    /// Loads the list again from its first page.
    public func refresh() async { await controller.refresh() }

    /// Reports that a row is visible.
    public func rowAppeared(_ id: Row.ID) async { await controller.rowAppeared(id) }

    /// Removes the notice beside the list.
    public func dismissNotice() { controller.show(nil) }

    /// Returns the destination of a row.
    public func select(_ id: Row.ID) -> Route? { controller.list.row(id)?.route }
}

extension ListControls where Row: FavoriteRow {
    /// Adds a row to the favorites, or removes it.
    public func toggleFavorite(_ id: Row.ID) async {
        guard let row = controller.list.row(id), let favorites = controller.favorites else { return }
        let failure = await favorites.toggle(row.favorite, shownAs: row.isFavorite)
        controller.show(failure.map(controller.texts.message(for:)))
    }
}

extension ListControls where Row == RepoRow {
    /// Stars the repository of a row, or removes the star.
    public func toggleStar(_ id: Row.ID) async -> Route? {
        guard let row = controller.list.row(id) else { return nil }
        return await controller.stars?.toggle(row)
    }
}
