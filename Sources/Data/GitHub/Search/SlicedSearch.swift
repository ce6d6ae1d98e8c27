package import BrowseData
package import BrowseDomain
package import BrowseGitHubDomain
import Foundation

/// A search that is divided into slices with at most 1,000 results each, as GitHub returns no more.
///
/// Each slice is a search with ranges of qualifiers. One with more results is divided in two, first by its creation, and when
/// that is one second, by another qualifier. The cursor of a page contains the slices to come.
struct SlicedSearch: Sendable {
    /// The ranges of a slice, by dimension; `nil` has no qualifier.
    struct Slice: Hashable, Codable {
        var ranges: [SearchRange?]
        /// The estimated number of results.
        var expected = 0
        /// The number of results of the slice that was divided into this one and another one.
        var parentCount: Int?
    }

    /// The position in a search.
    struct Position: Hashable, Codable {
        /// The slices to come, the current one last.
        var slices: [Slice]
        /// The next page of the current slice; `nil` is its first one.
        var page: PageCursor?
        /// The number of results of the current slice that were delivered.
        var delivered = 0
        /// The number of results of the whole search.
        var total: Int?
    }

    /// The search without the qualifiers of ``dimensions``.
    private let words: [Substring]
    /// The qualifiers by which the search can be divided.
    private let dimensions: [SearchDimension]
    private let start: Position

    /// Creates a search; the ranges in its text become those of the first slice.
    init(_ text: GitHub.SearchText, by all: [SearchDimension]) {
        let words = GitHub.SearchText.words(of: text.text)
        // A range would apply to a part of such a search only, and an operator can't lose the qualifier beside it.
        let isAlternative =
            words.contains { $0 == "OR" || $0.contains("(") || $0.contains(")") }
            || words.contains { $0 == "AND" || $0 == "NOT" }
                && words.contains { word in all.contains { $0.qualifies(word) } }
        // A qualifier in a form that isn't a range can't be combined with one.
        let dimensions = all.filter { dimension in
            !isAlternative && words.allSatisfy { !dimension.qualifies($0) || dimension.range($0) != nil }
        }
        let ranges = dimensions.map { dimension in
            words.compactMap(dimension.range).reduce(nil) { (all: SearchRange?, range) in
                all.map { SearchRange(low: max($0.low, range.low), high: min($0.high, range.high)) } ?? range
            }
        }
        self.words = words.filter { word in !dimensions.contains { $0.qualifies(word) } }
        self.dimensions = dimensions
        start = Position(slices: [Slice(ranges: ranges)])
    }

    /// Returns the position of a cursor; `nil` if it isn't one.
    func position(_ cursor: PageCursor?) -> Position? {
        guard let cursor else { return start }
        let position = try? JSONDecoder().decode(Position.self, from: Data(cursor.rawValue.utf8))
        return position?.slices.last?.ranges.count == dimensions.count ? position : nil
    }

    /// Returns the search text of a slice.
    func text(of slice: Slice?) -> String {
        let ranges = zip(dimensions, slice?.ranges ?? []).compactMap { $1.map($0.qualifier) }
        return (words.map(String.init) + ranges).joined(separator: " ")
    }

    /// Returns a page of a sweep: the results of the response, or nothing if their slice is divided.
    func page<Row>(_ found: GitHub.SearchPage<Row>, at position: Position) -> SweepPage<Row> {
        var position = position
        var slice = position.slices.removeLast()
        // Limited, to prevent overflow.
        let count = min(max(0, found.totalCount), 1_000_000_000)
        if position.page == nil {
            position.total = position.total ?? count
            // The slices sum up to the total, so the next one has what this one lacks.
            if let next = position.slices.indices.last {
                position.slices[next].expected = max(0, position.slices[next].expected + slice.expected - count)
            }
            if count > GitHub.searchResultLimit, let halves = halves(of: slice, count) {
                guard slice.expected == 0, let parentCount = slice.parentCount, count >= parentCount else {
                    position.slices += halves
                    return page(Page(items: []), position)
                }
                // Both halves have as many results as the whole: the server ignores the ranges, and the others are repetitions.
                position.slices = []
            }
        }
        let delivered = position.delivered + found.pageSize
        let hasNext = found.page.next != nil && delivered < GitHub.searchResultLimit
        (position.page, position.delivered) = hasNext ? (found.page.next, delivered) : (nil, 0)
        slice.expected = max(0, count - delivered)
        if hasNext { position.slices.append(slice) }
        // At the end, also results that were added since the first page, or whose page has no link.
        let missing = (found.isIncomplete ? [nil] : []) + (hasNext || slice.expected == 0 ? [] : [slice.expected])
        let gaps = missing.map { SweepGap(part: text(of: slice), missingCount: $0) }
        return page(found.page, position, gaps)
    }

    private func page<Row>(_ page: Page<Row>, _ position: Position, _ gaps: [SweepGap] = []) -> SweepPage<Row> {
        let next = position.slices.isEmpty ? nil : cursor(position)
        var page = SweepPage(Page(items: page.items, next: next, skipped: page.skipped), totalCount: position.total)
        page.remainingRequests = position.slices.reduce(0) { $0 + Self.requests(for: $1.expected) }
        page.gaps = gaps
        return page
    }

    private func cursor(_ position: Position) -> PageCursor? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(position)).map { PageCursor(rawValue: String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns both halves, the first one last; `nil` if all ranges have one value.
    private func halves(of slice: Slice, _ count: Int) -> [Slice]? {
        for (index, dimension) in dimensions.enumerated() {
            guard let (low, high) = dimension.halves(of: slice.ranges[index] ?? dimension.limits) else { continue }
            return [(high, count - count / 2), (low, count / 2)].map { range, expected in
                var half = Slice(ranges: slice.ranges, expected: expected, parentCount: count)
                half.ranges[index] = range
                return half
            }
        }
        return nil
    }

    /// Returns the expected number of searches: pages, and one for each slice that is divided.
    private static func requests(for count: Int) -> Int {
        let pages = max(1, (count + gitHubPageSize - 1) / gitHubPageSize)
        // A slice that is full enough to remain undivided has 700 results on average.
        return count > GitHub.searchResultLimit ? pages + count / 700 : pages
    }
}

extension HTTPClient {
    /// Returns the source of a sweep of all accounts that a search finds.
    package func sweepSource(matching text: GitHub.SearchText, named service: String) -> SweepSource<GitHub.User> {
        slicedSource(SlicedSearch(text, by: SearchDimension.users), named: service) { text, cursor in
            .users(matching: text, at: cursor)
        }
    }

    /// Returns the source of a sweep of all code repositories that a search finds, in no order.
    package func sweepSource(matching search: GitHub.RepoSearch, named service: String) -> SweepSource<GitHub.Repo> {
        slicedSource(SlicedSearch(search.text, by: SearchDimension.repos), named: service) { text, cursor in
            .repos(GitHub.RepoSearch(text: text), at: cursor)
        }
    }

    private func slicedSource<Row: Identifiable & Sendable>(
        _ search: SlicedSearch,
        named service: String,
        _ endpoint: @escaping @Sendable (GitHub.SearchText, PageCursor?) -> Endpoint<GitHub.SearchPage<Row>>
    ) -> SweepSource<Row> where Row.ID: LosslessStringConvertible {
        sweepSource(of: service, id: { (row: Row) in row.id.description }) { cursor throws(BrowseError) in
            guard let position = search.position(cursor),
                let text = try? GitHub.SearchText(search.text(of: position.slices.last))
            else {
                throw .refused(.foreignPage, BrowseError.RequestInfo(endpoint: "GET /search"))
            }
            return endpoint(text, position.page)
        } page: { found, cursor in
            // The endpoint had a position.
            search.position(cursor).map { search.page(found, at: $0) } ?? SweepPage(found.page)
        }
    }
}
