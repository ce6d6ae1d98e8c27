public import BrowseDomain
public import Observation

/// The screen with what a person has kept.
///
/// It needs no network, and follows every favourite that is added or removed on another screen.
@MainActor @Observable
public final class FavoriteListViewModel: ViewModel {
    /// A favourite as the list shows it.
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

        /// The favourite's identity.
        public var id: Favorite.ID { favorite.id }

        /// The favourite itself: every kind has a row here.
        public static func id(of favorite: Favorite.ID) -> Favorite.ID? { favorite }
    }

    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// The screen's title.
        public var title: String = ""
        /// Which favourites, and in which order.
        public var query: FavoriteQuery = FavoriteQuery(order: .name)
        /// The rows, and what the list is doing.
        public var content: ListState<Row> = ListState()
        /// The rows' groups by letter, in the order by name.
        public var sections: FavoriteSections = FavoriteSections()
        /// The rows' groups by kind, in the order by kind.
        public var kinds: [KindGroup] = []
        /// Something to tell beside the list: that a favourite could not be removed, or that a damaged file was replaced.
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
        /// Their positions.
        public var rows: Range<Int>

        /// Creates a group.
        public init(kind: Favorite.Kind, title: String, rows: Range<Int>) {
            self.kind = kind
            self.title = title
            self.rows = rows
        }
    }

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = Broadcast<State>()
    @ObservationIgnored private let pages: FavoritePages<Row>
    @ObservationIgnored private let loads = BackgroundWork()
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let texts: Texts

    /// Creates the screen; ``show()`` fills it.
    ///
    /// - Parameters:
    ///   - favorites: Where favourites are kept.
    ///   - texts: The language.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    public init(favorites: any FavoriteRepository, texts: Texts, prefetchDistance: Int = 10) {
        self.texts = texts
        let marks = FavoriteMarks(repository: favorites)
        self.marks = marks
        pages = FavoritePages(repository: favorites, prefetchDistance: prefetchDistance) { favorite in
            Row(favorite, isFavorite: !marks.isRemoving(favorite.id))
        }
        pages.loader.didChange = { [weak self] in self?.loadEnded() }
        marks.didChange = { [weak self] ids in self?.mark(ids) }
        marks.didStore = { [weak self] change in self?.follow(change) }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension FavoriteListViewModel {
    /// Loads the list from its first page; rows from before stay until the page is there.
    public func show() async {
        // First of all, so that no change after the first page is missed.
        marks.followChanges()
        let load = pages.restart(state.query)
        publish {
            $0.title = texts(.favoritesTitle)
            $0.notice = nil
        }
        await load()
    }

    /// Loads the next page; does nothing when one is on its way, the last one failed, or there is none.
    public func loadMore() async {
        await pages.loader.loadMore()
    }

    /// Loads the page that failed; does nothing when none did.
    public func retry() async {
        await pages.loader.retry()
    }

    /// Tells that a row is visible, which loads the next page when it is near the end.
    ///
    /// - Parameter position: The position of the last visible row; rows may have been skipped before it.
    public func rowAppeared(at position: Int) async {
        await pages.loader.rowAppeared(at: position)
    }

    /// Which favourites are shown, and in which order; setting it loads them, the last query wins.
    ///
    /// To filter as a person types, set `query.filter`. Rows of the query before stay until the new ones are there.
    public var query: FavoriteQuery {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            publish { $0.query = newValue }
            guard state.content.status != .idle else { return }
            let load = pages.restart(newValue)
            publish()
            loads.run { await load() }
        }
    }

    /// Forgets the favourite of a row; when it cannot be stored the row stays, with a notice.
    public func remove(at position: Int) async {
        guard state.content.rows.indices.contains(position) else { return }
        let row = state.content.rows[position]
        guard row.isFavorite else { return }
        let failure = await marks.toggle(row.favorite, shownAs: true)
        publish { $0.notice = failure.map(texts.message(for:)) }
    }

    /// Goes on to what a row stands for; `nil` when there is no such row, or nothing to go to.
    public func select(at position: Int) -> Route? {
        guard state.content.rows.indices.contains(position) else { return nil }
        let favorite = state.content.rows[position].favorite
        switch favorite.kind {
        case .user: return favorite.value(as: GitHub.User.self).map { .userProfile($0.login) }
        case .repo: return favorite.value(as: GitHub.Repo.self)?.route
        case .character: return favorite.value(as: RickAndMorty.Character.self).map { .character($0.id) }
        case .app: return favorite.value(as: AppStore.App.self).map { .app($0) }
        default: return nil
        }
    }
}

extension FavoriteListViewModel {
    private func loadEnded() {
        let load = pages.catchUp()
        publish()
        if let load { loads.run { await load() } }
    }

    private func mark(_ ids: Set<Favorite.ID>?) {
        pages.loader.list.mark(ids, by: marks)
        publish()
    }

    private func follow(_ change: FavoriteChange) {
        let load = pages.follow(change)
        publish {
            if case .recovered(let recovery) = change { $0.notice = texts.recovered(recovery) }
        }
        if let load { loads.run { await load() } }
    }

    /// Shows the list as it is now, together with another change of the screen, as one state.
    private func publish(_ change: (inout State) -> Void = { _ in }) {
        var state = state
        change(&state)
        let list = pages.loader.list
        let isFiltered = !state.query.filter.trimmed.isEmpty || !state.query.kinds.isEmpty
        state.content = ListState(list, texts: texts, empty: isFiltered ? texts.noMatches : texts.noFavorites)
        let isRegrouped = state.content.rows != self.state.content.rows || state.query.order != self.state.query.order
        switch state.query.order {
        case .added: (state.sections, state.kinds) = (FavoriteSections(), [])
        case .name where isRegrouped:
            (state.sections, state.kinds) = (FavoriteSections(of: state.content.rows.lazy.map(\.favorite)), [])
        case .kind where isRegrouped:
            (state.sections, state.kinds) = (FavoriteSections(), groups(of: state.content.rows))
        case .name, .kind: break
        }
        self.state = state
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
            groups.append(KindGroup(kind: kind, title: texts.title(of: kind), rows: start..<low))
            start = low
        }
        return groups
    }
}
