import BrowseDomain
import BrowseMocks
import Foundation

@testable import BrowseData

/// A row of a sweep.
struct SweepItem: Hashable, Codable, Sendable {
    let id: Int
    var text = ""
}

/// A list with numbered pages, which a test changes and observes.
final class SweepList: Sendable {
    struct State {
        var items: [Int]
        var failure: (@Sendable (Int) -> BrowseError?)?
        var requests: [(page: Int, validator: String?, options: LoadOptions)] = []
        var rateLimit: RateLimitStatus?
        var account: String?
        /// The number of rows in all pages, as the server tells it; `nil` is the actual one.
        var total: Int?
        /// The gaps of each page.
        var gaps: [SweepGap] = []
        /// Follows the last page.
        var cursorAfterEnd: Int?
        /// Whether pages without rows follow the last page forever.
        var isEndless = false
        /// The pages that were confirmed by their validators.
        var confirmedPages: [Int] = []
    }

    static let info = BrowseError.RequestInfo(endpoint: "GET /items")

    let state: Monitor<State>
    let pageSize: Int

    init(_ items: some Sequence<Int>, pageSize: Int = 10) {
        state = Monitor(State(items: Array(items)))
        self.pageSize = pageSize
    }

    var pages: [Int] { state.value.requests.map(\.page) }

    /// Returns the source; responses have validators that depend on the page's rows.
    func source(_ query: String = "/items", text: String = "") -> SweepSource<SweepItem> {
        SweepSource(query) {
            "\($0.id)"
        } rateLimit: { [self] in
            state.value.rateLimit
        } load: { [self] cursor, validator throws(BrowseError) in
            let number = cursor?.page ?? 1
            let state = state.withLock { state in
                state.requests.append((number, validator, LoadOptions.current))
                return state
            }
            if let error = state.failure?(number) { throw error }
            let items = Array(state.items.dropFirst((number - 1) * pageSize).prefix(pageSize))
            guard validator != "\(items)" else {
                self.state.withLock { $0.confirmedPages.append(number) }
                return nil
            }
            let isLast = number * pageSize >= state.items.count && !state.isEndless
            let next = isLast ? state.cursorAfterEnd : number + 1
            let rows = items.map { SweepItem(id: $0, text: text) }
            let cursor = next.map(PageCursor.init(page:))
            var page = SweepPage(Page(items: rows, next: cursor), totalCount: state.total ?? state.items.count)
            page.gaps = state.gaps
            (page.account, page.validator) = (state.account, "\(items)")
            return page
        }
    }
}

extension SweepFile<SweepItem> {
    static func csv(at url: URL) -> SweepFile {
        csv(at: url, columns: ["id": { "\($0.id)" }, "text": { $0.text }])
    }
}
