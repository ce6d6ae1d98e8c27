public import BrowseDomain

/// A screen with a list that a value selects, such as that of an account's followers.
@MainActor
public final class PagedListViewModel<Selection: Equatable & Sendable, Row: ListRow>: ListViewModel {
    /// The state of the screen.
    public typealias State = PagedListState<Selection, Row>

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list.
    public var list: ListControls<Row> { pages.controls }

    private let store = StateStore(State())
    /// The list, to which a screen adds marks and an account before it shows the list.
    public let pages: ListController<Row>
    private let title: @MainActor (Selection) -> String
    private let field: @Sendable (Row) -> String
    private let begin: @MainActor (Selection) -> ScreenLoad

    /// Creates the screen; ``show(_:)`` loads it.
    ///
    /// - Parameters:
    ///   - options: The texts, the load policy, and the prefetch distance.
    ///   - title: Returns the localized title.
    ///   - empty: Returns the message of a list without rows.
    ///   - field: Returns the field of a row that ``filter`` applies to.
    ///   - page: Fetches a page; see `page` of
    ///     ``ListController/begin(_:empty:page:allPages:row:)``.
    ///   - allPages: Returns the function that fetches several pages at a time; `nil` if the server
    ///     doesn't report how many there are.
    ///   - row: Makes the row of an item.
    public convenience init<Item: Sendable>(
        options: ScreenOptions,
        title: @escaping @MainActor (Selection) -> String,
        empty: @escaping @MainActor (Selection) -> Message,
        filtering field: @escaping @Sendable (Row) -> String = { "\($0.id)" },
        page: @escaping @Sendable (Selection, PageCursor?) async throws(BrowseError) -> Page<Item>,
        allPages: (@MainActor (Selection) -> FetchPages<Item>)? = nil,
        row: @escaping @MainActor @Sendable (Item) -> Row
    ) {
        self.init(options: options, title: title, filtering: field) { pages, _ in
            { selection in
                pages.begin(
                    empty: empty(selection),
                    page: { cursor throws(BrowseError) in try await page(selection, cursor) },
                    allPages: allPages?(selection),
                    row: row
                )
            }
        }
    }

    /// Creates a screen that begins its list in its own way, such as with marks of its own.
    ///
    /// - Parameters:
    ///   - options: The texts, the load policy, and the prefetch distance.
    ///   - title: Returns the localized title.
    ///   - field: Returns the field of a row that ``filter`` applies to.
    ///   - begin: Prepares the list and the screen's state, and returns the closure that begins a
    ///     list.
    public init(
        options: ScreenOptions,
        title: @escaping @MainActor (Selection) -> String,
        filtering field: @escaping @Sendable (Row) -> String,
        begin: @MainActor (ListController<Row>, StateStore<State>) -> @MainActor (Selection) -> ScreenLoad
    ) {
        pages = ListController(in: store, at: \.content, notice: \.notice, options: options)
        self.title = title
        self.field = field
        self.begin = begin(pages, store)
    }

    /// Shows a list from its first page, and clears the filter.
    public func show(_ selection: Selection) async {
        await store.load { state in
            state = State()
            state.selection = selection
            state.title = title(selection)
            pages.filter(containing: "", in: field)
            return begin(selection)
        }
    }

    /// Shows a list when the screen appears; if it's shown already, only calls `retry()`.
    public func showIfNeeded(_ selection: Selection) async {
        if state.selection == selection { await retry() } else { await show(selection) }
    }

    /// A part of a row's field, in any case; setting it filters the rows, including those of later
    /// pages.
    public var filter: String {
        get { state.filter }
        set {
            store.update { [self] state in
                state.filter = newValue
                pages.filter(containing: newValue, in: field)
            }
        }
    }

    /// Shows all rows.
    public func clearFilter() async { filter = "" }
}
