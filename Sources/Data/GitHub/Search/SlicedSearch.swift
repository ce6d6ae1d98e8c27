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
        var ranges: [String: SearchRange] = [:]
        var unusable: Set<String> = []
        var words: [Substring] = []
        let allWords = GitHub.SearchText.words(of: text.text)
        func isQualifier(_ word: Substring) -> Bool {
            all.contains { word.lowercased().hasPrefix($0.name + ":") || word.lowercased().hasPrefix("-\($0.name):") }
        }
        // A range would apply to a part of such a search only, and an operator can't lose the qualifier beside it.
        let isAlternative =
            allWords.contains { $0 == "OR" || $0.contains("(") || $0.contains(")") }
            || allWords.contains { ["AND", "NOT"].contains($0) } && allWords.contains(where: isQualifier)
        for word in allWords {
            let dimension = all.first { word.lowercased().hasPrefix($0.name + ":") }
            let excluded = all.first { word.lowercased().hasPrefix("-\($0.name):") }
            if let dimension, let range = dimension.range(word.dropFirst(dimension.name.count + 1)) {
                ranges[dimension.name] = (ranges[dimension.name] ?? dimension.limits).intersection(range)
                if !isAlternative { continue }
            } else if let name = (dimension ?? excluded)?.name {
                // In a form that isn't a range, it can't be combined with one.
                unusable.insert(name)
            }
            words.append(word)
        }
        dimensions = isAlternative ? [] : all.filter { !unusable.contains($0.name) }
        // The range of a qualifier that also occurs in another form.
        words += all.filter { unusable.contains($0.name) && !isAlternative }.compactMap { dimension in
            ranges[dimension.name].map { Substring(dimension.qualifier($0)) }
        }
        self.words = words
        start = Position(slices: [Slice(ranges: dimensions.map { ranges[$0.name] })])
    }

    /// Returns the position of a cursor; `nil` if it isn't one.
    func position(_ cursor: PageCursor?) -> Position? {
        guard let cursor else { return start }
        let position = try? JSONDecoder().decode(Position.self, from: Data(cursor.rawValue.utf8))
        guard let position, let slice = position.slices.last, slice.ranges.count == dimensions.count else { return nil }
        return position
    }

    /// Returns the search text of a position.
    func text(at position: Position) -> String {
        let ranges = zip(dimensions, position.slices.last?.ranges ?? [])
        return (words.map(String.init) + ranges.compactMap { $1.map($0.qualifier) }).joined(separator: " ")
    }

    /// Returns a page of a sweep: the results of the response, or nothing if their slice is divided.
    func page<Row>(_ found: GitHub.SearchPage<Row>, at position: Position) -> SweepPage<Row> {
        var position = position
        let slice = position.slices.removeLast()
        let count = min(max(0, found.totalCount), Self.maxCount)
        let excess = count - GitHub.searchResultLimit
        var rows = found.page
        var halves: [Slice]?
        if position.page == nil {
            position.total = position.total ?? count
            // The slices sum up to the total, so the next one has what this one lacks.
            if let next = position.slices.indices.last {
                position.slices[next].expected = max(0, position.slices[next].expected + slice.expected - count)
            }
            if excess > 0 { halves = self.halves(of: slice, count) }
            // Both halves have as many results as the whole: the server ignores the ranges, and the others are repetitions.
            if halves != nil, slice.expected == 0, let parentCount = slice.parentCount, count >= parentCount {
                (halves, position.slices) = (nil, [])
            }
        }
        let delivered = position.delivered + found.pageSize
        var missing: [Int?] = []
        if let halves {
            position.slices += halves
            rows = Page(items: [])
        } else if found.isIncomplete {
            missing.append(nil)
        }
        if let next = rows.next, delivered < GitHub.searchResultLimit {
            (position.page, position.delivered) = (next, delivered)
            position.slices.append(Slice(ranges: slice.ranges, expected: max(0, count - delivered)))
        } else {
            // Also results that were added since the first page, or whose page has no link.
            if halves == nil, count > delivered { missing.append(count - delivered) }
            (position.page, position.delivered) = (nil, 0)
        }
        return SweepPage(
            Page(items: rows.items, next: position.slices.isEmpty ? nil : cursor(position), skipped: rows.skipped),
            totalCount: position.total,
            remainingRequests: position.slices.reduce(0) { $0 + Self.requests(for: $1.expected) },
            gaps: missing.map { SweepGap(part: text(at: Position(slices: [slice])), missingCount: $0) }
        )
    }

    /// The maximum number of results that is believed, which prevents overflow.
    private static var maxCount: Int { 1 << 40 }

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
        slicedSource(SlicedSearch(text, by: SearchDimension.users), text, "users", named: service) { text, cursor in
            .users(matching: text, at: cursor)
        }
    }

    /// Returns the source of a sweep of all code repositories that a search finds, in no order.
    package func sweepSource(matching search: GitHub.RepoSearch, named service: String) -> SweepSource<GitHub.Repo> {
        let slices = SlicedSearch(search.text, by: SearchDimension.repos)
        return slicedSource(slices, search.text, "repositories", named: service) { text, cursor in
            .repos(GitHub.RepoSearch(text: text), at: cursor)
        }
    }

    private func slicedSource<Row: Identifiable & Sendable>(
        _ search: SlicedSearch,
        _ text: GitHub.SearchText,
        _ kind: String,
        named service: String,
        _ endpoint: @escaping @Sendable (GitHub.SearchText, PageCursor?) -> Endpoint<GitHub.SearchPage<Row>>
    ) -> SweepSource<Row> where Row.ID: LosslessStringConvertible {
        var source = sweepSource(of: service, id: { (row: Row) in row.id.description }) { cursor throws(BrowseError) in
            guard let position = search.position(cursor), let text = try? GitHub.SearchText(search.text(at: position))
            else {
                throw .refused(.foreignPage, BrowseError.RequestInfo(endpoint: "GET /search/\(kind)"))
            }
            return endpoint(text, position.page)
        } page: { found, cursor in
            // The endpoint had a position.
            search.position(cursor).map { search.page(found, at: $0) } ?? SweepPage(found.page)
        }
        source.identity.query = "/search/\(kind), in slices: \(text)"
        return source
    }
}
