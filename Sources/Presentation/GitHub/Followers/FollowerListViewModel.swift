public import BrowseDomain
public import Observation

/// The screen with the followers of an account, or those it follows, page by page.
@MainActor @Observable
public final class FollowerListViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Whose followers, or whom they follow; `nil` before ``FollowerListViewModel/show(_:)``.
        public var list: GitHub.FollowList?
        /// The screen's title.
        public var title: String = ""
        /// What the person filters by; empty shows all.
        public var filter: String = ""
        /// Whether every remaining page is being loaded.
        public var isLoadingAll: Bool = false
        /// The rows, and what the list is doing.
        public var content: ListState<UserRow> = ListState()
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
    @ObservationIgnored private let pages: PageLoader<Page<GitHub.User>, UserRow>
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let repository: any GitHub.FollowerRepository
    @ObservationIgnored private let texts: Texts
    @ObservationIgnored private let pageConcurrency: Int

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - repository: Where followers come from.
    ///   - favorites: Where favourites are kept.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - pageConcurrency: How many pages ``loadAll()`` may have on their way at once, 1 to 100.
    public init(
        repository: any GitHub.FollowerRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        pageConcurrency: Int = 4
    ) {
        self.repository = repository
        self.texts = texts
        self.pageConcurrency = pageConcurrency
        pages = PageLoader(prefetchDistance: prefetchDistance, policy: policy)
        marks = FavoriteMarks(repository: favorites)
        pages.accept = { [marks] page, _ in page.map { UserRow($0, isFavorite: marks.contains(.user($0.id))) } }
        pages.didChange = { [weak self] in self?.publish() }
        marks.didChange = { [weak self] ids in self?.mark(ids) }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension FollowerListViewModel {
    /// Starts over with a list: its title, no filter, no rows, then its first page.
    ///
    /// What was on its way for the list before is cancelled, and would be dropped if it came.
    public func show(_ list: GitHub.FollowList) async {
        async let marksAreKnown: Void = marks.follow()
        pages.list.filter(nil)
        let load = pages.restart { [repository] cursor throws(BrowseError) in
            try await repository.page(of: list, at: cursor)
        }
        publish {
            $0 = State()
            $0.list = list
            $0.title =
                switch list {
                case .followers(let login): texts(.followersTitle(login))
                case .following(let login): texts(.followingTitle(login))
                }
        }
        await load()
        await marksAreKnown
    }

    /// Loads the list again from its first page, and keeps the filter; the old rows stay until the page is there.
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

    /// Loads every remaining page, several at a time where the server tells how many there are.
    ///
    /// Does nothing while a page is on its way. Rows appear as their pages come, in order. After a cancellation or a failure those that came stay, and
    /// ``loadMore()``, ``retry()`` or this method go on after them.
    public func loadAll() async {
        guard let owner = state.list else { return }
        await pages.loadAll { [repository, pageConcurrency] cursor, receive throws(BrowseError) in
            try await repository.pages(of: owner, from: cursor, concurrency: pageConcurrency, receive: receive)
        }
    }

    /// What the person filters by: a part of the login, in any case; setting it filters what is loaded and what will be.
    public var filter: String {
        get { state.filter }
        set {
            let match = TextMatch(newValue)
            if match.matchesEverything {
                pages.list.filter(nil)
            } else {
                pages.list.filter { match.matches($0.login.rawValue) }
            }
            publish { $0.filter = newValue }
        }
    }

    /// Keeps the account of a row as a favourite, or forgets it, as the opposite of what its mark shows.
    ///
    /// The mark changes at once; when it cannot be stored it changes back, with a notice.
    public func toggleFavorite(at position: Int) async {
        let failure = await marks.toggle(at: position, in: state.content.rows)
        publish { $0.notice = failure.map(texts.message(for:)) }
    }

    /// Goes on to the profile of a row; `nil` when there is no such row.
    public func select(at position: Int) -> Route? {
        guard state.content.rows.indices.contains(position) else { return nil }
        return .userProfile(state.content.rows[position].login)
    }
}

extension FollowerListViewModel {
    private func mark(_ ids: Set<Favorite.ID>?) {
        pages.list.mark(ids, by: marks)
        publish()
    }

    /// Shows the list as it is now, together with another change of the screen, as one state.
    private func publish(_ change: (inout State) -> Void = { _ in }) {
        var state = state
        change(&state)
        if let owner = state.list {
            state.isLoadingAll = pages.isLoadingAll
            state.content = ListState(pages.list, texts: texts, empty: texts.emptyList(owner))
        }
        self.state = state
    }
}
