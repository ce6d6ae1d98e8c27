import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@_spi(Services) @testable import BrowsePresentation

@MainActor @Suite(.bounded)
struct `A list controller` {
    private let held = ControlledResponses<String, Page<Row>>()
    private let loader = ListScreen()

    private func restart(_ name: String) -> ScreenLoad {
        loader.begin { [held] _ throws(BrowseError) in try await held.response(to: name) }
    }

    /// A screen with two pages of 100 rows, the first one of which is loaded.
    private func loadedScreen() async -> ListScreen {
        let screen = ListScreen()
        held.answer(0, with: .success(Page(0..<100, next: "1")))
        await screen.begin { [held] cursor throws(BrowseError) in
            try await held.response(to: cursor?.rawValue ?? "0")
        }()
        return screen
    }

    @Test func `ignores a load that was replaced before it started`() async {
        let first = restart("first")
        let second = restart("second")
        let task = Task { await second() }
        await held.waitForRequests(1)
        await first()
        held.answer(0, with: .success(Page([1])))
        await task.value
        #expect(held.requests == ["second"])
        #expect(loader.pages.pagedList.rows.map(\.id) == [1])
    }

    /// Often, since the end of the canceled load and the new page reach the main actor in any order.
    @Test(arguments: [true, false])
    func `lets callers wait for the first page that replaces theirs`(isRefresh: Bool) async {
        for _ in 0..<100 {
            let (held, screen) = (ControlledResponses<String, Page<Row>>(), ListScreen())
            let begin = screen.begin { cursor throws(BrowseError) in
                try await held.response(to: cursor?.rawValue ?? "0")
            }
            if isRefresh {
                held.answer(0, with: .success(Page([1], next: "b")))
                await begin()
            }
            let count = held.requests.count
            let call = Task {
                if isRefresh { await screen.refresh() } else { await begin() }
                return screen.ids
            }
            await held.waitForRequests(count + 1)
            held.answer(count + 1, with: .success(Page([7])))
            // As for another account.
            screen.pages.restart().keep()
            #expect(await call.value == [7])
        }
    }

    @Test func `starts over although the only caller of the first page leaves at that moment`() async {
        let load = restart("first")
        let call = Task { await load() }
        await held.waitForRequests(1)
        // As a view that updates at once does.
        loader.store.addPart { _ in call.cancel() }
        held.answer(1, with: .success(Page([7])))
        // As for another account.
        await loader.pages.restart()()
        #expect(loader.ids == [7])
    }

    @Test func `doesn't read a late response that ignored its cancellation`() async {
        var looked = 0
        let first = loader.begin { page in
            looked += 1
            return page
        } fetch: { [held] _ throws(BrowseError) in
            try await held.responseWhateverHappens(to: "first")
        }
        let task = Task { await first() }
        await held.waitForRequests(1)
        held.answer(1, with: .success(Page([2])))
        await restart("second")()
        held.answer(0, with: .success(Page([1])))
        await task.value
        #expect(looked == 0)
        #expect(loader.pages.pagedList.rows.map(\.id) == [2])
    }

    @Test func `reports a loop over pages of which no call loads another one`() async {
        let load = loader.begin { cursor throws(BrowseError) -> Page<Row> in
            guard cursor == nil else { throw .timedOut(BrowseError.RequestInfo(endpoint: "GET /")) }
            return Page([1], next: "b")
        }
        await load()
        let reports = Monitor<[String]>([])
        let misuse = ScreenMisuse { text, _, _ in reports.withLock { $0.append(text) } }
        await ScreenMisuse.$receiver.withValue(misuse) {
            for _ in 0..<500 where loader.pages.pagedList.hasMore { await loader.loadMore() }
        }
        #expect(reports.value.count == 1 && reports.value.first?.contains("canLoadMore") == true)
    }

    @Test(arguments: [true, false])
    func `doesn't report many calls that wait for one page`(isLoaded: Bool) async throws {
        let screen = await loadedScreen()
        let (started, reports) = (Monitor(0), Monitor<[String]>([]))
        let misuse = ScreenMisuse { text, _, _ in reports.withLock { $0.append(text) } }
        try await ScreenMisuse.$receiver.withValue(misuse) {
            let calls = (0..<300).map { _ in
                Task {
                    started.withLock { $0 += 1 }
                    await screen.loadMore()
                }
            }
            try await waitUntil { started.value == 300 }
            let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))
            held.answer(1, with: isLoaded ? .success(Page(100..<200, next: "2")) : .failure(failure))
            for call in calls { await call.value }
        }
        #expect(screen.pages.pagedList.pageCount == (isLoaded ? 2 : 1) && held.requests == ["0", "1"])
        #expect(reports.value.isEmpty)
    }

    @Test func `asks once for a page whose repository says that the load was canceled`() async {
        let requests = Monitor(0)
        let load = loader.begin { cursor throws(BrowseError) -> Page<Row> in
            requests.withLock { $0 += 1 }
            guard cursor == nil else { throw .cancelled }
            return Page([1], next: "b")
        }
        await load()
        await loader.rowAppeared(1)
        #expect(requests.value == 2)
        #expect(await loader.loadAll() == nil)
        #expect(requests.value == 3)
    }

    @Test func `loads nothing before it begins, or after it's cleared`() async {
        await loader.loadMore()
        await loader.retry()
        await loader.refresh()
        #expect(await loader.loadAll() == nil)
        await loader.rowAppeared(1)
        held.answer(0, with: .success(Page([1], next: "b")))
        await restart("a")()
        loader.pages.clear()
        #expect(loader.pages.pagedList.rows.isEmpty)
        await loader.loadMore()
        await loader.refresh()
        #expect(held.requests == ["a"])
    }

    /// wireapp/wire-android#4597, pagopa/io-app#3873
    @Test(arguments: [false, true])
    func `returns to the message of an empty list if its reload is canceled`(lacksRows: Bool) async throws {
        held.answer(0, with: .success(Page(items: [], totalCount: lacksRows ? 3 : 0)))
        await restart("a")()
        let before = loader.state.content
        let message = try #require(before.status.emptyMessage)
        #expect((message.action == .retry) == lacksRows)
        let reload = Task { await (lacksRows ? loader.retry : loader.refresh)() }
        await held.waitForRequests(2)
        #expect(loader.state.content.status == .loading)
        reload.cancel()
        await reload.value
        #expect(loader.state.content == before)
        await loader.loadMore()
        #expect(held.requests.count == 2)
    }

    private nonisolated static let then = Date(timeIntervalSince1970: 1)

    /// Reads as a client with a cache does: what is asked for names where from.
    private static func response(
        _ cursor: PageCursor?,
        from held: ControlledResponses<String, Page<Row>>
    ) async throws(BrowseError) -> Page<Row> {
        let source = LoadOptions.current.source
        let page = try await held.response(
            to: "\(cursor?.rawValue ?? "first") \(source) \(LoadOptions.current.priority)"
        )
        ProvenanceRecord.current?.note(source == .cacheOnly ? .stale(since: then) : .revalidated)
        return page
    }

    @Test func `shows a cached page at once, and then replaces it`() async {
        let loader = ListScreen(policy: .cachedFirst)
        var seen: [([Int], PagedList<Row>.Phase, Provenance?)] = []
        loader.store.addPart { [unowned loader] _ in
            seen.append(
                (loader.pages.pagedList.rows.map(\.id), loader.pages.pagedList.phase, loader.pages.pagedList.provenance)
            )
        }
        held.answer(0, with: .success(Page([1, 2], next: "kept")))
        held.answer(1, with: .success(Page([2, 3], next: "b")))
        await loader.begin { [held] cursor throws(BrowseError) in
            try await Self.response(cursor, from: held)
        }()
        #expect(held.requests == ["first cacheOnly visible", "first networkElseCache visible"])
        #expect(seen.map(\.0) == [[], [1, 2], [2, 3]])
        #expect(seen.map(\.1) == [.loading, .loading, .ready])
        #expect(seen.map(\.2) == [nil, .stale(since: Self.then), .revalidated])
        let state = loader.state.content
        #expect(state.provenance == .revalidated)
        #expect(state.age == nil)
        // The next page is shown once.
        held.answer(2, with: .success(Page([4])))
        await loader.rowAppeared(at: 1)
        #expect(held.requests.last == "b networkElseCache visible")
        #expect(loader.pages.pagedList.rows.map(\.id) == [2, 3, 4])
        // A refresh doesn't show the cached page, which is older.
        held.answer(3, with: .success(Page([5])))
        await loader.refresh()
        #expect(held.requests.last == "first networkElseCache visible")
        #expect(loader.pages.pagedList.rows.map(\.id) == [5])
    }

    @Test func `loads the next page with low priority unless the last row is visible`() async {
        let loader = ListScreen(prefetchDistance: 1)
        held.answer(0, with: .success(Page([1, 2], next: "b")))
        held.answer(1, with: .success(Page([3, 4], next: "c")))
        held.answer(2, with: .success(Page([5])))
        await loader.begin { [held] cursor throws(BrowseError) in
            try await Self.response(cursor, from: held)
        }()
        await loader.rowAppeared(at: 0)
        await loader.rowAppeared(at: 3)
        #expect(held.requests == ["first network visible", "b network prefetch", "c network visible"])
        #expect(loader.pages.pagedList.rows.count == 5)
    }

    /// How a caller joins the load of the next page.
    enum Joining: CaseIterable {
        case loadMore, retry, lastRow
    }

    @Test(arguments: Joining.allCases)
    func `raises the priority of a prefetched page that a visible caller waits for`(joining: Joining) async {
        let loader = ListScreen(prefetchDistance: 2)
        let priority = Monitor<CoalescedPriority?>(nil)
        held.answer(0, with: .success(Page([1, 2, 3], next: "b")))
        await loader.begin { [held] cursor throws(BrowseError) in
            priority.withLock { $0 = LoadOptions.current.sharedPriority }
            return try await Self.response(cursor, from: held)
        }()
        let first = Task { await loader.rowAppeared(at: 0) }
        await held.waitForRequests(2)
        #expect(priority.value?.priority == .prefetch)
        let other = Task { await loader.rowAppeared(at: 1) }
        let second = Task {
            switch joining {
            case .loadMore: await loader.loadMore()
            case .retry: await loader.retry()
            case .lastRow: await loader.rowAppeared(at: 2)
            }
        }
        // The main actor starts this after the others.
        await Task { @MainActor in }.value
        #expect(priority.value?.priority == .visible)
        held.answer(1, with: .success(Page([4])))
        for task in [first, other, second] { await task.value }
        #expect(held.requests == ["first network visible", "b network prefetch"])
    }

    @Test(arguments: Joining.allCases)
    func `requests a first page again that is older than a change, whichever call is next`(joining: Joining) async {
        let (screen, loads) = (ListScreen(), Monitor<[CoalescedLoad]>([]))
        held.answer(0, with: .success(Page([1], next: "b")))
        await screen.begin { [held] cursor throws(BrowseError) in
            loads.withLock { $0 = CoalescedLoad.current }
            return try await held.response(to: cursor?.rawValue ?? "0")
        }()
        let refresh = Task {
            await screen.refresh()
            return screen.ids
        }
        await held.waitForRequests(2)
        // As a write of the account does.
        for load in loads.value { load.setOutdated() }
        held.answer(2, with: .success(Page([2])))
        switch joining {
        case .loadMore: await screen.loadMore()
        case .retry: await screen.retry()
        case .lastRow: await screen.rowAppeared(1)
        }
        #expect(await refresh.value == [2])
        #expect(held.requests == ["0", "0", "0"])
    }

    @Test func `loads the rows of another account although a caller who asks meanwhile leaves`() async throws {
        let (screen, loads) = (ListScreen(), Monitor<[CoalescedLoad]>([]))
        held.answer(0, with: .success(Page([1], next: "b")))
        await screen.begin { [held] cursor throws(BrowseError) in
            loads.withLock { $0 = CoalescedLoad.current }
            return try await held.response(to: cursor?.rawValue ?? "0")
        }()
        // As for another account, for which a star that waited is then written.
        screen.pages.restart().keep()
        await held.waitForRequests(2)
        for load in loads.value { load.setOutdated() }
        let retry = Task { await screen.retry() }
        await held.waitForRequests(3)
        retry.cancel()
        await retry.value
        try #require(held.answer(2, with: .success(Page([2]))))
        try await waitUntil { screen.ids == [2] }
    }

    @Test func `keeps a cached page if the server doesn't respond, and requests it on retry`() async {
        let loader = ListScreen(policy: .cachedFirst)
        let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))
        held.answer(0, with: .success(Page([1, 2], next: "kept")))
        held.answer(1, with: .failure(failure))
        await loader.begin { [held] cursor throws(BrowseError) in
            try await Self.response(cursor, from: held)
        }()
        #expect(loader.pages.pagedList.rows.map(\.id) == [1, 2])
        #expect(loader.pages.pagedList.phase == .failed(failure))
        let state = loader.state.content
        #expect(state.provenance == .stale(since: Self.then))
        #expect(state.age?.contains("1970") == true)
        #expect(loader.state.content.status == .failedRefresh(Texts.english.message(for: failure)))
        held.answer(2, with: .success(Page([3])))
        await loader.retry()
        #expect(held.requests.last == "first networkElseCache visible")
        #expect(loader.pages.pagedList.rows.map(\.id) == [3])
        #expect(loader.pages.pagedList.phase == .ended)
    }

    @Test func `waits for the server without a cached page, and doesn't read the cache by other policies`() async {
        for (policy, requests) in [
            (LoadPolicy.cachedFirst, ["first cacheOnly visible", "first networkElseCache visible"]),
            (.fresh, ["first network visible"]), (.freshElseCached, ["first networkElseCache visible"]),
            (.offline, ["first cacheOnly visible"]),
        ] {
            let held = ControlledResponses<String, Page<Row>>()
            let loader = ListScreen(policy: policy)
            if policy == .cachedFirst {
                held.answer(0, with: .failure(.unreachable(.notCached, BrowseError.RequestInfo(endpoint: "GET /"))))
            }
            held.answer(requests.count - 1, with: .success(Page([1])))
            await loader.begin { cursor throws(BrowseError) in try await Self.response(cursor, from: held) }()
            #expect(held.requests == requests)
            #expect(loader.pages.pagedList.rows.map(\.id) == [1])
        }
    }

    @Test func `doesn't read a cached page that arrives after the list started over`() async {
        let loader = ListScreen(policy: .cachedFirst)
        var looked: [Int] = []
        let accept: @MainActor @Sendable (Page<Row>) -> Page<Row> = { page in
            looked += page.items.map(\.id)
            return page
        }
        let first = loader.begin(accept: accept) { [held] _ throws(BrowseError) in
            try await held.responseWhateverHappens(to: "first")
        }
        let task = Task { await first() }
        await held.waitForRequests(1)
        held.answer(1, with: .success(Page([2])))
        held.answer(2, with: .success(Page([2])))
        await loader.begin(accept: accept) { [held] _ throws(BrowseError) in try await held.response(to: "second") }()
        held.answer(0, with: .success(Page([1])))
        await task.value
        #expect(looked == [2, 2])
        #expect(loader.pages.pagedList.rows.map(\.id) == [2])
    }

    @Test func `is incomplete if rows may have moved to a page that was read before`() async {
        var page = Page<Row>([1])
        page.isShifted = true
        await loader.pages.begin(empty: Texts.english.noFavorites, page: { [page] _ in page }, row: { $0 })()
        #expect(loader.state.content.status == .incomplete(Texts.english.incomplete))
    }

    @Test func `loads all pages by the policy, and marks and reports their source`() async {
        for (policy, source) in [(LoadPolicy.fresh, LoadOptions.Source.network), (.freshElseCached, .networkElseCache)]
        {
            let loader = ListScreen(policy: policy)
            let asked = Mutex<[LoadOptions]>([])
            let marked = Monitor<[Provenance]>([])
            loader.pages.add(
                RowMarks { _ in
                    nil
                } beginRead: {
                    { _, provenance in marked.withLock { $0.append(provenance) } }
                }
            )
            held.answer(held.requests.count, with: .success(Page([1], next: "b")))
            await loader.begin { [held] _ throws(BrowseError) in
                try await held.response(to: "")
            } allPages: { _, receive throws(BrowseError) in
                asked.withLock { $0.append(LoadOptions.current) }
                ProvenanceRecord.current?.note(.offline(since: Self.then))
                try await receive(Page([2]))
            }()
            await loader.loadAll()
            #expect(asked.withLock { $0.map(\.source) } == [source])
            #expect(loader.pages.pagedList.rows.map(\.id) == [1, 2])
            #expect(loader.pages.pagedList.provenance == .offline(since: Self.then))
            #expect(marked.value == [.fresh, .offline(since: Self.then)])
        }
    }

    @Test func `returns to its callers when a load ends, although the view model is released`() async {
        var screen: ListScreen? = await loadedScreen()
        let controls = screen?.list
        let load = Task { _ = await controls?.loadMore() }
        await held.waitForRequests(2)
        screen = nil
        held.answer(1, with: .success(Page(100..<200)))
        await load.value
        #expect(controls?.controller.pagedList.rows.count == 200)
    }
}
