public import BrowseDomain

/// The screen with what a person has kept.
///
/// It needs no network, and follows every favorite that is added or removed on another screen.
@MainActor
public final class FavoriteListViewModel: ListViewModel {
    /// A favorite as the list shows it.
    public struct Row: FavoriteRow {
        /// What is kept.
        public let favorite: Favorite
        /// `false` between the tap that removes it and its removal.
        public var isFavorite: Bool

        /// Creates a row.
        public init(_ favorite: Favorite, isFavorite: Bool = true) {
            self.favorite = favorite
            self.isFavorite = isFavorite
        }

        /// The favorite's identity.
        public var id: Favorite.ID { favorite.id }

        /// The favorite's identity.
        public var favoriteID: Favorite.ID { favorite.id }

        /// The page of the thing; `nil` when it has none.
        public var route: Route? {
            switch favorite.kind {
            case .user: favorite.value(as: GitHub.User.self).map { .userProfile($0.login) }
            case .repo: favorite.value(as: GitHub.Repo.self)?.route
            case .character: favorite.value(as: RickAndMorty.Character.self).map { .character($0.id) }
            case .app: favorite.value(as: AppStore.App.self).map { .app($0) }
            default: nil
            }
        }

        /// The favorite itself: every kind has a row here.
        public static func id(of favorite: Favorite.ID) -> Favorite.ID? { favorite }
    }

    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// The screen's title.
        public var title: String = ""
        /// Which favorites, and in which order.
        public var query: FavoriteQuery = FavoriteQuery(order: .name)
        /// The rows, and what the list is doing.
        public var content: ListState<Row> = ListState()
        /// The rows' groups by letter, if the rows are in the order by name.
        public var sections: FavoriteSections = FavoriteSections()
        /// The rows' groups by kind, if the rows are in the order by kind.
        public var kinds: [KindGroup] = []
        /// Something to tell beside the list: that a favorite could not be removed, or that a damaged file was replaced.
        public var notice: Message?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// The rows of one kind.
    public struct KindGroup: Equatable, Sendable {
        /// What kind of things they are.
        public var kind: Favorite.Kind
        /// What stands above them.
        public var title: String
        /// The positions of its rows.
        public var positions: Range<Int>

        /// Creates a group.
        public init(kind: Favorite.Kind, title: String, positions: Range<Int>) {
            self.kind = kind
            self.title = title
            self.positions = positions
        }
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the list.
    public var list: ListControls<Row> { rows.controls }

    private let store = StateStore(State())
    private let rows: ListController<Row>
    private let feed: FavoriteFeed<Row>
    private let texts: Texts
    /// The rows that the groups of the state are of, and their order.
    private var grouped: (rows: Rows<Row>, order: FavoriteQuery.Order?) = (Rows(), nil)

    /// Creates the screen; ``show()`` fills it.
    ///
    /// - Parameters:
    ///   - favorites: Where favorites are stored.
    ///   - texts: The language.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    public init(favorites: any FavoriteRepository, texts: Texts, prefetchDistance: Int = 10) {
        self.texts = texts
        rows = ListController(
            in: store,
            at: \.content,
            notice: \.notice,
            texts: texts,
            prefetchDistance: prefetchDistance
        )
        feed = FavoriteFeed(favorites, tracker: FavoriteTracker(repository: favorites), list: rows) { Row($0) }
        feed.didRecover = { [weak rows] in rows?.show(texts.recovered($0)) }
        store.addPart { [weak self] in self?.group(&$0) }
    }

    /// Loads the list from its first page; the rows stay until the page arrives.
    public func show() async {
        let load = store.update { state in
            state.title = texts(.favoritesTitle)
            state.notice = nil
            return begin(state.query)
        }
        await load()
    }

    /// Which favorites are shown, and in which order; setting it loads them, and the last query wins.
    ///
    /// To filter as a person types, set `query.filter`. The rows of the query before stay, in their groups, until the new ones
    /// arrive.
    public var query: FavoriteQuery {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            store.update { state in
                state.query = newValue
                if rows.hasBegun { feed.runInBackground(begin(newValue)) }
            }
        }
    }

    /// Removes the favorite of a row; when that can't be stored the row stays, with a notice.
    public func remove(_ id: Row.ID) async {
        if rows.list.row(id)?.isFavorite == true { await toggleFavorite(id) }
    }

    private func begin(_ query: FavoriteQuery) -> ListLoad {
        let isFiltered = !query.filter.trimmed.isEmpty || !query.kinds.isEmpty
        return feed.begin(query, empty: isFiltered ? texts.noMatches : texts.noFavorites)
    }

    /// Groups the rows by the order that they are in, which isn't that of the query while other rows are loaded.
    private func group(_ state: inout State) {
        let order = feed.shownQuery?.order
        guard order != grouped.order || state.content.rows != grouped.rows else { return }
        grouped = (state.content.rows, order)
        state.sections = order == .name ? FavoriteSections(of: grouped.rows.lazy.map(\.favorite)) : FavoriteSections()
        state.kinds = order == .kind ? groups(of: grouped.rows) : []
    }

    /// The groups of rows that are in the order by kind, found by a look at a few rows of each.
    private func groups(of rows: Rows<Row>) -> [KindGroup] {
        var groups: [KindGroup] = []
        var start = 0
        while start < rows.count {
            let kind = rows[start].id.kind
            var (low, high) = (start + 1, rows.count)
            while low < high {
                let middle = (low + high) / 2
                if rows[middle].id.kind == kind { low = middle + 1 } else { high = middle }
            }
            groups.append(KindGroup(kind: kind, title: texts.title(of: kind), positions: start..<low))
            start = low
        }
        return groups
    }
}
