import BrowseDomain
import BrowseMocks
import TestLimits
import Testing

@testable import BrowsePresentation

/// A search screen like one of an app, for rows without a service.
@MainActor
private final class SearchScreen: ListViewModel {
    struct State: ListScreenState {
        var title = ""
        var notice: Message?
        var query = ""
        var isWaiting = false
        var content = ListState<Row>()
    }

    private let store = StateStore(State())
    let results: ListController<Row>
    private let debouncer: SearchDebouncer<String>

    init(_ held: ControlledResponses<String, Page<Row>>, clock: TestClock, keepsRows: Bool) {
        let options = ScreenOptions(texts: .english, policy: .fresh, prefetchDistance: 2)
        results = ListController(in: store, at: \.content, options: options)
        debouncer = SearchDebouncer(results, in: store, isWaiting: \.isWaiting, clock: clock) { [results] text in
            results.begin(keepsRows: keepsRows, empty: Texts.english.noFavorites) { cursor throws(BrowseError) in
                try await held.response(to: cursor.map { "\(text) \($0.rawValue)" } ?? text)
            } row: {
                $0
            }
        }
    }

    var states: States<State> { store.states }
    var list: ListControls<Row> { results.controls }
    var ids: [Int] { state.content.rows.map(\.id) }

    var query: String {
        get { state.query }
        set {
            store.update { state in
                state.query = newValue
                debouncer.type(newValue.isEmpty ? nil : newValue)
            }
        }
    }

    func stopWaiting() {
        debouncer.cancelSearch()
        store.amend()
    }

    func submit(_ text: String? = nil) async {
        let load = store.update { state in
            state.query = text ?? state.query
            return debouncer.submit(state.query)
        }
        await load?()
    }
}

@MainActor @Suite(.bounded)
struct `A search during the pause in typing` {
    private let held = ControlledResponses<String, Page<Row>>()
    private let clock = TestClock()
    private let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))

    private func screen(keepsRows: Bool = false) -> SearchScreen {
        SearchScreen(held, clock: clock, keepsRows: keepsRows)
    }

    private func pause() async {
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(300))
    }

    @Test func `is joined by a submission of the same text, which isn't requested again`() async {
        let screen = screen()
        let first = Task { await screen.submit("a") }
        await held.waitForRequests(1)
        let second = Task { await screen.submit("a") }
        await Task {}.value
        held.answer(0, with: .success(Page([1])))
        for task in [first, second] { await task.value }
        #expect(held.requests == ["a"])
        #expect(screen.ids == [1])
        held.answer(1, with: .success(Page([2])))
        await screen.submit()
        #expect(screen.ids == [2])
    }

    @Test func `sends nothing for a row that is still visible, and continues when the text returns`() async {
        let screen = screen()
        screen.query = "old"
        held.answer(0, with: .success(Page(0..<3, next: "2")))
        await screen.submit()
        let row = Task { await screen.rowAppeared(2) }
        await held.waitForRequests(2)
        for text in ["o", "ol", "olde", "older", "oldest", "n", "ne", "new", "ne"] {
            screen.query = text
            await clock.waitForSleepers(1)
            await clock.advance(by: .milliseconds(299))
            await screen.loadMore()
            await screen.refresh()
        }
        #expect(held.requests == ["old", "old 2"])
        #expect(!screen.state.content.canLoadMore && screen.state.content.hasMore)
        held.answer(2, with: .success(Page(3..<6)))
        screen.query = "old"
        await row.value
        #expect(held.requests == ["old", "old 2", "old 2"])
        #expect(screen.ids == Array(0..<6))
    }

    @Test func `ends the tasks of rows when the search that waits is canceled`() async {
        let screen = screen()
        screen.query = "old"
        held.answer(0, with: .success(Page(0..<3, next: "2")))
        await screen.submit()
        screen.query = "new"
        let row = Task { await screen.rowAppeared(2) }
        await Task {}.value
        screen.stopWaiting()
        await row.value
        #expect(held.requests == ["old"] && !screen.state.content.canLoadMore)
    }

    @Test func `ends the tasks of rows when another search starts`() async {
        let screen = screen()
        screen.query = "old"
        held.answer(0, with: .success(Page(0..<3, next: "2")))
        await screen.submit()
        let row = Task { await screen.rowAppeared(2) }
        await held.waitForRequests(2)
        screen.query = "new"
        await pause()
        await row.value
        held.answer(2, with: .success(Page(7..<9)))
        await screen.until { $0.content.status == .ready }
        #expect(held.requests == ["old", "old 2", "new"])
        #expect(screen.ids == [7, 8])
    }

    @Test(arguments: [false, true])
    func `never leaves the rows of one text under another`(keepsRows: Bool) async {
        let screen = screen(keepsRows: keepsRows)
        screen.query = "a"
        held.answer(0, with: .success(Page([1], next: "2")))
        await screen.submit()
        screen.query = "ab"
        await pause()
        await held.waitForRequests(2)
        screen.query = "abc"
        screen.query = "ab"
        #expect(screen.state.isWaiting)
        held.answer(2, with: .success(Page([2])))
        await pause()
        await screen.until { $0.content.status == .ready }
        #expect(screen.ids == [2])
        #expect(held.requests == ["a", "ab", "ab"])

        screen.query = "failing"
        held.answer(3, with: .failure(failure))
        await screen.submit()
        #expect(screen.ids == [])
        #expect(screen.state.content.status == .failed(Texts.english.message(for: failure)))
    }

    @Test func `searches again for a text whose search was canceled`() async {
        let screen = screen()
        screen.query = "a"
        let submit = Task { await screen.submit() }
        await held.waitForRequests(1)
        submit.cancel()
        await submit.value
        #expect(screen.state.content.status == .idle)
        held.answer(1, with: .success(Page([1])))
        screen.query = "a"
        await pause()
        await screen.until { $0.content.status == .ready }
        #expect(held.requests == ["a", "a"])
    }
}

@MainActor @Suite(.bounded)
struct `Automatic loading` {
    private nonisolated static func number(_ cursor: PageCursor?) -> Int { cursor.flatMap { Int($0.rawValue) } ?? 0 }

    @Test(arguments: [false, true])
    func `stops after ten pages without new rows, until more are requested`(repeatsRows: Bool) async {
        let requestCount = Monitor(0)
        let screen = ListScreen()
        await screen.begin { cursor throws(BrowseError) in
            let count = requestCount.withLock { count in
                count += 1
                return count
            }
            // The list ends at some point even if loading doesn't stop.
            let next = count < 100 ? "\(Self.number(cursor) + 1)" : nil
            return Page(cursor == nil || repeatsRows ? 0..<3 : 0..<0, next: next)
        }()
        #expect(requestCount.value == 1)
        for _ in 0..<3 { await screen.rowAppeared(2) }
        #expect(requestCount.value == 12)
        #expect(!screen.state.content.canLoadMore && screen.state.content.hasMore)
        await screen.loadMore()
        #expect(requestCount.value == 23)
        #expect(screen.ids == [0, 1, 2])
    }

    @Test func `has a condition for loops, which ends after a failure`() async {
        let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))
        let screen = ListScreen()
        #expect(!screen.state.content.canLoadMore)
        let load = screen.begin { cursor throws(BrowseError) in
            if cursor?.rawValue == "2" { throw failure }
            let number = Self.number(cursor)
            return Page([number], next: "\(number + 1)")
        }
        #expect(!screen.state.content.canLoadMore)
        await load()
        var rounds = 0
        while screen.state.content.canLoadMore, rounds < 1_000 {
            rounds += 1
            await screen.loadMore()
        }
        #expect(rounds == 2)
        #expect(screen.state.content.hasMore)
        #expect(screen.state.content.status == .failedMore(Texts.english.message(for: failure)))
    }

    @Test func `notifies every observer of a load's end`() async {
        let screen = ListScreen()
        var ends: [Int] = []
        for number in 0..<2 { screen.pages.onLoadEnd { ends.append(number) } }
        await screen.begin { _ throws(BrowseError) in Page([1]) }()
        #expect(ends == [0, 1])
    }
}

@MainActor @Suite(.bounded)
struct `The state of a pass` {
    private actor Numbers {
        private var last = 0

        func next() -> Int {
            last += 1
            return last
        }
    }

    private let requests = Monitor<[String]>([])
    private let failsRefresh = Monitor(false)

    private func load(_ screen: ListScreen) -> ScreenLoad {
        screen.pages.begin(empty: Texts.english.noFavorites) {
            Numbers()
        } page: { [requests, failsRefresh] cursor, numbers throws(BrowseError) -> Page<Row> in
            let source = LoadOptions.current.source
            requests.withLock { $0.append("\(cursor?.rawValue ?? "first") \(source)") }
            if failsRefresh.value, cursor == nil { throw .cancelled }
            let number = await numbers.next()
            return Page([number * 10 + (source == .cacheOnly ? 1 : 0)], next: number < 3 ? "\(number)" : nil)
        } row: {
            $0
        }
    }

    @Test func `isn't shared by the cache and the server, and continues after a canceled refresh`() async {
        let screen = ListScreen(policy: .cachedFirst)
        await load(screen)()
        #expect(screen.ids == [10])
        #expect(requests.value == ["first cacheOnly", "first networkElseCache"])
        await screen.loadMore()
        #expect(screen.ids == [10, 20])
        failsRefresh.withLock { $0 = true }
        await screen.refresh()
        await screen.loadMore()
        #expect(screen.ids == [10, 20, 30])
        failsRefresh.withLock { $0 = false }
        await screen.refresh()
        #expect(screen.ids == [10])
    }
}
