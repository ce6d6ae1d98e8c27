public import BrowseDomain

/// The search of a screen: its query, the pause while a person types, the hint, and the results.
///
/// ```swift
/// search = SearchController(in: store, title: title, options: options) { text, cursor throws(BrowseError) in
///     try await repository.books(matching: text, at: cursor)
/// } row: {
///     BookRow($0)
/// }
/// ```
///
/// With its list, it writes all properties of ``SearchState``. A search that a person types begins
/// after a pause of 300 ms, unless it's unchanged, or the service permits too few requests for
/// that.
@MainActor
public final class SearchController<Query: Hashable & Sendable, Search: Equatable & Sendable, Row: ListRow> {
    /// The results.
    public let results: ListController<Row>
    private let store: StateStore<SearchState<Query, Row>>
    private let searchesWhileTyping: Bool
    private let read: @MainActor (Query, inout String?) -> Search?
    private let begin: @MainActor (Search) -> ScreenLoad
    /// The search that returned the results, or that is in flight.
    private var current: Search?
    /// The search that begins after the pause; `nil` if none waits.
    private var typed: Search?
    private var waiting: Task<Void, Never>?

    /// Creates the search of a screen, whose list it starts over.
    ///
    /// - Parameters:
    ///   - results: The list of results.
    ///   - store: The state of the screen.
    ///   - title: The localized title of the screen.
    ///   - fields: The fields of the query, in display order.
    ///   - searchesWhileTyping: Whether setting the query searches; if not, only ``submit(_:)``
    ///     does, and the results stay while a person types, until the text is blank or a choice
    ///     changes.
    ///   - summary: Describes the number of results, of which some may be missing; `nil` describes
    ///     it as a plain number.
    ///   - read: Returns a query as a search; `nil` for blank text, and for text with a hint. Its
    ///     text fields have been read as `TypedText`.
    ///   - begin: Starts the list over with a search.
    public init(
        _ results: ListController<Row>,
        in store: StateStore<SearchState<Query, Row>>,
        title: String,
        fields: [QueryField<Query>],
        searchesWhileTyping: Bool = true,
        summary: (@MainActor (_ count: Int, _ isIncomplete: Bool) -> String)? = nil,
        reading read: @escaping @MainActor (_ query: Query, _ hint: inout String?) -> Search?,
        begin: @escaping @MainActor (Search) -> ScreenLoad
    ) {
        self.results = results
        self.store = store
        self.searchesWhileTyping = searchesWhileTyping
        self.read = read
        self.begin = begin
        store.addPart { [weak self, weak results, texts = results.texts] state in
            state.isWaiting = self?.typed != nil
            guard let list = results?.pagedList else { return }
            state.totalCount = list.totalCount
            state.summary = list.totalCount.map { summary?($0, list.isIncomplete) ?? texts(.resultCount($0)) }
        }
        store.update { ($0.title, $0.fields) = (title, fields) }
        ScreenMisuse.check("fields", fields.map(\.id))
        for case .choice(let choices) in fields.map(\.input) { ScreenMisuse.check("choices", choices.map(\.id)) }
    }

    /// Creates the search of a screen, and its list.
    ///
    /// - Parameters:
    ///   - store: The state of the screen.
    ///   - title: The localized title of the screen.
    ///   - fields: The fields of the query, in display order.
    ///   - options: The texts, the load policy, the prefetch distance, and the clock of the pause.
    ///   - read: Returns a query as a search; `nil` for blank text, and for text with a hint. Its
    ///     text fields have been read as `TypedText`.
    ///   - empty: The message of a search without results.
    ///   - page: Fetches a page, away from the main actor. With `LoadPolicy.cachedFirst`, it can be
    ///     called twice for the first page.
    ///   - row: Makes the row of an item.
    public convenience init<Item: Sendable>(
        in store: StateStore<SearchState<Query, Row>>,
        title: String,
        fields: [QueryField<Query>],
        options: ScreenOptions,
        reading read: @escaping @MainActor (_ query: Query, _ hint: inout String?) -> Search?,
        empty: @escaping @MainActor (Search) -> Message,
        page: @escaping @Sendable (Search, PageCursor?) async throws(BrowseError) -> Page<Item>,
        row: @escaping @MainActor @Sendable (Item) -> Row
    ) {
        let results = ListController(in: store, at: \.content, notice: \.notice, options: options.withInput())
        self.init(results, in: store, title: title, fields: fields, reading: read) { search in
            results.begin(.keepUntilResponse, empty: empty(search)) { cursor throws(BrowseError) in
                try await page(search, cursor)
            } row: {
                row($0)
            }
        }
    }

    deinit { waiting?.cancel() }

    /// The query; setting it searches.
    ///
    /// A search waits for the pause unless a choice has changed. A query that isn't a search clears
    /// the results.
    public var query: Query {
        get { store.state.query }
        set {
            store.update { [self] state in
                guard newValue != state.query else { return }
                let isText = state.fields.haveEqualChoices(in: newValue, state.query)
                state.query = newValue
                let search = search(&state)
                if searchesWhileTyping {
                    type(search, waits: isText)
                } else if !isText || state.fields.areBlank(in: newValue) {
                    type(nil)
                }
            }
        }
    }

    /// Searches at once, from the first page, even if the results are shown already.
    ///
    /// Results of the same search stay as in a refresh. Blank text that can't be searched for has a
    /// hint.
    ///
    /// - Parameter query: The query; `nil` is the current one.
    public func submit(_ query: Query? = nil) async {
        await store.load { state in
            state.query = query ?? state.query
            guard let search = search(&state, isSubmitted: true) else {
                state.hint = state.hint ?? results.texts(.blankSearch)
                type(nil)
                return nil
            }
            cancelWaiting()
            guard search == current, results.hasBegun else { return start(search) }
            if let load = results.firstPageLoad { return ScreenLoad([load]) }
            // Results of the same search stay if it can't be repeated.
            results.show(nil)
            return results.reload()
        }
    }

    /// Loads the results again at once, after a change of their search that isn't part of the form.
    ///
    /// A search that waits for the pause begins instead. Does nothing without results or such a
    /// search.
    public func restart(_ change: (inout Search) -> Void) {
        guard var search = typed ?? current else { return }
        cancelWaiting()
        change(&search)
        store.update { [self] _ in start(search).keep() }
    }

    /// Cancels a search that waits for the pause.
    ///
    /// If there was one, the list loads nothing until the next search.
    public func stopWaiting() {
        cancelWaiting()
        store.update()
    }

    /// Searches after the pause, unless the search is unchanged; `nil` clears the list.
    private func type(_ search: Search?, waits: Bool = true) {
        cancelWaiting()
        guard let search else {
            current = nil
            results.show(nil)
            return results.clear()
        }
        // The text may differ in white space only, or may have been changed back.
        if search == current, !results.needsFirstPage { return results.resume() }
        // Nothing of the previous text may be requested or arrive during the pause.
        results.suspend()
        guard waits else { return start(search).keep() }
        typed = search
        waiting = Task { [clock = results.options.clock, weak self] in
            guard await clock.pause(.milliseconds(300), before: "a typed search"), !Task.isCancelled else { return }
            self?.start(search).keep()
        }
    }

    private func cancelWaiting() {
        waiting?.cancel()
        typed = nil
    }

    private func start(_ search: Search) -> ScreenLoad {
        typed = nil
        current = search
        // A notice is about the previous results.
        results.show(nil)
        return begin(search)
    }

    private func search(_ state: inout SearchState<Query, Row>, isSubmitted: Bool = false) -> Search? {
        state.hint = nil
        let query = state.fields.normalizing(state.query)
        let search = read(query, &state.hint)
        // An empty form needs no explanation while a person types.
        if !isSubmitted, state.fields.areBlank(in: query) { state.hint = nil }
        return search
    }
}

extension SearchController where Query == String, Search == String {
    /// Creates a search for any text that isn't blank, in a form with one field.
    ///
    /// The parameters are those of ``init(in:title:fields:options:reading:empty:page:row:)``.
    public convenience init<Item: Sendable>(
        in store: StateStore<SearchState<String, Row>>,
        title: String,
        options: ScreenOptions,
        page: @escaping @Sendable (String, PageCursor?) async throws(BrowseError) -> Page<Item>,
        row: @escaping @MainActor @Sendable (Item) -> Row
    ) {
        let fields: [QueryField<String>] = [.text("q", options.texts(.searchText), \.self)]
        self.init(in: store, title: title, fields: fields, options: options) { text, _ in
            text.isEmpty ? nil : text
        } empty: { text in
            options.texts.noResults(for: text)
        } page: { text, cursor throws(BrowseError) in
            try await page(text, cursor)
        } row: {
            row($0)
        }
    }
}
