import BrowseDomain
import BrowseMocks
import TestLimits
import TestSupport
import Testing

@testable import BrowsePresentation

@MainActor @Suite(.bounded)
struct `Callers of a list` {
    private let held = ControlledResponses<String, Page<Row>>()

    /// A screen with so many pages of 100 rows, the first ones of which are loaded.
    private func screen(loaded: Int, of count: Int) async -> ListScreen {
        let screen = ListScreen(prefetchDistance: 10)
        for page in 0..<loaded { held.answer(page, with: .success(Self.page(page, of: count))) }
        await screen.begin { [held] cursor throws(BrowseError) in
            try await held.response(to: cursor?.rawValue ?? "0")
        }()
        for _ in 1..<loaded { await screen.loadMore() }
        return screen
    }

    private static func page(_ page: Int, of count: Int) -> Page<Row> {
        Page(page * 100..<(page + 1) * 100, next: page + 1 < count ? "\(page + 1)" : nil)
    }

    /// Starts a caller, and returns when it waits.
    private func start(_ call: @escaping @MainActor () async -> Void) async -> Task<Void, Never> {
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            signal.finish()
            await call()
        }
        for await _ in started {}
        return task
    }

    @Test func `share work away from the main actor`() async {
        let workWasOnMain = Monitor<Bool?>(nil)
        let load = CoalescedLoad {
            workWasOnMain.withLock { $0 = MainQueue.isCurrent }
        }
        await load.wait()
        #expect(workWasOnMain.value == false)
    }

    @Test func `share a page, which arrives although the row that requested it has disappeared`() async {
        let clock = TestClock()
        let screen = ListScreen(prefetchDistance: 10)
        await screen.begin { cursor throws(BrowseError) in
            guard cursor != nil else { return Page(0..<100, next: "1") }
            guard (try? await clock.sleep(for: .milliseconds(200))) != nil else { throw .cancelled }
            return Page(100..<200)
        }()
        var rows: [Task<Void, Never>] = []
        for row in 89...99 {
            await rows.append(start { await screen.rowAppeared(row) })
            await clock.waitForSleepers(1)
            await clock.advance(by: .milliseconds(5))
        }
        rows[0].cancel()
        // It leaves before the page arrives.
        await rows[0].value
        #expect(screen.state.content.status == .loadingMore)
        await clock.advance(by: .milliseconds(200))
        for row in rows { await row.value }
        #expect(screen.ids == Array(0..<200))
    }

    @Test func `don't see cached rows that the server no longer has`() async {
        let screen = ListScreen(policy: .cachedFirst)
        held.answer(0, with: .success(Page([1, 2])))
        held.answer(1, with: .failure(.notFound(BrowseError.RequestInfo(endpoint: "GET /"))))
        await screen.begin { [held] _ throws(BrowseError) in try await held.response(to: "") }()
        #expect(screen.ids.isEmpty)
        #expect(screen.state.content.status.failure?.kind == .notFound)
    }

    @Test func `return when the load ends although the view model is released`() async {
        var screen: ListScreen? = await screen(loaded: 1, of: 2)
        let controls = screen?.list
        let load = await start { await controls?.loadMore() }
        await held.waitForRequests(2)
        screen = nil
        held.answer(1, with: .success(Self.page(1, of: 2)))
        await load.value
        #expect(controls?.controller.pagedList.rows.count == 200)
    }
}
