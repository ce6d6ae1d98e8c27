import BrowseDomain
import BrowseGitHub
import Foundation

/// A search that is divided into slices with at most 1,000 results each, as GitHub returns no more.
///
/// Each slice is a search with ranges of qualifiers. One with more results is divided in two, first by its creation, and when
/// that is one second, by another qualifier. The cursor of a page contains the slices to come.
struct SlicedSearch: Sendable {
    /// The ranges of a slice, by dimension; `nil` has no qualifier.
    private typealias Slice = [ClosedRange<Int64>?]

    /// The position in a search.
    private struct Position: Codable {
        /// The slices to come, the current one last.
        var slices: [Slice]
        /// The next page of the current slice; `nil` is its first one.
        var page: PageCursor?
        /// The number of results of the current slice that were delivered.
        var delivered = 0
        /// The number of results of the whole search.
        var total: Int?
    }

    private static let resultLimit = 1000
    private let text: GitHub.SearchText
    /// The qualifiers by which the search can be divided.
    private let dimensions: [SearchDimension]

    init(_ text: GitHub.SearchText, by qualifiers: [String]) {
        self.text = text
        let words = text.text.split(whereSeparator: \.isWhitespace)
        // A range would apply to only one of several alternatives.
        let isAlternative = words.contains { $0 == "OR" || $0.contains("(") || $0.contains(")") }
        // A second range of a qualifier wouldn't narrow the first one.
        dimensions = (isAlternative ? [] : qualifiers.map(SearchDimension.init)).filter { dimension in
            !words.contains(where: dimension.qualifies)
        }
    }

    /// Returns the source of all results.
    func source<Row: Identifiable & Encodable & Sendable>(
        _ list: String,
        account: @escaping @Sendable () async throws(BrowseError) -> String?,
        search: @escaping @Sendable (GitHub.SearchText, PageCursor?) async throws(BrowseError) -> Page<Row>
    ) -> ExportSource<Row> where Row.ID: CustomStringConvertible {
        var source = ExportSource(list, id: { (row: Row) in row.id.description }, account: account) {
            cursor throws(BrowseError) in
            guard let position = position(cursor), let text = try? GitHub.SearchText(text(of: position.slices.last))
            else { throw .refused(.foreignPage, BrowseError.RequestInfo(endpoint: "GET /search")) }
            return part(try await search(text, position.page), at: position)
        }
        // Dividing down to single values, twice in succession, takes fewer requests without rows.
        source.pageLimit = 250
        return source
    }

    private func position(_ cursor: PageCursor?) -> Position? {
        guard let cursor else { return Position(slices: [dimensions.map { _ in nil }]) }
        let position = try? JSONDecoder().decode(Position.self, from: Data(cursor.rawValue.utf8))
        return position?.slices.last?.count == dimensions.count ? position : nil
    }

    private func text(of slice: Slice?) -> String {
        ([text.text] + zip(dimensions, slice ?? []).compactMap { $1.map($0.qualifier) }).joined(separator: " ")
    }

    /// Returns the results of a response, or nothing if their slice is divided.
    private func part<Row>(_ found: Page<Row>, at position: Position) -> ExportSource<Row>.Part {
        var position = position
        let slice = position.slices.removeLast()
        let total = found.totalCount ?? 0
        position.total = position.total ?? total
        if position.page == nil, total > Self.resultLimit, let halves = halves(of: slice) {
            position.slices += halves
            return (page([], position), [])
        }
        let delivered = position.delivered + found.items.count + found.skipped.count
        // The last page that GitHub returns has no link.
        let hasNext = found.next != nil
        (position.page, position.delivered) = hasNext ? (found.next, delivered) : (nil, 0)
        if hasNext { position.slices.append(slice) }
        var gaps = found.isIncomplete ? [ExportGap(part: text(of: slice))] : []
        // At the end, also results that were added since the first page, or whose page has no link.
        if !hasNext, total > delivered {
            gaps.append(ExportGap(part: text(of: slice), missingCount: total - delivered))
        }
        var page = page(found.items, position, found.skipped)
        page.isPartial = found.isPartial
        return (page, gaps)
    }

    private func page<Row>(_ rows: [Row], _ position: Position, _ skipped: SkippedRows = SkippedRows()) -> Page<Row> {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let cursor = position.slices.isEmpty ? nil : try? encoder.encode(position)
        let next = cursor.map { PageCursor(rawValue: String(decoding: $0, as: UTF8.self)) }
        return Page(items: rows, next: next, skipped: skipped, totalCount: position.total)
    }

    /// Returns both halves, the first one last; `nil` if all ranges have one value.
    private func halves(of slice: Slice) -> [Slice]? {
        for (index, dimension) in dimensions.enumerated() {
            guard let (low, high) = dimension.halves(of: slice[index] ?? dimension.limits) else { continue }
            return [high, low].map { range in
                var half = slice
                half[index] = range
                return half
            }
        }
        return nil
    }
}
