public import BrowseDomain
public import Observation

/// The screen where accounts are searched for as a person types, on GitHub or among the favourites.
@MainActor @Observable
public final class UserSearchViewModel: ViewModel {
    /// Where to search; both share the text.
    public enum Scope: Hashable, Sendable, CaseIterable {
        /// All of GitHub.
        case gitHub
        /// What is kept; it never asks the network, and a blank text shows all.
        case favorites
    }

    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// What was typed.
        public var query: String = ""
        /// Where to search.
        public var scope: Scope = .gitHub
        /// What is wrong with the text; `nil` when nothing is, or nothing was typed.
        public var hint: String?
        /// Whether a search begins when the person pauses.
        public var isWaiting: Bool = false
        /// How many results there are in all; `nil` before the first page and among the favourites.
        public var totalCount: Int?
        /// The count in words, with what of it cannot be seen.
        public var summary: String?
        /// The rows, and what the list is doing.
        public var content: ListState<UserRow> = ListState()
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
    @ObservationIgnored private let box: SearchBox<GitHub.SearchText>
    @ObservationIgnored private let results: SearchResults<GitHub.User, UserRow>
    @ObservationIgnored private let kept: FavoritePages<UserRow>
    @ObservationIgnored private let keptLoads = BackgroundWork()
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let texts: Texts

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - searchUsers: Finds accounts on GitHub.
    ///   - favorites: Where favourites are kept.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - clock: Measures the pause after which a search begins.
    public init(
        searchUsers: GitHub.SearchUsers,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.texts = texts
        let marks = FavoriteMarks(repository: favorites)
        self.marks = marks
        box = SearchBox(clock: clock)
        results = SearchResults(prefetchDistance: prefetchDistance, policy: policy, texts: texts) { page, _ in
            page.map { UserRow($0, isFavorite: marks.contains(.user($0.id))) }
        }
        kept = FavoritePages(repository: favorites, prefetchDistance: prefetchDistance) { favorite in
            guard let user = favorite.value(as: GitHub.User.self) else { return nil }
            return UserRow(user, isFavorite: !marks.isRemoving(favorite.id))
        }
        box.begin = { [weak self] text in self?.begin(text, searchUsers) ?? {} }
        box.stop = { [results] in results.stop() }
        box.clear = { [results] in results.clear() }
        results.loader.didChange = { [weak self] in self?.publish() }
        kept.loader.didChange = { [weak self] in self?.keptLoadEnded() }
        marks.didChange = { [weak self] ids in self?.mark(ids) }
        marks.didStore = { [weak self] change in self?.follow(change) }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension UserSearchViewModel {
    /// What the person typed; setting it searches when they pause for 300 ms, or clears the results when it is blank.
    ///
    /// Replies to older texts are dropped. Among the favourites it filters at once.
    public var query: String {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            input.query = newValue
            switch scope {
            case .gitHub: box.type(text())
            case .favorites: filterKept()
            }
            publish()
        }
    }

    /// Where to search; setting it searches for the same text there, unless its results are there already.
    public var scope: Scope {
        get { state.scope }
        set {
            guard newValue != state.scope else { return }
            input.scope = newValue
            switch newValue {
            case .gitHub: box.type(text(), waits: false)
            case .favorites: filterKept()
            }
            publish()
        }
    }

    /// Searches at once, from the first page, also for a text whose results are there already.
    public func submit() async {
        switch scope {
        case .gitHub:
            let text = text()
            if text == nil { publish() }
            await box.submit(text)
        case .favorites:
            await marks.follow()
            let load = restartKept()
            publish()
            await load()
        }
    }

    /// Loads the next page; does nothing when one is on its way, the last one failed, or there is none.
    public func loadMore() async {
        switch scope {
        case .gitHub: await results.loader.loadMore()
        case .favorites: await kept.loader.loadMore()
        }
    }

    /// Loads the page that failed; does nothing when none did.
    public func retry() async {
        switch scope {
        case .gitHub: await results.loader.retry()
        case .favorites: await kept.loader.retry()
        }
    }

    /// Tells that a row is visible, which loads the next page when it is near the end.
    ///
    /// - Parameter position: The position of the last visible row; rows may have been skipped before it.
    public func rowAppeared(at position: Int) async {
        switch scope {
        case .gitHub: await results.loader.rowAppeared(at: position)
        case .favorites: await kept.loader.rowAppeared(at: position)
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

extension UserSearchViewModel {
    private struct Input {
        var query = ""
        var scope = Scope.gitHub
        var hint: String?
    }

    /// The text as a search; `nil`, with a hint when something is wrong with it, when it is none.
    private func text() -> GitHub.SearchText? {
        input.hint = nil
        do throws(GitHub.SearchText.Refusal) {
            return try GitHub.SearchText(input.query)
        } catch {
            input.hint = texts.refusal(error)
            return nil
        }
    }

    private func begin(
        _ text: GitHub.SearchText,
        _ searchUsers: GitHub.SearchUsers
    ) -> @MainActor () async -> Void {
        let load = results.restart(for: text) { cursor throws(BrowseError) in
            try await searchUsers(matching: text, at: cursor)
        }
        publish()
        return { [marks] in
            async let marksAreKnown: Void = marks.follow()
            await load()
            await marksAreKnown
        }
    }

    private func filterKept() {
        let load = restartKept()
        keptLoads.run { [marks] in
            await marks.follow()
            await load()
        }
    }

    private func restartKept() -> PageLoad {
        kept.restart(FavoriteQuery(kinds: [.user], filter: input.query.trimmed, order: .name))
    }

    private func keptLoadEnded() {
        let load = kept.catchUp()
        publish()
        if let load { keptLoads.run { await load() } }
    }

    private func mark(_ ids: Set<Favorite.ID>?) {
        results.loader.list.mark(ids, by: marks)
        kept.loader.list.mark(ids, by: marks)
        publish()
    }

    private func follow(_ change: FavoriteChange) {
        let load = kept.follow(change)
        publish()
        if let load { keptLoads.run { await load() } }
    }

    /// Shows the list of the scope as it is now, together with another change of the screen, as one state.
    private func publish(_ change: (inout State) -> Void = { _ in }) {
        var state = state
        change(&state)
        state.query = input.query
        state.scope = input.scope
        switch input.scope {
        case .gitHub:
            state.hint = input.hint
            state.isWaiting = box.isWaiting
            state.totalCount = results.totalCount
            state.summary = results.summary
            state.content = results.content
        case .favorites:
            state.hint = nil
            state.isWaiting = false
            state.totalCount = nil
            state.summary = nil
            let isFiltered = !state.query.trimmed.isEmpty
            state.content = ListState(
                kept.loader.list,
                texts: texts,
                empty: isFiltered ? texts.noMatches : texts.noFavorites
            )
        }
        self.state = state
    }
}
