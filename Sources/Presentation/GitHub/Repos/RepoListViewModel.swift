public import BrowseDomain
public import Observation

/// The screen with an account's public repositories, one's own, or those one has starred.
@MainActor @Observable
public final class RepoListViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Whose code repositories; `nil` before ``RepoListViewModel/show(_:)``.
        public var list: GitHub.RepoList?
        /// The screen's title.
        public var title: String = ""
        /// The rows, and what the list is doing.
        public var content: ListState<RepoRow> = ListState()
        /// Something to tell beside the list, such as that a favourite could not be stored.
        public var notice: Message?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = StateBroadcast<State>()
    @ObservationIgnored private let pages: PageLoader<Page<GitHub.Repo>, RepoRow>
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let repository: any GitHub.RepoRepository
    @ObservationIgnored private let texts: Texts

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - repository: Where code repositories come from.
    ///   - favorites: Where favourites are kept.
    ///   - texts: The language.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    public init(
        repository: any GitHub.RepoRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        prefetchDistance: Int = 10
    ) {
        self.repository = repository
        self.texts = texts
        pages = PageLoader(prefetchDistance: prefetchDistance)
        marks = FavoriteMarks(repository: favorites)
        pages.accept = { [marks] page in page.map { RepoRow($0, isFavorite: marks.contains(.repo($0.id))) } }
        pages.didChange = { [weak self] in self?.publish() }
        marks.didChange = { [weak self] ids in self?.mark(ids) }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension RepoListViewModel {
    /// Starts over with a list; what was on its way for another is cancelled, and dropped if it comes.
    public func show(_ list: GitHub.RepoList) async {
        async let marksAreKnown: Void = marks.follow()
        let load = pages.restart { [repository] cursor throws(BrowseError) in
            try await repository.page(of: list, at: cursor)
        }
        publish {
            $0 = State()
            $0.list = list
            $0.title =
                switch list {
                case .publicRepos(let login): texts(.publicReposTitle(login))
                case .own: texts(.ownReposTitle)
                case .starred: texts(.starredReposTitle)
                }
        }
        await load()
        await marksAreKnown
    }

    /// Loads the list again from its first page; the old rows stay until the page is there.
    public func refresh() async {
        await pages.refresh()
    }

    /// Loads the next page; does nothing when one is on its way, the last one failed, or there is none.
    public func loadMore() async {
        await pages.loadMore()
    }

    /// Loads the page that failed; does nothing when none did.
    public func retry() async {
        await pages.retry()
    }

    /// Tells that a row is visible, which loads the next page when it is near the end.
    ///
    /// - Parameter position: The position of the last visible row; rows may have been skipped before it.
    public func rowAppeared(at position: Int) async {
        await pages.rowAppeared(at: position)
    }

    /// Keeps the repository of a row as a favourite, or forgets it, as the opposite of what its mark shows.
    ///
    /// The mark changes at once; when it cannot be stored it changes back, with a notice.
    public func toggleFavorite(at position: Int) async {
        let failure = await marks.toggle(at: position, in: state.content.rows)
        publish { $0.notice = failure.map(texts.message(for:)) }
    }

    /// Goes on to the page of a row on the web; `nil` when there is no such row, or it has no page.
    public func select(at position: Int) -> Route? {
        guard state.content.rows.indices.contains(position) else { return nil }
        return state.content.rows[position].repo.route
    }
}

extension RepoListViewModel {
    private func mark(_ ids: Set<Favorite.ID>?) {
        pages.list.mark(ids, by: marks)
        publish()
    }

    /// Shows the list as it is now, together with another change of the screen, as one state.
    private func publish(_ change: (inout State) -> Void = { _ in }) {
        var state = state
        change(&state)
        if let list = state.list {
            state.content = ListState(pages.list, texts: texts, empty: texts.emptyList(list))
        }
        self.state = state
    }
}

extension GitHub.Repo {
    /// Where a tap on a row leads: to its page on the web, if it has one that can be opened.
    var route: Route? {
        webPage.flatMap { $0.url == nil ? nil : .webPage($0) }
    }
}
