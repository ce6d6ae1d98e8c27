import BrowseDomain
import BrowseMocks
import BrowsePresentation
import TestLimits
import Testing

/// A search screen like one of an app, for rows without a service.
@MainActor
private final class SearchScreen: ListViewModel {
    private let search: SearchController<String, String, Row>
    let states: States<SearchState<String, Row>>

    init(_ held: ControlledResponses<String, Page<Row>>, clock: TestClock, retention: RowRetention) {
        let store = StateStore(SearchState<String, Row>(""))
        let options = ScreenOptions.english(prefetchDistance: 2, policy: .fresh, clock: clock)
        let results = ListController(in: store, at: \.content, options: options)
        let fields: [QueryField<String>] = [.text("q", "", \.self)]
        search = SearchController(results, in: store, title: "", fields: fields) { text, _ in
            text.isEmpty ? nil : text
        } begin: { text in
            results.begin(retention, empty: Texts.english.noFavorites) { cursor throws(BrowseError) in
                try await held.response(to: cursor.map { "\(text) \($0.rawValue)" } ?? text)
            } accept: { page, _ in
                page
            }
        }
        states = store.states
    }

    var list: ListControls<Row> { search.results.controls }
    var ids: [Int] { state.content.rows.map(\.id) }

    var query: String {
        get { search.query }
        set { search.query = newValue }
    }

    func stopWaiting() { search.stopWaiting() }
    func restart(_ change: (inout String) -> Void) { search.restart(change) }
    func submit(_ text: String? = nil) async { await search.submit(text) }
}

@MainActor @Suite(.bounded)
struct `A search during the pause in typing` {
    private let held = ControlledResponses<String, Page<Row>>()
    private let clock = TestClock()
    private let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))

    private func screen(_ retention: RowRetention = .discard) -> SearchScreen {
        SearchScreen(held, clock: clock, retention: retention)
    }

    private func pause() async {
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(300))
    }

    @Test func `keeps the rows of the previous text until a response, also if another text is typed meanwhile`() async {
        let screen = screen(.keepUntilResponse)
        screen.query = "old"
        held.answer(0, with: .success(Page(0..<3, next: "2")))
        await screen.submit()
        let recorder = StateRecorder(of: screen)
        screen.query = "n"
        await pause()
        await held.waitForRequests(2)
        #expect(screen.state.content.status == .refreshing)
        // Cancels the request of the first text.
        screen.query = "new"
        await pause()
        await held.waitForRequests(3)
        held.answer(2, with: .success(Page(7..<9)))
        await screen.until { $0.content.rows.first?.id == 7 }
        #expect(recorder.states.allSatisfy { [[0, 1, 2], [7, 8]].contains($0.content.rows.map(\.id)) })
        // A failure has no rows of another text, and neither has blank text.
        held.answer(3, with: .failure(failure))
        await screen.submit("failing")
        #expect(screen.ids.isEmpty)
        held.answer(4, with: .success(Page([1])))
        await screen.submit("one")
        screen.query = ""
        #expect(screen.ids.isEmpty && screen.state.content.status == .idle)
    }

    @Test func `sends a pasted address without its user and password, which the field keeps`() async {
        let screen = screen()
        screen.query = "tea https://octocat:secret@a.example/b"
        held.answer(0, with: .success(Page([1])))
        await screen.submit()
        #expect(held.requests == ["tea https://a.example/b"] && screen.query.contains("secret"))
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
        await screen.until { $0.content.rows.count == 6 }
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
        await screen.until { $0.content.rows.map(\.id) == [7, 8] }
        #expect(held.requests == ["old", "old 2", "new"])
    }

    @Test(arguments: ["", "old"])
    func `gives way to the change of a setting, which applies to the text that waits`(previous: String) async {
        let screen = screen()
        if !previous.isEmpty {
            held.answer(0, with: .success(Page([1])))
            await screen.submit(previous)
        }
        let count = held.requests.count
        screen.query = "new"
        await clock.waitForSleepers(1)
        held.answer(count, with: .success(Page([2])))
        screen.restart { $0 += " elsewhere" }
        #expect(!screen.state.isWaiting)
        await clock.advance(by: .milliseconds(300))
        await screen.until { $0.content.rows.map(\.id) == [2] }
        #expect(Array(held.requests.dropFirst(count)) == ["new elsewhere"])
    }

    @Test(arguments: [RowRetention.discard, .keepUntilResponse])
    func `never leaves the rows of one text under another`(retention: RowRetention) async {
        let screen = screen(retention)
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
        // The rows of "a" are ready until the search starts, which the clock allows only.
        await screen.until { $0.content.rows.map(\.id) == [2] }
        #expect(screen.state.content.status == .ready)
        #expect(held.requests == ["a", "ab", "ab"])

        screen.query = "failing"
        held.answer(3, with: .failure(failure))
        await screen.submit()
        #expect(screen.ids == [])
        #expect(screen.state.content.status == .failed(Texts.english.message(for: failure)))
    }

    /// vercel/swr#2777, kuuuurt/multiplatform-paging#35
    @Test func `keeps all pages if the same text can't be searched for again`() async {
        let screen = screen(.keepUntilResponse)
        screen.query = "a"
        held.answer(0, with: .success(Page(0..<3, next: "2")))
        held.answer(1, with: .success(Page(3..<6)))
        await screen.submit()
        await screen.loadMore()
        held.answer(2, with: .failure(failure))
        await screen.submit()
        #expect(screen.ids == Array(0..<6))
        #expect(screen.state.content.status == .failedRefresh(Texts.english.message(for: failure)))
        held.answer(3, with: .success(Page(0..<3, next: "2")))
        await screen.submit()
        #expect(screen.ids == Array(0..<3) && held.requests == ["a", "a 2", "a", "a"])
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
        screen.query = "a "
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
}
