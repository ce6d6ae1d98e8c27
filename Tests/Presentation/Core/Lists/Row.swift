import BrowseDomain
import BrowseMocks
import BrowsePresentation
import Testing

/// A minimal row: an id, and content that can change.
struct Row: ListRow, CustomStringConvertible {
    let id: Int
    var version: Int = 0

    var description: String { version == 0 ? "\(id)" : "\(id).\(version)" }
}

extension Page<Row> {
    init(_ ids: some Sequence<Int>, next: String? = nil) {
        self.init(items: ids.map { Row(id: $0) }, next: next.map(PageCursor.init(rawValue:)))
    }
}

extension ListChange {
    /// Applies the change to an array, as a front end applies it to its view.
    func apply(to shown: [Row], becoming rows: Rows<Row>) -> [Row] {
        switch self {
        case .none: return shown
        case .reset: return Array(rows)
        case .update(let update):
            var shown = shown
            for position in update.removed.reversed() { shown.remove(at: position) }
            for position in update.inserted { shown.insert(rows[position], at: position) }
            guard update.appended.isEmpty || update.appended.lowerBound == shown.count else { return [] }
            shown += update.appended.map { rows[$0] }
            for position in update.updated { shown[position] = rows[position] }
            return shown
        }
    }
}

extension PagedList {
    /// Starts a load and completes it with a page.
    mutating func load(_ page: Page<Element>) throws {
        let ticket = begin()
        receive(page, for: try #require(ticket))
    }
}

extension ControlledResponses {
    /// Waits without reacting to a cancellation.
    func responseWhateverHappens(to request: Request) async throws(BrowseError) -> Value {
        // An unstructured task isn't canceled.
        try await Task { await Result.of { () throws(BrowseError) in try await self.response(to: request) } }.value
            .get()
    }
}

/// A screen with only a list.
@MainActor
final class ListScreen: ListViewModel {
    struct State: ListScreenState {
        var title = ""
        var content = ListState<Row>()
        var notice: Message?
    }

    typealias Fetch = @Sendable (PageCursor?) async throws(BrowseError) -> Page<Row>

    let store = StateStore(State())
    let pages: ListController<Row>

    init(prefetchDistance: Int = 0, policy: LoadPolicy = .fresh, clock: any Clock<Duration> = ContinuousClock()) {
        pages = ListController(
            in: store,
            at: \.content,
            notice: \.notice,
            options: .english(prefetchDistance: prefetchDistance, policy: policy, clock: clock)
        )
    }

    var states: States<State> { store.states }
    var list: ListControls<Row> { pages.controls }
    var ids: [Int] { state.content.rows.map(\.id) }

    /// Begins a list whose pages can be fetched together.
    func begin(fetch: @escaping Fetch, allPages: @escaping FetchPages<Row>) -> ScreenLoad {
        pages.begin(empty: Texts.english.noFavorites, page: fetch, allPages: allPages) { $0 }
    }

    func begin(
        _ retention: RowRetention = .discard,
        accept: @escaping @MainActor @Sendable (Page<Row>) -> Page<Row> = { $0 },
        fetch: @escaping Fetch
    ) -> ScreenLoad {
        pages.begin(retention, empty: Texts.english.noFavorites, fetch: fetch) { page, _ in accept(page) }
    }
}
