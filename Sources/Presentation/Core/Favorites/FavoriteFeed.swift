public import BrowseDomain

/// Fills a list with favorites, and updates it while favorites are added, updated, and removed.
@MainActor
public final class FavoriteFeed<Row: FavoriteRow> {
    /// Called when a damaged file was replaced.
    var didRecover: @MainActor (StorageRecovery) -> Void = { _ in }
    /// The query of the rows; `nil` before the first page.
    private(set) var shownQuery: FavoriteQuery?

    private let list: ListController<Row>
    private let repository: any FavoriteRepository
    private let tracker: FavoriteTracker
    private let makeRow: @MainActor (Favorite) -> Row?
    private var query: FavoriteQuery?
    /// The sort key of the last row of the last page, which may have been removed since. The next
    /// page starts after it.
    private var frontier: FavoriteSortKey?
    /// The sequence numbers of the loaded favorites.
    private var numbers: [Favorite.ID: Int64] = [:]
    /// Changes during the load of a page, which may contain them.
    private var pending: [FavoriteChange] = []
    /// Whether all favorites were replaced during the load of a page.
    private var isOutdated = false

    /// Creates the feed of a list.
    ///
    /// - Parameters:
    ///   - repository: The storage of favorites.
    ///   - list: The list of favorites, which ignores the favorites and the load policy of its
    ///     options; ``begin(_:empty:)`` starts it.
    ///   - row: Makes the row of a favorite; the list omits favorites for which it returns `nil`.
    public init(
        _ repository: any FavoriteRepository,
        in list: ListController<Row>,
        row: @escaping @MainActor (Favorite) -> Row?
    ) {
        let tracker = FavoriteTracker(repository: repository)
        self.repository = repository
        self.tracker = tracker
        self.list = list
        makeRow = { [weak tracker] favorite in
            modified(row(favorite)) { $0?.isFavorite = tracker?.isRemoving(favorite.id) != true }
        }
        list.updateFavorites(by: tracker)
        list.isStored = true
        list.didEndLoad = { [weak self] in self?.catchUp() }
        tracker.didStore = { [weak self] in self?.follow($0) }
    }

    /// Reads changes by other processes, which then update the list.
    func checkForChanges() { tracker.checkForChanges() }

    /// Starts over with a query; the rows stay while the first page loads.
    ///
    /// - Parameters:
    ///   - query: The filter and the order.
    ///   - empty: The message of a list without rows.
    /// - Returns: The load of the first page; call it to start the load.
    public func begin(_ query: FavoriteQuery, empty: Message) -> ScreenLoad {
        isOutdated = false
        self.query = query
        // Before the first page is read, so that no change is missed.
        tracker.followChanges()
        let retention: RowRetention = query == shownQuery ? .keepUntilPage : .keepUntilResponse
        // Another order starts over, so that a view scrolls to the top.
        list.update { [shownQuery] in $0.selectsFromOneList = query.order == shownQuery?.order }
        return list.begin(
            retention,
            empty: empty,
            fetch: { [repository] cursor throws(BrowseError) in try await repository.page(of: query, at: cursor) }
        ) { [weak self] page, _ in
            self?.accept(page) ?? Page(items: [])
        }
    }

    private func follow(_ change: FavoriteChange) {
        switch change {
        case .replaced:
            // After a failed reload, old rows are shown without a page.
            isOutdated = list.pagedList.pageCount + list.pagedList.loadedCount > 0 || list.pagedList.current != nil
        case .added, .updated, .removed: pending.append(change)
        case .recovered(let recovery): didRecover(recovery)
        }
        // A page in flight is delivered first.
        if list.pagedList.current == nil { catchUp() }
    }

    /// Applies the changes during the load of a page; sequence numbers tell which ones the page
    /// contains.
    private func catchUp() {
        let changes = pending
        // Additions wait for the first page, or for a cancellation that restores the pages from
        // before a failed reload. A list that hasn't begun reads everything when it begins.
        if list.pagedList.pageCount > 0 || query == nil { pending = [] }
        for change in changes { apply(change) }
        guard isOutdated else { return }
        isOutdated = false
        list.restart(.keepUntilPage).keep()
    }

    private func accept(_ page: Page<Favorite>) -> Page<Row> {
        if list.pagedList.pageCount == 0 { numbers = [:] }
        numbers.reserveCapacity(numbers.count + page.items.count)
        // A favorite that was added again has a row from before.
        for favorite in page.items {
            if let number = numbers[favorite.id] { apply(.removed(favorite.id, sequenceNumber: number)) }
            numbers[favorite.id] = favorite.sequenceNumber
        }
        shownQuery = query
        if list.pagedList.pageCount == 0 || !page.items.isEmpty { frontier = page.items.last.map(FavoriteSortKey.init) }
        return Page(items: page.items.compactMap(makeRow), next: page.next, skipped: page.skipped)
    }

    private func update(_ favorite: Favorite) {
        guard let query, let number = favorite.sequenceNumber, let id = Row.id(of: favorite.id),
            numbers[favorite.id] ?? number == number
        else { return }
        var isInPlace = false
        if query.includes(favorite), let row = makeRow(favorite) {
            list.update { list in
                list.update(id: id) { old in
                    isInPlace = query.order == .added || old.favorite.title == favorite.title
                    if isInPlace { old = row }
                }
            }
        }
        guard !isInPlace else { return }
        apply(.removed(favorite.id, sequenceNumber: number))
        // In the order of adding, the place of one that didn't match the filter before isn't known
        // until the next load.
        if query.order == .name { apply(.added(favorite)) }
    }

    private func apply(_ change: FavoriteChange) {
        switch change {
        case .removed(let id, let number):
            // If the numbers differ, the row is of a later addition.
            guard numbers[id] ?? number == number, let row = Row.id(of: id) else { return }
            numbers[id] = nil
            list.update { $0.remove(id: row) }
        case .added(let added):
            guard let query, list.pagedList.pageCount > 0, query.includes(added), let row = makeRow(added) else {
                return
            }
            let key = FavoriteSortKey(added)
            let isBehindAll = query.order == .added || frontier.map { $0 < key } ?? true
            // A favorite after the loaded pages arrives with the next page.
            guard !isBehindAll || !list.pagedList.hasMore else { return }
            list.update { list in
                let position =
                    query.order == .added ? list.loadedCount : list.position { key < FavoriteSortKey($0.favorite) }
                // If the row exists, the page was read after this addition.
                if list.insert(row, at: position) { numbers[added.id] = added.sequenceNumber }
            }
        case .updated(let favorite): update(favorite)
        case .replaced, .recovered: break
        }
    }
}
