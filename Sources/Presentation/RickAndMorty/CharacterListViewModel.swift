public import BrowseDomain
public import Observation

/// The screen with all characters, or those that a person looks for.
@MainActor @Observable
public final class CharacterListViewModel: ViewModel {
    /// What the person looks for, as they typed it; blank texts are nothing.
    public struct Query: Hashable, Sendable {
        /// A part of the name.
        public var name: String = ""
        /// Whether they live; `nil` is any.
        public var status: RickAndMorty.Character.Status?
        /// A part of the species.
        public var species: String = ""
        /// A part of the type.
        public var type: String = ""
        /// The gender; `nil` is any.
        public var gender: RickAndMorty.Character.Gender?

        /// Looks for nothing in particular.
        public init() {}

        /// Looks for what passes a filter.
        public init(_ filter: RickAndMorty.CharacterFilter) {
            name = filter.name ?? ""
            status = filter.status
            species = filter.species ?? ""
            type = filter.type ?? ""
            gender = filter.gender
        }

        /// What is wanted, as the repository takes it.
        public var filter: RickAndMorty.CharacterFilter {
            RickAndMorty.CharacterFilter(name: name, status: status, species: species, type: type, gender: gender)
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
        public var content: ListState<CharacterRow> = ListState()
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
    /// What the person looks for, before it shows; together with what follows from it, it becomes one state.
    @ObservationIgnored private var input = Query()
    @ObservationIgnored private let pages:
        FilteredPages<RickAndMorty.CharacterFilter, RickAndMorty.Character, CharacterRow>
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let texts: Texts

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - repository: Where characters come from.
    ///   - favorites: Where favourites are kept.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - clock: Measures the pause after which what was typed counts.
    public init(
        repository: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let texts = texts.about(.rickAndMorty)
        self.texts = texts
        let marks = FavoriteMarks(repository: favorites)
        self.marks = marks
        pages = FilteredPages(prefetchDistance: prefetchDistance, policy: policy, clock: clock) {
            filter,
            cursor throws(BrowseError) in
            try await repository.page(of: filter, at: cursor)
        } row: {
            CharacterRow($0, isFavorite: marks.contains(.character($0.id)), texts: texts)
        }
        state.title = texts(.charactersTitle)
        pages.loader.didChange = { [weak self] in self?.publish() }
        pages.willBegin = { await marks.follow() }
        marks.didChange = { [weak self] ids in self?.mark(ids) }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension CharacterListViewModel {
    /// Starts over with what passes a filter; what was on its way for another is cancelled, and dropped if it comes.
    public func show(_ filter: RickAndMorty.CharacterFilter = RickAndMorty.CharacterFilter()) async {
        input = Query(filter)
        await pages.show(filter)
    }

    /// What the person looks for; setting it starts over: texts count when the person pauses for 300 ms, choices at once.
    ///
    /// Replies to what was looked for before are dropped. With nothing in it, it brings all characters.
    public var query: Query {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            let isTyped = newValue.status == input.status && newValue.gender == input.gender
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

    /// Keeps the character of a row as a favourite, or forgets it, as the opposite of what its mark shows.
    ///
    /// The mark changes at once; when it cannot be stored it changes back, with a notice.
    public func toggleFavorite(at position: Int) async {
        let failure = await marks.toggle(at: position, in: state.content.rows)
        publish { $0.notice = failure.map(texts.message(for:)) }
    }

    /// Goes on to the character of a row; `nil` when there is no such row.
    public func select(at position: Int) -> Route? {
        guard state.content.rows.indices.contains(position) else { return nil }
        return .character(state.content.rows[position].id)
    }

    private func mark(_ ids: Set<Favorite.ID>?) {
        pages.loader.list.mark(ids, by: marks)
        publish()
    }

    /// Shows the list as it is now, together with another change of the screen, as one state.
    private func publish(_ change: (inout State) -> Void = { _ in }) {
        var state = state
        change(&state)
        state.query = input
        state.isWaiting = pages.isWaiting
        let isFiltered = pages.shown?.isEmpty == false
        state.content = ListState(pages.loader.list, texts: texts, empty: texts.nothing(isFiltered: isFiltered))
        self.state = state
    }
}
