import BrowseDomain

/// The pages of a list of favourites, which changes where favourites are added and removed while it is shown.
@MainActor
final class FavoritePages<Row: FavoriteRow> {
    /// The list and its loads.
    let loader: PageLoader<Page<Favorite>, Row>

    private let repository: any FavoriteRepository
    private let row: @MainActor (Favorite) -> Row?
    private var query = FavoriteQuery()
    /// The last row that came with a page, which may be gone: the next page begins behind it.
    private var frontier: FavoriteSortKey?
    /// What changed while a page was on its way, which may or may not know of it.
    private var waiting: [FavoriteChange] = []
    /// Whether everything may have changed while a page was on its way.
    private var isOutdated = false

    /// - Parameters:
    ///   - repository: Where favourites are.
    ///   - prefetchDistance: See ``PagedList/prefetchDistance``.
    ///   - row: The row of a favourite; `nil` leaves it out.
    init(
        repository: any FavoriteRepository,
        prefetchDistance: Int,
        row: @escaping @MainActor (Favorite) -> Row?
    ) {
        self.repository = repository
        self.row = row
        loader = PageLoader(prefetchDistance: prefetchDistance, policy: .fresh)
        loader.accept = { [weak self] page, _ in self?.accept(page) }
    }

    /// Starts over with a query; rows from before stay to be looked at until the first page is there.
    func restart(_ query: FavoriteQuery) -> PageLoad {
        self.query = query
        frontier = nil
        waiting = []
        isOutdated = false
        return loader.restart(.stayUntilReply) { [repository] cursor throws(BrowseError) in
            try await repository.page(of: query, at: cursor)
        }
    }

    /// Follows a change of what is stored.
    ///
    /// - Returns: The load to wait for, when the list has to be loaded again.
    func follow(_ change: FavoriteChange) -> PageLoad? {
        switch change {
        case .replaced:
            // Whoever waits for a page on its way gets it; it may be as good as the next one.
            isOutdated = loader.list.current != nil
            return loader.list.current == nil && loader.list.pageCount > 0 ? restart(query) : nil
        case .added, .removed:
            if loader.list.current != nil { waiting.append(change) } else { apply(change) }
            return nil
        case .recovered:
            return nil
        }
    }

    /// To be called when a load ended.
    ///
    /// - Returns: The load to wait for, when the list has to be loaded again.
    func catchUp() -> PageLoad? {
        guard loader.list.current == nil else { return nil }
        for change in waiting { apply(change) }
        waiting = []
        return isOutdated ? restart(query) : nil
    }

    private func accept(_ page: Page<Favorite>) -> Page<Row> {
        if let last = page.items.last { frontier = key(of: last) }
        return Page(items: page.items.compactMap(row), next: page.next, skipped: page.skipped)
    }

    private func apply(_ change: FavoriteChange) {
        switch change {
        case .removed(let id):
            if let row = Row.id(of: id) { loader.list.remove(id: row) }
        case .added(let added):
            guard loader.list.pageCount > 0, query.includes(added), let row = row(added) else { return }
            let key = key(of: added)
            let isBehindAll = query.order == .added || frontier.map { $0 < key } ?? true
            // What belongs behind the pages that have come will come with the next.
            guard !isBehindAll || !loader.list.hasMore else { return }
            let position =
                switch query.order {
                case .added: loader.list.loadedCount
                case .name, .kind: loader.list.position { key < self.key(of: $0.favorite) }
                }
            loader.list.insert(row, at: position)
        case .replaced, .recovered:
            break
        }
    }

    private func key(of favorite: Favorite) -> FavoriteSortKey {
        FavoriteSortKey(favorite, byKind: query.order == .kind)
    }
}
