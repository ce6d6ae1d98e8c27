public import BrowseDomain
public import Observation

/// The screen where code repositories are searched for as a person types.
@MainActor @Observable
public final class RepoSearchViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// What was typed.
        public var query: String = ""
        /// What results are ordered by.
        public var sort: GitHub.RepoSearch.Sort = .bestMatch
        /// In which direction.
        public var order: GitHub.RepoSearch.Order = .descending
        /// What is wrong with the text; `nil` when nothing is, or nothing was typed.
        public var hint: String?
        /// Whether a search begins when the person pauses.
        public var isWaiting: Bool = false
        /// How many results there are in all; `nil` before the first page.
        public var totalCount: Int?
        /// The count in words, with what of it cannot be seen.
        public var summary: String?
        /// The rows, and what the list is doing.
        public var content: ListState<RepoRow> = ListState()
        /// Something to tell beside the list, such as that a favourite could not be stored.
        public var notice: Message?

        /// Creates the state of an empty field.
        public init() {}
    }

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = Broadcast<State>()
    /// What the person chose, before it shows; together with what follows from it, it becomes one state.
    @ObservationIgnored private var input = Input()
    @ObservationIgnored private let box: SearchBox<GitHub.RepoSearch>
    @ObservationIgnored private let results: SearchResults<GitHub.Repo, RepoRow>
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let stars: StarMarks
    @ObservationIgnored private let loads = BackgroundWork()
    @ObservationIgnored private let texts: Texts

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - searchRepos: Finds code repositories.
    ///   - favorites: Where favourites are kept.
    ///   - session: Who is signed in, and what they have starred.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - clock: Measures the pause after which a search begins.
    public init(
        searchRepos: GitHub.SearchRepos,
        favorites: any FavoriteRepository,
        session: GitHub.SessionManager,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.texts = texts
        let marks = FavoriteMarks(repository: favorites)
        self.marks = marks
        box = SearchBox(clock: clock)
        let stars = StarMarks(session: session)
        self.stars = stars
        results = SearchResults(prefetchDistance: prefetchDistance, policy: policy, texts: texts) { page, provenance in
            stars.rows(of: page, from: provenance) { marks.contains(.repo($0.id)) }
        }
        box.begin = { [weak self] search in self?.begin(search, searchRepos) ?? {} }
        box.stop = { [results] in results.stop() }
        box.clear = { [results] in results.clear() }
        results.loader.willFetch = { stars.beginReading() }
        results.loader.didChange = { [weak self] in self?.publish() }
        marks.didChange = { [weak self] ids in self?.mark(ids) }
        stars.didChange = { [weak self] ids in self?.star(ids) }
        stars.didReadAgain = { [weak self] repo, reading in self?.renew(repo, reading) }
        stars.didChangePerson = { [weak self] in self?.personChanged() }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension RepoSearchViewModel {
    /// What the person typed; setting it searches when they pause for 300 ms, or clears the results when it is blank.
    ///
    /// Replies to older texts are dropped.
    public var query: String {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            input.query = newValue
            box.type(search())
            publish()
        }
    }

    /// What results are ordered by; setting it searches again at once.
    public var sort: GitHub.RepoSearch.Sort {
        get { state.sort }
        set {
            input.sort = newValue
            box.type(search(), waits: false)
            publish()
        }
    }

    /// In which direction; setting it searches again at once.
    public var order: GitHub.RepoSearch.Order {
        get { state.order }
        set {
            input.order = newValue
            box.type(search(), waits: false)
            publish()
        }
    }

    /// Searches at once, from the first page, also for a text whose results are there already.
    public func submit() async {
        let search = search()
        if search == nil { publish() }
        await box.submit(search)
    }

    /// Loads the next page; does nothing when one is on its way, the last one failed, or there is none.
    public func loadMore() async {
        await results.loader.loadMore()
    }

    /// Loads the page that failed; does nothing when none did.
    public func retry() async {
        stars.follow()
        await results.loader.retry()
    }

    /// Tells that a row is visible, which loads the next page when it is near the end.
    ///
    /// - Parameter position: The position of the last visible row; rows may have been skipped before it.
    public func rowAppeared(at position: Int) async {
        await results.loader.rowAppeared(at: position)
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

extension RepoSearchViewModel {
    private struct Input {
        var query = ""
        var sort = GitHub.RepoSearch.Sort.bestMatch
        var order = GitHub.RepoSearch.Order.descending
        var hint: String?
    }

    /// What to search for; `nil`, with a hint when something is wrong with the text, when there is nothing.
    private func search() -> GitHub.RepoSearch? {
        input.hint = nil
        do throws(GitHub.SearchText.Refusal) {
            let text = try GitHub.SearchText(input.query)
            return GitHub.RepoSearch(text: text, sort: input.sort, order: input.order)
        } catch {
            input.hint = texts.refusal(error)
            return nil
        }
    }

    private func begin(
        _ search: GitHub.RepoSearch,
        _ searchRepos: GitHub.SearchRepos
    ) -> @MainActor () async -> Void {
        stars.follow()
        let load = results.restart(for: search.text) { cursor throws(BrowseError) in
            try await searchRepos(search, at: cursor)
        }
        publish()
        return { [marks] in
            async let marksAreKnown: Void = marks.follow()
            await load()
            await marksAreKnown
        }
    }

    private func mark(_ ids: Set<Favorite.ID>?) {
        results.loader.list.mark(ids, by: marks)
        publish()
    }

    private func star(_ ids: Set<GitHub.Repo.ID>?) {
        results.loader.list.mark(ids, by: stars)
        publish()
    }

    private func renew(_ repo: GitHub.Repo, _ reading: GitHub.Stars.Reading) {
        results.loader.list.renew(repo, readIn: reading, by: stars)
        publish()
    }

    /// Nothing of one person's is shown to another.
    private func personChanged() {
        let list = results.loader.list
        // Also what is on its way may be what only the one before could see.
        guard list.current != nil || list.rows.contains(where: \.isPrivate) else { return }
        let load = results.loader.restart()
        publish()
        loads.run { await load() }
    }

    /// Shows the list as it is now, together with another change of the screen, as one state.
    private func publish(_ change: (inout State) -> Void = { _ in }) {
        var state = state
        change(&state)
        state.query = input.query
        state.sort = input.sort
        state.order = input.order
        state.hint = input.hint
        state.isWaiting = box.isWaiting
        state.totalCount = results.totalCount
        state.summary = results.summary
        state.content = results.content
        self.state = state
    }
}
