public import BrowseDomain
public import Observation

/// The screen with all episodes, or those that a person looks for.
@MainActor @Observable
public final class EpisodeListViewModel: ViewModel {
    /// What the person looks for, as they typed it; blank texts are nothing.
    public struct Query: Hashable, Sendable {
        /// A part of the title.
        public var name: String = ""
        /// A part of the code, as in `S01` or `E05`.
        public var code: String = ""

        /// Looks for nothing in particular.
        public init() {}

        /// Looks for what passes a filter.
        public init(_ filter: RickAndMorty.EpisodeFilter) {
            name = filter.name ?? ""
            code = filter.code ?? ""
        }

        /// What is wanted, as the repository takes it.
        public var filter: RickAndMorty.EpisodeFilter {
            RickAndMorty.EpisodeFilter(name: name, code: code)
        }
    }

    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// The screen's title.
        public var title: String = ""
        /// What the person looks for.
        public var query: Query = Query()
        /// Whether a load begins when the person pauses.
        public var isWaiting: Bool = false
        /// The rows, and what the list is doing.
        public var content: ListState<EpisodeRow> = ListState()

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = Broadcast<State>()
    /// What the person looks for, before it shows; together with what follows from it, it becomes one state.
    @ObservationIgnored private var input = Query()
    @ObservationIgnored private let pages: FilteredPages<RickAndMorty.EpisodeFilter, RickAndMorty.Episode, EpisodeRow>
    @ObservationIgnored private let texts: Texts

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - repository: Where episodes come from.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - clock: Measures the pause after which what was typed counts.
    public init(
        repository: any RickAndMorty.EpisodeRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let texts = texts.about(.rickAndMorty)
        self.texts = texts
        pages = FilteredPages(prefetchDistance: prefetchDistance, policy: policy, clock: clock) {
            filter,
            cursor throws(BrowseError) in
            try await repository.page(of: filter, at: cursor)
        } row: {
            EpisodeRow($0, texts: texts)
        }
        state.title = texts(.episodesTitle)
        pages.loader.didChange = { [weak self] in self?.publish() }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension EpisodeListViewModel {
    /// Starts over with what passes a filter; what was on its way for another is cancelled, and dropped if it comes.
    public func show(_ filter: RickAndMorty.EpisodeFilter = RickAndMorty.EpisodeFilter()) async {
        input = Query(filter)
        await pages.show(filter)
    }

    /// What the person looks for; setting it starts over: it counts when the person pauses for 300 ms.
    ///
    /// Replies to what was looked for before are dropped. With nothing in it, it brings all episodes.
    public var query: Query {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            let isTyped = true
            input = newValue
            pages.type(newValue.filter, waits: isTyped)
        }
    }

    /// Loads at once what the person looks for, from the first page, also when it is there already.
    public func submit() async {
        await pages.show(input.filter)
    }

    /// Looks for nothing in particular, at once.
    public func clearFilter() async {
        await show()
    }

    /// Loads the list again from its first page; the old rows stay until the page is there.
    public func refresh() async {
        await pages.loader.refresh()
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

    /// Goes on to the episode of a row; `nil` when there is no such row.
    public func select(at position: Int) -> Route? {
        guard state.content.rows.indices.contains(position) else { return nil }
        return .episode(state.content.rows[position].id)
    }

    /// Shows the list as it is now, as one state.
    private func publish() {
        var state = state
        state.query = input
        state.isWaiting = pages.isWaiting
        let isFiltered = pages.shown?.isEmpty == false
        state.content = ListState(pages.loader.list, texts: texts, empty: texts.nothing(isFiltered: isFiltered))
        self.state = state
    }
}
