/// A view model whose screen is a list: everything that all lists do.
///
/// Call ``rowAppeared(_:)`` for each row that becomes visible, in SwiftUI by the row's task:
///
/// ```
/// List(model.state.content.rows) { row in
///     FollowerCell(row).task { await model.rowAppeared(row.id) }
/// }
/// ```
///
/// In UIKit or AppKit, start a task where the cell is displayed. It may be canceled when the cell disappears:
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

    /// What a front end can do with the list.
    var list: ListControls<Row> { get }
}

extension ListViewModel {
    /// Loads the next page; does nothing after a failure, at the end, or while all pages are loaded.
    ///
    /// Callers share a page that is in flight. It is canceled once all of them have been.
    public func loadMore() async {
        await list.loadMore()
    }

    /// Loads the page that failed; does nothing when none did.
    public func retry() async {
        await list.retry()
    }

    /// Loads the list again from its first page, with the same filter.
    ///
    /// The rows stay until the page arrives. If the load is canceled, the list goes on from where it was.
    public func refresh() async {
        await list.refresh()
    }

    /// Reports that a row is visible, which loads the next page when the row is near the end.
    ///
    /// Call it for every row, as often as a row appears. Cancel it when the row disappears: the page is canceled only when no
    /// other caller waits for it.
    public func rowAppeared(_ id: Row.ID) async {
        await list.rowAppeared(id)
    }

    /// Returns where selecting a row leads; `nil` when there is no such row, or it leads nowhere.
    public func select(_ id: Row.ID) -> Route? {
        list.select(id)
    }
}

extension ListViewModel where Row: FavoriteRow {
    /// Adds a row to the favorites or removes it, whichever its mark doesn't show.
    ///
    /// The mark changes at once; if that can't be stored it changes back, with a notice. Returns when it is stored.
    public func toggleFavorite(_ id: Row.ID) async {
        await list.toggleFavorite(id)
    }
}

extension ListViewModel where Row == RepoRow {
    /// Stars the repository of a row or removes the star, whichever its star doesn't show.
    ///
    /// The star and its count change at once, in every list; when GitHub refuses they change back, with a notice. Returns when
    /// GitHub has answered.
    ///
    /// - Returns: ``Route/signIn`` when nobody is signed in; the star is given after that.
    public func toggleStar(_ id: Row.ID) async -> Route? {
        await list.toggleStar(id)
    }
}

/// What a front end can do with a list that is part of a screen; see ``ListViewModel``, which has the same methods.
@MainActor
public struct ListControls<Row: ListRow> {
    let controller: ListController<Row>

    /// Loads the next page.
    public func loadMore() async { await controller.loadMore() }

    /// Loads the page that failed.
    public func retry() async { await controller.retry() }

    /// Loads the list again from its first page.
    public func refresh() async { await controller.refresh() }

    /// Reports that a row is visible.
    public func rowAppeared(_ id: Row.ID) async { await controller.rowAppeared(id) }

    /// Returns where selecting a row leads.
    public func select(_ id: Row.ID) -> Route? { controller.list.row(id)?.route }
}

extension ListControls where Row: FavoriteRow {
    /// Adds a row to the favorites or removes it.
    public func toggleFavorite(_ id: Row.ID) async {
        guard let row = controller.list.row(id), let favorites = controller.favorites else { return }
        let failure = await favorites.toggle(row.favorite, shownAs: row.isFavorite)
        controller.show(failure.map(controller.texts.message(for:)))
    }
}

extension ListControls where Row == RepoRow {
    /// Stars the repository of a row or removes the star.
    public func toggleStar(_ id: Row.ID) async -> Route? {
        guard let row = controller.list.row(id), let stars = controller.stars else { return nil }
        let outcome = await stars.toggle(row)
        controller.show(controller.texts.notice(of: outcome))
        return outcome.flatMap(Route.init)
    }
}
