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

    @ObservationIgnored private let broadcast = Broadcast<State>()
    @ObservationIgnored private let pages: PageLoader<Page<GitHub.Repo>, RepoRow>
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let stars: StarMarks
    @ObservationIgnored private let loads = BackgroundWork()
    /// What was starred while the first page of one's stars was on its way.
    @ObservationIgnored private var additions: [RepoRow] = []
    @ObservationIgnored private let repository: any GitHub.RepoRepository
    @ObservationIgnored private let texts: Texts

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - repository: Where code repositories come from.
    ///   - favorites: Where favourites are kept.
    ///   - session: Who is signed in, and what they have starred.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    public init(
        repository: any GitHub.RepoRepository,
        favorites: any FavoriteRepository,
        session: GitHub.SessionManager,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10
    ) {
        self.repository = repository
        self.texts = texts
        pages = PageLoader(prefetchDistance: prefetchDistance, policy: policy)
        marks = FavoriteMarks(repository: favorites)
        stars = StarMarks(session: session)
        pages.willFetch = { [stars] in stars.beginReading() }
        pages.accept = { [weak self] page, provenance in self?.accept(page, provenance) }
        pages.didChange = { [weak self] in self?.loadChanged() }
        marks.didChange = { [weak self] ids in self?.mark(ids) }
        stars.didChange = { [weak self] ids in self?.star(ids) }
        stars.didAdd = { [weak self] row in self?.add(row) }
        stars.didReadAgain = { [weak self] repo, reading in self?.renew(repo, reading) }
        stars.didChangePerson = { [weak self] in self?.personChanged() }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension RepoListViewModel {
    /// Starts over with a list; what was on its way for another is cancelled, and dropped if it comes.
    public func show(_ list: GitHub.RepoList) async {
        stars.follow()
        additions = []
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
    ///
    /// A refresh of the user's starred list also updates the stars shown by all other lists.
    public func refresh() async {
        guard state.list != nil else { return }
        stars.follow()
        let reload = state.list == .starred ? Task { [stars] in await stars.reload() } : nil
        await pages.refresh()
        await reload?.value
    }

    /// Loads the next page; does nothing when one is on its way, the last one failed, or there is none.
    public func loadMore() async {
        await pages.loadMore()
    }

    /// Loads the page that failed, and checks stars that weren't confirmed.
    public func retry() async {
        stars.follow()
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

    /// Stars the repository of a row, or takes the star back, as the opposite of what its star shows.
    ///
    /// The star and its count change at once, in every list; when GitHub refuses they change back, with a notice. Returns when
    /// GitHub has answered.
    ///
    /// - Returns: ``Route/signIn`` when nobody is signed in; the star is given after that.
    public func toggleStar(at position: Int) async -> Route? {
        let outcome = await stars.toggle(at: position, in: state.content.rows)
        publish { $0.notice = texts.notice(of: outcome) }
        return outcome.flatMap(Route.init)
    }

    /// Goes on to the page of a row on the web; `nil` when there is no such row, or it has no page.
    public func select(at position: Int) -> Route? {
        guard state.content.rows.indices.contains(position) else { return nil }
        return state.content.rows[position].repo.route
    }
}

extension RepoListViewModel {
    private func accept(_ page: Page<GitHub.Repo>, _ provenance: Provenance) -> Page<RepoRow> {
        stars.rows(of: page, from: provenance, areStarred: state.list == .starred) { marks.contains(.repo($0.id)) }
    }

    private func mark(_ ids: Set<Favorite.ID>?) {
        pages.list.mark(ids, by: marks)
        publish()
    }

    private func star(_ ids: Set<GitHub.Repo.ID>?) {
        pages.list.mark(ids, by: stars)
        publish()
    }

    private func renew(_ repo: GitHub.Repo, _ reading: GitHub.Stars.Reading) {
        pages.list.renew(repo, readIn: reading, by: stars)
        publish()
    }

    /// A star that was given elsewhere is the latest of one's own; one that was taken back stays in sight until a refresh.
    private func add(_ row: RepoRow) {
        guard state.list == .starred else { return }
        var row = row
        row.isFavorite = marks.contains(row.favorite.id)
        // A first page that is on its way may or may not know of it.
        if pages.list.pageCount == 0 { additions.append(row) }
        guard pages.list.pageCount > 0, pages.list.insert(row, at: 0) else { return }
        publish()
    }

    private func loadChanged() {
        if pages.list.pageCount > 0 {
            for var row in additions {
                stars.mark(&row)
                if row.isStarred { pages.list.insert(row, at: 0) }
            }
            additions = []
        }
        publish()
    }

    /// Nothing of one person's is shown to another.
    private func personChanged() {
        guard let list = state.list else { return }
        additions = []
        let isPersonal = list == .own || list == .starred
        // Also what is on its way may be what only the one before could see.
        guard isPersonal || pages.list.current != nil || pages.list.rows.contains(where: \.isPrivate) else { return }
        let load = pages.restart()
        publish { $0.notice = nil }
        loads.run { await load() }
    }

    /// Shows the list as it is now, together with another change of the screen, as one state.
    private func publish(_ change: (inout State) -> Void = { _ in }) {
        var state = state
        change(&state)
        if let list = state.list {
            state.content = ListState(pages.list, texts: texts, empty: texts.emptyList(list))
            if pages.list.isRefused, let reason = stars.signOutReason {
                state.content.status = .failed(texts.message(for: reason))
            }
        }
        self.state = state
    }
}

extension PagedList {
    /// Whether there are no rows since GitHub does not know who asks.
    fileprivate var isRefused: Bool {
        if case .failed(.unauthorized) = phase { loadedCount == 0 } else { false }
    }
}
