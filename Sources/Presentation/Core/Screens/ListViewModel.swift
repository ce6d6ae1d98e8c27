/// A view model whose screen shows a list.
///
/// Call ``ListIntents/rowAppeared(_:)`` for each row that becomes visible. In SwiftUI, call it in the row's task:
///
/// ```
/// List(model.state.content.rows) { row in
///     FollowerCell(row).task { await model.rowAppeared(row.id) }
/// }
/// ```
///
/// In UIKit or AppKit, start a task when the cell is displayed. Optionally, cancel it when the cell disappears:
///
/// ```
/// override func tableView(_ table: UITableView, willDisplay cell: UITableViewCell, forRowAt path: IndexPath) {
///     let id = shownRows[path.row].id
///     Task { await model.rowAppeared(id) }
/// }
/// ```
@MainActor
public protocol ListViewModel<State, Row>: ViewModel, ListIntents {}

/// The intents of a list: those of a screen, or of a list that is part of a screen.
@MainActor
public protocol ListIntents<Row> {
    /// The rows of the list.
    associatedtype Row: ListRow

    /// The controls of the list; they have the same methods as the conforming type.
    var list: ListControls<Row> { get }
}

/// The controls of a list that is part of a screen.
@MainActor
public struct ListControls<Row: ListRow>: ListIntents {
    let controller: ListController<Row>

    /// The controls themselves.
    public var list: ListControls<Row> { self }
}

extension ListIntents {
    /// Loads the next page; does nothing after a failure, at the end, or while all pages are loading.
    public func loadMore() async {
        await list.controller.loadMore()
    }

    /// Loads the page that failed, or the first page if its load was canceled; otherwise does nothing.
    public func retry() async {
        await list.controller.retry()
    }

    /// Loads the list again from its first page, with the same filter.
    ///
    /// The rows stay until the page arrives. If the load is canceled, the list continues from its previous position.
    public func refresh() async {
        await list.controller.refresh()
    }

    /// Reports that a row is visible, which loads the next page if the row is near the end.
    ///
    /// Call it each time a row appears, and cancel it when the row disappears. The load of the page is canceled
    /// only if no other caller waits for it.
    public func rowAppeared(_ id: Row.ID) async {
        await list.controller.rowAppeared(id)
    }

    /// Returns a loaded row, also one that a filter hides; `nil` if there is no such row.
    public func row(_ id: Row.ID) -> Row? {
        list.controller.pagedList.row(id)
    }

    /// Removes the notice beside the list.
    public func dismissNotice() {
        list.controller.show(nil)
    }

    /// Returns the destination of a row; `nil` if it has none, or if there is no such row.
    public func select(_ id: Row.ID) -> Route? {
        row(id)?.route
    }
}

extension ListIntents where Row: FavoriteRow {
    /// Adds a row to the favorites, or removes it if its mark is shown.
    ///
    /// The mark changes at once. If storing fails, it changes back and the screen shows a notice. Returns when storing ends.
    public func toggleFavorite(_ id: Row.ID) async {
        let controller = list.controller
        guard let row = controller.pagedList.row(id), let favorites = controller.favorites else { return }
        let failure = await favorites.toggle(row.favorite, shownAs: row.isFavorite)
        controller.show(failure.map(controller.texts.message(for:)))
    }
}
