import BrowseDomain

/// The results of one of GitHub's searches: their pages and counts.
@MainActor
final class SearchResults<Element: Sendable, Row: Identifiable & Equatable & Sendable> where Row.ID: Sendable {
    /// The list and its loads.
    let loader: PageLoader<GitHub.SearchPage<Element>, Row>
    /// How many results there are in all; `nil` before the first page.
    private(set) var totalCount: Int?

    private var isIncomplete = false
    private var text: GitHub.SearchText?
    private let texts: Texts
    private let rows: @MainActor (Page<Element>, Provenance) -> Page<Row>

    /// - Parameters:
    ///   - prefetchDistance: See ``PagedList/prefetchDistance``.
    ///   - policy: Which of what was read before may be shown.
    ///   - texts: The language.
    ///   - rows: Makes the rows of a page of results that came from there.
    init(
        prefetchDistance: Int,
        policy: LoadPolicy,
        texts: Texts,
        rows: @escaping @MainActor (Page<Element>, Provenance) -> Page<Row>
    ) {
        self.texts = texts
        self.rows = rows
        loader = PageLoader(prefetchDistance: prefetchDistance, policy: policy)
        loader.accept = { [weak self] reply, provenance in self?.accept(reply, provenance) }
    }

    /// Starts over with a text: no rows and no counts of the one before.
    func restart(
        for text: GitHub.SearchText,
        _ fetch: @escaping PageLoader<GitHub.SearchPage<Element>, Row>.Fetch
    ) -> PageLoad {
        forget()
        self.text = text
        return loader.restart(.go, fetch)
    }

    /// Cancels what is on its way; returns whether no page has come.
    func stop() -> Bool {
        loader.cancel()
        return loader.list.pageCount == 0
    }

    /// Takes the results away, and cancels what is on its way.
    func clear() {
        forget()
        loader.clear()
    }

    /// The count in words, with what of it cannot be seen; `nil` before the first page.
    var summary: String? {
        totalCount.map { texts.summary(of: $0, isIncomplete: isIncomplete) }
    }

    /// The rows, and what the list is doing.
    var content: ListState<Row> {
        guard let text else { return ListState() }
        return ListState(loader.list, texts: texts, empty: texts.noResults(for: text.text))
    }

    private func forget() {
        totalCount = nil
        isIncomplete = false
        text = nil
    }

    private func accept(_ reply: GitHub.SearchPage<Element>, _ provenance: Provenance) -> Page<Row> {
        totalCount = reply.totalCount
        // The first page takes the place of what was kept of it.
        isIncomplete = (loader.list.pageCount > 0 && isIncomplete) || reply.isIncomplete
        return rows(reply.page, provenance)
    }
}
