// SameModule links to this file, and to the sources of these modules.
#if !SAME_MODULE
import BrowseDomain
import BrowsePresentation
#endif
import Foundation

/// Operations of a list whose rows are declared in this module.
@MainActor
public enum RowBenchmark {
    /// Performs an operation, and returns the time that it takes.
    public typealias Measure = @Sendable (() async -> Void) async -> Double

    private static let pageCount = 100
    private static let rowCount = 100

    /// Measures a `PagedList` that receives its pages.
    public static func append(_ measure: Measure) async -> Double {
        let pages = (0..<pageCount).map { page($0).map { SampleRow($0) } }
        var list = PagedList<SampleRow>()
        return await measure {
            for page in pages {
                if let ticket = list.begin() { list.receive(page, for: ticket) }
            }
        }
    }

    /// Measures the loads of all pages by a screen.
    public static func load(_ measure: Measure) async -> Double {
        let screen = Screen((0..<pageCount).map(page))
        return await measure {
            await screen.show()
            for _ in 1..<pageCount { await screen.loadMore() }
        }
    }

    /// Measures filters of 100,000 rows that a screen shows.
    public static func filter(_ measure: Measure) async -> Double {
        let items = (0..<10 * pageCount).flatMap { page($0).items }
        let screen = Screen([Page(items: items)])
        await screen.show()
        return await measure {
            for text in ["1z", "codes"] { screen.filter(by: text) }
        }
    }

    private static func page(_ number: Int) -> Page<SampleItem> {
        let items = (number * rowCount..<(number + 1) * rowCount).map { index in
            let name = "follower-\(String(index, radix: 36))" + (index.isMultiple(of: 3) ? "-codes" : "")
            return SampleItem(
                id: 1_000_003 + Int64(index) * 9_973,
                name: name,
                image: "https://example.com/images/\(name)",
                address: "https://example.com/\(name)"
            )
        }
        let next = number + 1 < pageCount ? PageCursor(rawValue: "\(number + 1)") : nil
        return Page(items: items, next: next)
    }
}

private struct SampleItem: Hashable, Identifiable, Sendable {
    let id: Int64
    let name: String
    let image: String
    let address: String
}

private struct SampleRow: ListRow {
    let item: SampleItem
    var isMarked = false

    init(_ item: SampleItem) {
        self.item = item
    }

    var id: Int64 { item.id }
}

@MainActor
private final class Screen: ListViewModel {
    struct State: ListScreenState {
        var title = ""
        var content = ListState<SampleRow>()
        var notice: Message?
    }

    private let store = StateStore(State())
    private let controller: ListController<SampleRow>
    private let pages: [Page<SampleItem>]

    init(_ pages: [Page<SampleItem>]) {
        self.pages = pages
        let texts = Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt)
        controller = ListController(in: store, at: \.content, options: ScreenOptions(texts: texts))
        controller.add(
            RowMarks { rows in
                for index in rows.indices where rows[index].id.isMultiple(of: 1_024) { rows[index].isMarked = true }
            }
        )
    }

    var states: States<State> { store.states }
    var list: ListControls<SampleRow> { controller.controls }

    func show() async {
        let load = controller.begin(empty: Message(kind: .empty, title: "", text: "")) { [pages] cursor in
            pages[cursor.flatMap { Int($0.rawValue) } ?? 0]
        } row: {
            SampleRow($0)
        }
        await load()
    }

    func filter(by text: String) {
        controller.filter(containing: text) { $0.item.name }
    }
}
