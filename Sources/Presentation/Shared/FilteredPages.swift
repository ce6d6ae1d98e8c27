import BrowseDomain

/// A list whose server filters it: what a person types goes through a ``SearchBox``, what comes through a ``PageLoader``.
///
/// Unlike a search it shows everything when nothing is wanted in particular.
@MainActor
final class FilteredPages<Filter: Equatable & Sendable, Element: Sendable, Row: Identifiable & Equatable & Sendable>
where Row.ID: Sendable {
    typealias Fetch = @Sendable (Filter, PageCursor?) async throws(BrowseError) -> Page<Element>

    /// The list and its loads.
    let loader: PageLoader<Page<Element>, Row>
    /// What is done while each load is on its way, and waited for with it.
    var willBegin: @MainActor () async -> Void = {}
    /// What the rows are of; `nil` before the first load.
    private(set) var shown: Filter?

    private let box: SearchBox<Filter>
    private let fetch: Fetch

    /// - Parameters:
    ///   - prefetchDistance: See ``PagedList/prefetchDistance``.
    ///   - policy: Which of what was read before may be shown.
    ///   - clock: Measures the pause after which what was typed counts.
    ///   - fetch: Brings a page of what passes a filter.
    ///   - row: Makes a row of it.
    init(
        prefetchDistance: Int,
        policy: LoadPolicy,
        clock: any Clock<Duration>,
        fetch: @escaping Fetch,
        row: @escaping @MainActor (Element) -> Row
    ) {
        self.fetch = fetch
        loader = PageLoader(prefetchDistance: prefetchDistance, policy: policy)
        box = SearchBox(clock: clock)
        loader.accept = { page, _ in page.map(row) }
        box.begin = { [weak self] filter in self?.begin(filter) ?? {} }
        box.stop = { [loader] in
            loader.cancel()
            return loader.list.pageCount == 0
        }
    }

    /// Whether a load begins when the person pauses.
    var isWaiting: Bool { box.isWaiting }

    /// Takes what was typed or chosen.
    ///
    /// - Parameters:
    ///   - filter: What is wanted.
    ///   - waits: Whether more may follow at once, as with letters; a choice does not wait.
    func type(_ filter: Filter, waits: Bool) {
        box.type(filter, waits: waits)
        loader.didChange()
    }

    /// Starts over with what passes a filter, at once.
    func show(_ filter: Filter) async {
        await box.submit(filter)
    }

    private func begin(_ filter: Filter) -> @MainActor () async -> Void {
        shown = filter
        let load = loader.restart { [fetch] cursor throws(BrowseError) in try await fetch(filter, cursor) }
        loader.didChange()
        return { [willBegin] in
            async let done: Void = willBegin()
            await load()
            await done
        }
    }
}
