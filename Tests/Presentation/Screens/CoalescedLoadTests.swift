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

    /// Returns a screen with the first of three pages, whose other pages can be fetched together.
    private func screenWithAllPages() async -> ListScreen {
        let screen = ListScreen(prefetchDistance: 10)
        held.answer(0, with: .success(Self.page(0, of: 3)))
        await screen.begin { [held] cursor throws(BrowseError) in
            try await held.response(to: cursor?.rawValue ?? "0")
        } allPages: { [held] cursor, receive throws(BrowseError) in
            try await receive(held.response(to: "all from \(cursor?.rawValue ?? "0")"))
        }()
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

    @Test func `share a page with a row, which gets it although the first caller leaves`() async throws {
        let screen = await screen(loaded: 1, of: 2)
        let more = await start { await screen.loadMore() }
        await held.waitForRequests(2)
        let row = await start { await screen.rowAppeared(99) }
        more.cancel()
        await more.value
        // The row doesn't request it again.
        let isLoading = held.answer(1, with: .success(Self.page(1, of: 2)))
        try #require(isLoading)
        await row.value
        #expect(held.requests == ["0", "1"])
        #expect(screen.ids.count == 200)
    }

    @Test func `cancel the page together, and the next one starts another`() async {
        let screen = await screen(loaded: 1, of: 2)
        let first = await start { await screen.rowAppeared(95) }
        let second = await start { await screen.loadMore() }
        await held.waitForRequests(2)
        first.cancel()
        await first.value
        #expect(held.waitingCount == 1)
        second.cancel()
        // Before the canceled load has ended.
        let third = await start { await screen.rowAppeared(99) }
        await second.value
        held.answer(2, with: .success(Self.page(1, of: 2)))
        await third.value
        #expect(held.requests == ["0", "1", "1"])
        #expect(screen.ids.count == 200)
    }

    @Test func `find the position of the list restored after a canceled refresh`() async {
        let screen = await screen(loaded: 3, of: 5)
        let refresh = await start { await screen.refresh() }
        await held.waitForRequests(4)
        refresh.cancel()
        await refresh.value
        #expect(screen.ids.count == 300)
        let row = await start { await screen.rowAppeared(299) }
        await held.waitForRequests(5)
        held.answer(4, with: .success(Self.page(3, of: 5)))
        await row.value
        #expect(held.requests == ["0", "1", "2", "0", "3"])
        #expect(screen.ids == Array(0..<400))
    }

    @Test func `don't see cached rows that the server no longer has`() async {
        let screen = ListScreen(policy: .cachedFirst)
        held.answer(0, with: .success(Page([1, 2])))
        held.answer(1, with: .failure(.notFound(BrowseError.RequestInfo(endpoint: "GET /"))))
        await screen.begin { [held] _ throws(BrowseError) in try await held.response(to: "") }()
        #expect(screen.ids.isEmpty)
        guard case .failed(let message) = screen.state.content.status else {
            Issue.record("\(screen.state.content.status)")
            return
        }
        #expect(message.kind == .notFound)
    }

    @Test func `load all pages after the one in flight, and don't join that load with loadMore`() async {
        let screen = await screenWithAllPages()
        let more = await start { await screen.loadMore() }
        let all = await start { await screen.loadAll() }
        await held.waitForRequests(2)
        held.answer(1, with: .success(Self.page(1, of: 3)))
        await more.value
        await held.waitForRequests(3)
        await screen.loadMore()
        #expect(screen.state.content.isLoadingAll)
        held.answer(2, with: .success(Self.page(2, of: 3)))
        await all.value
        #expect(held.requests == ["0", "1", "all from 2"])
        #expect(screen.ids.count == 300)
    }

    @Test func `load all pages only of the list that they were called for`() async {
        let screen = await screenWithAllPages()
        let more = await start { await screen.loadMore() }
        await held.waitForRequests(2)
        let all = await start { await screen.loadAll() }
        // Another list is shown while it waits for the page.
        held.answer(2, with: .success(Page([7], next: "x")))
        held.answer(3, with: .success(Page([8])))
        await screen.begin { [held] _ throws(BrowseError) in try await held.response(to: "other") }()
        for task in [more, all] { await task.value }
        #expect(held.requests == ["0", "1", "other"])
        #expect(screen.ids == [7])
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
