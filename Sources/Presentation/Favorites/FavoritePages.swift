import BrowseDomain

/// The pages of a list of favourites, which changes where favourites are added and removed while it is shown.
@MainActor
final class FavoritePages<Row: FavoriteRow> {
    /// The list and its loads.
    let loader: PageLoader<Page<Favorite>, Row>

    private let repository: any FavoriteRepository
    private let row: @MainActor (Favorite) -> Row?
    private var query = FavoriteQuery()
    /// What changed while a page was on its way, which may or may not know of it.
    private var waiting: [FavoriteChange] = []

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
        loader = PageLoader(prefetchDistance: prefetchDistance)
        loader.accept = { page in Page(items: page.items.compactMap(row), next: page.next, skipped: page.skipped) }
    }

    /// Starts over with a query; rows from before stay to be looked at until the first page is there.
    func restart(_ query: FavoriteQuery) -> PageLoad {
        self.query = query
        waiting = []
        return loader.restart(keepingRows: true) { [repository] cursor throws(BrowseError) in
            try await repository.page(of: query, at: cursor)
        }
    }

    /// Follows a change of what is stored.
    ///
    /// - Returns: The load to wait for, when the list has to be loaded again.
    func follow(_ change: FavoriteChange) -> PageLoad? {
        if case .replaced = change {
            return loader.list.pageCount > 0 || loader.list.current != nil ? restart(query) : nil
        }
        if loader.list.current != nil { waiting.append(change) } else { apply(change) }
        return nil
    }

    /// To be called when a load ended.
    func catchUp() {
        guard loader.list.current == nil else { return }
        for change in waiting { apply(change) }
        waiting = []
    }

    private func apply(_ change: FavoriteChange) {
        switch change {
        case .removed(let id):
            if let row = Row.id(of: id) { loader.list.remove(id: row) }
        case .added(let added):
            guard loader.list.pageCount > 0, query.includes(added), let row = row(added) else { return }
            let position: Int
            switch query.order {
            case .added:
                position = loader.list.loadedCount
            case .name:
                let key = FavoriteSortKey(added)
                position = loader.list.position { key < FavoriteSortKey($0.favorite) }
            }
            // What belongs behind the last loaded row comes with its page.
            guard position < loader.list.loadedCount || !loader.list.hasMore else { return }
            loader.list.insert(row, at: position)
        case .replaced:
            break
        }
    }
}
