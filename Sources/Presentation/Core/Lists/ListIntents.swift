import BrowseDomain

/// The intents of a list: those of a screen, or of a list that is part of a screen.
///
/// During the pause of a search, they load no page.
@MainActor
public protocol ListIntents<Row> {
    /// The rows of the list.
    associatedtype Row: ListRow

    /// The controls of the list; they have the same methods as the conforming type.
    var list: ListControls<Row> { get }

    /// Clears the filter; by default, does nothing.
    func clearFilter() async
}

extension ListIntents {
    /// Does nothing; the default for lists without a filter.
    public func clearFilter() async {}

    /// Performs the action of a message.
    ///
    /// `.changeInput` does nothing: only the front end knows its fields.
    ///
    /// - Returns: The screen or page to open; `nil` if there is none.
    @discardableResult
    public func perform(_ action: Message.Action) async -> Route? {
        switch action {
        case .retry, .retryLater: await retry()
        case .loadAll:
            // Until a failed page is retried, nothing else is loaded.
            if list.controller.pagedList.hasFailed { await retry() }
            await loadAll()
        case .clearFilter: await clearFilter()
        case .changeInput, .signIn, .open: break
        }
        return action.route
    }

    /// Turns a mark of a row on or off, such as ``RowMark/favorite``.
    ///
    /// The row changes before this method first suspends, and changes back, with a notice, if
    /// storing fails. Of several changes, the last one wins. It does nothing if the list doesn't
    /// have the mark, which is an issue of a test with `.verifiesMocks`, and a line on standard
    /// error in other debug builds.
    ///
    /// - Parameters:
    ///   - mark: The mark.
    ///   - id: The row.
    ///   - isOn: Whether the row has the mark.
    /// - Returns: `Route.signIn` if the change waits for a sign-in.
    @discardableResult
    public func set(_ mark: RowMark, of id: Row.ID, to isOn: Bool) async -> Route? {
        await set(mark, of: id, to: isOn, by: #function)
    }

    /// Turns a mark on or off, with the name of a method for the report of an unknown row.
    @_spi(Services) @discardableResult
    public func set(_ mark: RowMark, of id: Row.ID, to isOn: Bool, by method: String) async -> Route? {
        guard let set = list.controller.setters[mark] else {
            ScreenMisuse.record(without: mark.name, remedy: mark.remedy)
            return nil
        }
        ScreenMisuse.record(unknownRow: id, of: list.controller.pagedList, by: method)
        guard let row = row(id) else { return nil }
        return await set(row, isOn)
    }

    /// Loads the next page, or waits for the page in flight.
    ///
    /// Does nothing after a failure, at the end, or while ``loadAll(upTo:)`` loads several pages at
    /// a time, so the condition of a loop is ``ListState/canLoadMore``. A hundred calls in a row
    /// without effect are reported as by ``set(_:of:to:)``.
    public func loadMore() async { await list.controller.loadMore() }

    /// Loads the remaining pages.
    ///
    /// A list that began with `allPages`, such as followers, loads several at a time if the server
    /// reports how many there are; others load one after another. Rows appear in order as their
    /// pages arrive. After a cancellation or a failure, the rows stay. Continue with ``loadMore()``
    /// or this method after a cancellation, and with ``retry()`` after a failure: until then, this
    /// method requests nothing. ``refresh()``, and showing another list, end the load.
    ///
    /// - Parameter rowLimit: The number of loaded rows at which to stop. The last page can exceed
    ///   it.
    /// - Returns: The reason why a page couldn't be loaded; `nil` at the end, at the limit, after a
    ///   cancellation, and after several pages without rows. `hasMore` in the list's state says
    ///   whether the end was reached.
    @discardableResult
    public func loadAll(upTo rowLimit: Int = .max) async -> Message? {
        await list.controller.loadAll(upTo: rowLimit)
    }

    /// Loads the page that failed, or the first page if it hasn't arrived.
    ///
    /// An only page that is cached because the server couldn't be reached is loaded again, and so
    /// are marks that couldn't be loaded, such as stars.
    public func retry() async { await LoadOptions.$current.withValue(.retrying) { await list.controller.retry() } }

    /// Loads the list again from its first page, with the same filter.
    ///
    /// The rows stay until the page arrives. If the load fails, they still stay, unless the server
    /// no longer has the list. If it's canceled, the list continues from its previous position.
    public func refresh() async { await LoadOptions.$current.withValue(.retrying) { await list.controller.refresh() } }

    /// Reports that a row is visible, which loads the next page if the row is near the end.
    ///
    /// Call it each time a row appears, and cancel it when the row disappears. The load of the page
    /// is canceled only if no other caller waits for it.
    public func rowAppeared(_ id: Row.ID) async {
        ScreenMisuse.record(unknownRow: id, of: list.controller.pagedList, by: #function)
        await list.controller.rowAppeared(id)
    }

    /// Returns a loaded row, also one that a filter hides; `nil` if there is no such row.
    public func row(_ id: Row.ID) -> Row? { list.controller.pagedList.row(id) }

    /// Removes the notice beside the list.
    public func dismissNotice() { list.controller.show(nil) }

    /// Returns the destination of a row; `nil` if it has none, or if there is no such row.
    public func select(_ id: Row.ID) -> Route? {
        ScreenMisuse.record(unknownRow: id, of: list.controller.pagedList, by: #function)
        return row(id)?.route
    }
}

extension ListIntents where Row: FavoriteRow {
    /// Adds a row to the favorites, or removes it.
    ///
    /// The row changes before this method first suspends, and the notice is removed. If storing
    /// fails, it changes back, and the screen shows a notice. Returns when storing ends. Of several
    /// changes, the last one wins. It does nothing without ``ScreenOptions/favorites``,
    /// which is reported as by ``set(_:of:to:)``.
    public func setFavorite(_ id: Row.ID, to isFavorite: Bool) async {
        await set(.favorite, of: id, to: isFavorite, by: #function)
    }

    /// Adds a row to the favorites, or removes it if it's shown as a favorite; see
    /// ``setFavorite(_:to:)``.
    public func toggleFavorite(_ id: Row.ID) async {
        await set(.favorite, of: id, to: row(id)?.isFavorite != true, by: #function)
    }
}
