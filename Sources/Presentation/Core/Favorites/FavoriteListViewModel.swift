public import BrowseDomain

/// A screen with the favorites.
///
/// It sends no requests. Favorites added or removed on other screens update it at once.
@MainActor
public final class FavoriteListViewModel: SearchViewModel {
    /// The title of the screen.
    public nonisolated static let title: Phrase = Phrase("favorites.title", "Favorites", ko: "즐겨찾기")

    /// A row of the list.
    public struct Row: FavoriteRow {
        /// The favorite.
        public let favorite: Favorite
        /// Whether the row is still a favorite; `false` while its removal is being stored.
        public var isFavorite: Bool
        private let kind: FavoriteKind?

        /// Creates a row; without a description of its kind, it has no route.
        init(_ favorite: Favorite, kind: FavoriteKind? = nil, isFavorite: Bool = true) {
            self.favorite = favorite
            self.kind = kind
            self.isFavorite = isFavorite
        }

        /// The id of the favorite.
        public var id: Favorite.ID { favorite.id }
        /// The id of the favorite.
        public var favoriteID: Favorite.ID { favorite.id }

        /// The screen or web page of the favorite; `nil` if it has none.
        public var route: Route? { kind?.route(favorite) }

        /// Returns the id of the favorite.
        public static func id(of favorite: Favorite.ID) -> Favorite.ID? { favorite }
    }

    /// The state of the screen.
    public struct State: SearchScreenState {
        /// The title of the screen.
        public var title: String = ""
        /// The filter and the order.
        public var query: FavoriteQuery = FavoriteQuery(order: .name)
        /// The fields of the query: the filter, the kinds, and the order.
        public var fields: [QueryField<FavoriteQuery>] = []
        /// The rows and the status of the list.
        public var content: ListState<Row> = ListState()
        /// The groups of rows by initial letter, if they are ordered by name.
        public var sections: FavoriteSections = FavoriteSections()
        /// A message beside the list, for a failed removal or a damaged file that was replaced.
        public var notice: Message?
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list.
    public var list: ListControls<Row> { rows.controls }

    private let store = StateStore(State())
    private let rows: ListController<Row>
    private let feed: FavoriteFeed<Row>
    private let texts: Texts
    /// The rows and the order that the state's groups are for.
    private var grouped: (rows: Rows<Row>, order: FavoriteQuery.Order?) = (Rows(), nil)

    /// Creates the screen; ``show()`` loads it.
    ///
    /// - Parameters:
    ///   - favorites: The favorites.
    ///   - kinds: The kinds of favorites; the last description of a kind applies. Favorites of other kinds have no route.
    ///   - options: The texts, and the prefetch distance.
    public init(favorites: any FavoriteRepository, kinds: [FavoriteKind], options: ScreenOptions) {
        let descriptions = Dictionary(kinds.map { ($0.kind, $0) }) { $1 }
        texts = options.texts
        rows = ListController(in: store, at: \.content, notice: \.notice, options: options.uncached)
        feed = FavoriteFeed(favorites, in: rows) {
            Row($0, kind: descriptions[$0.kind])
        }
        let fields = FavoriteQuery.fields(of: Array(descriptions.values), in: texts)
        store.addPart { state in state.fields = fields.map { $0.showing(state.query) } }
        store.update { $0.title = options.texts(Self.title) }
        feed.didRecover = { [weak rows] in rows?.show(options.texts.recovered($0)) }
        store.addPart { [weak self] in self?.group(&$0) }
    }

    /// Loads the list from its first page; the rows stay while it loads.
    public func show() async {
        let load = store.update { state in
            state.notice = nil
            return begin(state.query)
        }
        await load()
    }

    /// The filter and the order; after ``show()``, setting it loads the favorites.
    ///
    /// To filter as a person types, set `query.filter`. The previous rows stay, in their groups, while the new ones load.
    public var query: FavoriteQuery {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            store.update { state in
                state.query = newValue
                if rows.hasBegun { begin(newValue).keep() }
            }
        }
    }

    /// Loads the list from its first page, like ``show()``.
    public func submit() async { await show() }

    /// Shows the list; if it's shown already, only calls `retry()`.
    ///
    /// Call it whenever the screen appears.
    public func showIfNeeded() async {
        if rows.hasBegun { await retry() } else { await show() }
    }

    private func begin(_ query: FavoriteQuery) -> ScreenLoad {
        let empty =
            if !query.kinds.isEmpty {
                texts.noFavoritesOfKinds
            } else {
                TypedText(query.filter).isEmpty ? texts.noFavorites : texts.noMatches
            }
        return feed.begin(query, empty: empty)
    }

    /// Groups the rows by the order that they have, which can still be that of the previous query.
    private func group(_ state: inout State) {
        let order = feed.shownQuery?.order
        let rows = state.content.rows
        guard order != grouped.order || rows != grouped.rows else { return }
        grouped = (rows, order)
        state.sections = FavoriteSections(count: order == .name ? rows.count : 0) { rows[$0].favorite.title }
    }
}
