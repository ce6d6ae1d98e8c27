public import BrowseDomain
import Foundation

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
        public var isFavorite: Bool = true
        /// The description of its kind, without which it has no route.
        let kind: FavoriteKind?

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
        public var sections: [FavoriteSection] = []
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
    /// - Parameter kinds: The last description of a kind applies. Favorites of other kinds have no
    ///   route.
    package init(favorites: any FavoriteRepository, kinds: [FavoriteKind], options: ScreenOptions) {
        let descriptions = Dictionary(kinds.map { ($0.kind, $0) }) { $1 }
        texts = options.texts
        rows = ListController(in: store, at: \.content, notice: \.notice, options: options)
        var unknown: Set<Favorite.Kind> = []
        feed = FavoriteFeed(favorites, in: rows) { favorite in
            let kind = descriptions[favorite.kind]
            if kind == nil, unknown.insert(favorite.kind).inserted { ScreenMisuse.record(unknownKind: favorite.kind) }
            return Row(favorite: favorite, kind: kind)
        }
        let fields = FavoriteQuery.fields(of: Array(descriptions.values), in: texts)
        store.update { ($0.title, $0.fields) = (options.texts(Self.title), fields) }
        feed.didRecover = { [weak rows] recovery in
            rows?.show(options.texts.recovered(recovery))
            favorites.endRecoveryReport()
        }
        store.addPart { [weak self] in self?.group(&$0) }
    }

    /// Loads the list from its first page; the rows stay while it loads.
    public func show() async {
        await store.load { state in
            state.notice = nil
            return begin(state.query)
        }
    }

    /// The filter and the order; after ``show()``, setting it loads the favorites.
    ///
    /// To filter as a person types, set `query.filter`. The previous rows stay, in their groups,
    /// while the new ones load.
    public var query: FavoriteQuery {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            store.update { [self] state in
                state.query = newValue
                if rows.hasBegun { begin(newValue).keep() }
            }
        }
    }

    /// Loads the list from its first page, like ``show()``.
    public func submit() async { await show() }

    /// Shows the list when the screen appears; if it's shown already, only calls `retry()`.
    public func showIfNeeded() async {
        feed.checkForChanges()
        if rows.hasBegun { await retry() } else { await show() }
    }

    private func begin(_ query: FavoriteQuery) -> ScreenLoad {
        let isFiltered = !query.kinds.isEmpty || !TypedText(query.filter).isEmpty
        return feed.begin(query, empty: isFiltered ? texts.noMatches : texts.noFavorites)
    }

    /// Groups the rows by the order that they have, which can still be that of the previous query.
    private func group(_ state: inout State) {
        let order = feed.shownQuery?.order
        let rows = state.content.rows
        guard order != grouped.order || rows != grouped.rows else { return }
        grouped = (rows, order)
        state.sections = [FavoriteSection](count: order == .name ? rows.count : 0) { rows[$0].favorite.title }
    }
}

// swift-format-ignore
extension Phrase {
    fileprivate static let byDate = Phrase("favorites.order.added", "Date Added", ko: "추가한 날짜")
    fileprivate static let shownKind = Phrase("favorites.kind", "Show", ko: "표시할 항목")

    fileprivate static let noFavoritesTitle = Phrase("favorites.empty.title", "No Favorites", ko: "즐겨찾기 없음")
    fileprivate static let noFavorites = Phrase("favorites.empty", "Items you add to your favorites appear here.",
        ko: "즐겨찾기에 추가한 항목이 여기에 표시됩니다.")
    fileprivate static let recoveredTitle = Phrase("favorites.recovered.title", "Favorites Recovered", ko: "즐겨찾기를 복구함")
    fileprivate static func recovered(_ count: Int, file: String) -> Phrase {
        Phrase("favorites.recovered", plural: count,
            one: "The favorites file was damaged. \(count) favorite was recovered. The damaged file is saved as “\(file)”.",
            "The favorites file was damaged. \(count) favorites were recovered. The damaged file is saved as “\(file)”.",
            ko: "즐겨찾기 파일이 손상되어 \(count)개를 복구했습니다. 손상된 파일은 ‘\(file)’ 이름으로 보관했습니다.")
    }
}

extension FavoriteQuery {
    /// Returns the fields of a query for favorites of some kinds.
    static func fields(of kinds: [FavoriteKind], in texts: Texts) -> [QueryField<FavoriteQuery>] {
        // Sorting is stable, so kinds with equal titles stay in the order of their names.
        let kinds = kinds.map { ($0.kind.rawValue, texts($0.title), Set([$0.kind])) }.sorted { $0.0 < $1.0 }
            .sorted { $0.1.compare($1.1, locale: texts.formats.locale) == .orderedAscending }
        let orders = [("name", texts(.name), Order.name), ("added", texts(.byDate), .added)]
        return [
            .text("filter", texts(.filter), \.filter),
            .choice("kind", texts(.shownKind), \.kinds, [("", texts(.any), [])] + kinds),
            .choice("order", texts(.sort), \.order, orders),
        ]
    }
}

extension Texts {
    /// The message for an empty list of favorites.
    public var noFavorites: Message { message(.empty, .noFavorites, titled: .noFavoritesTitle) }
    /// Returns the message for a damaged file that was replaced.
    func recovered(_ recovery: StorageRecovery) -> Message {
        message(.storage, .recovered(recovery.savedCount, file: recovery.damagedFile), titled: .recoveredTitle)
    }
}
