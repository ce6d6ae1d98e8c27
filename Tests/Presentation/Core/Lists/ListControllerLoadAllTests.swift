import BrowseDomain
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

/// Lists whose server doesn't report the number of pages.
@MainActor @Suite(.bounded)
struct `Loading all pages of a list one after another` {
    private let held = ControlledResponses<String, Page<Row>>()

    /// Answers the requests for pages of two rows.
    private func screen(pages: Int) async -> ListScreen {
        for page in 0..<pages { held.answer(page, with: .success(Self.page(page, isLast: page == pages - 1))) }
        return await screen()
    }

    private func screen() async -> ListScreen { await screen(held) }

    private func screen(_ held: ControlledResponses<String, Page<Row>>) async -> ListScreen {
        let screen = ListScreen()
        await screen.begin { cursor throws(BrowseError) in
            try await held.response(to: cursor?.rawValue ?? "0")
        }()
        return screen
    }

    private nonisolated static func page(_ page: Int, isLast: Bool = false) -> Page<Row> {
        Page([2 * page, 2 * page + 1], next: isLast ? nil : "\(page + 1)")
    }

    @Test func `shows each page as it arrives`() async {
        let screen = await screen(pages: 3)
        let recorder = StateRecorder(of: screen)
        #expect(await screen.loadAll() == nil)
        #expect(screen.ids == [0, 1, 2, 3, 4, 5])
        #expect(!screen.state.content.hasMore)
        #expect(recorder.states.map(\.content.rows.count) == [2, 2, 4, 4, 6])
        #expect(await screen.loadAll() == nil)
        #expect(held.requests == ["0", "1", "2"])
    }

    @Test func `returns the reason of a failure, and requests the page again only after a retry`() async {
        let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))
        held.answer(0, with: .success(Self.page(0)))
        held.answer(1, with: .failure(failure))
        let screen = await screen()
        #expect(await screen.loadAll() == Texts.english.message(for: failure))
        #expect(screen.ids == [0, 1])
        #expect(await screen.loadAll() == Texts.english.message(for: failure))
        #expect(held.requests == ["0", "1"])
        held.answer(2, with: .success(Self.page(1)))
        held.answer(3, with: .success(Self.page(2, isLast: true)))
        await screen.retry()
        #expect(await screen.loadAll() == nil)
        #expect(held.requests == ["0", "1", "1", "2"])
        #expect(screen.ids == [0, 1, 2, 3, 4, 5])
    }

    @Test func `requests a first page that failed once`() async {
        let failure = BrowseError.serverFailure(BrowseError.RequestInfo(endpoint: "GET /", status: 500))
        held.answer(0, with: .failure(failure))
        let screen = await screen()
        #expect(await screen.loadAll() == Texts.english.message(for: failure))
        #expect(held.requests == ["0"])
        #expect(screen.state.content.status == .failed(Texts.english.message(for: failure)))
        #expect(!screen.state.content.hasMore)
    }

    @Test func `continues after a refresh that failed and a retry`() async {
        held.answer(0, with: .success(Self.page(0)))
        held.answer(1, with: .failure(.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))))
        let screen = await screen()
        await screen.refresh()
        held.answer(2, with: .success(Self.page(0)))
        held.answer(3, with: .success(Self.page(1, isLast: true)))
        await screen.retry()
        #expect(await screen.loadAll(upTo: 1) == nil)
        #expect(await screen.loadAll() == nil)
        #expect(screen.ids == [0, 1, 2, 3])
    }

    @Test func `stops at the limit, and continues after it`() async {
        let screen = await screen(pages: 4)
        #expect(await screen.loadAll(upTo: 2) == nil)
        #expect(screen.ids.count == 2)
        #expect(await screen.loadAll(upTo: 5) == nil)
        #expect(screen.ids.count == 6)
        #expect(screen.state.content.hasMore)
        #expect(await screen.loadAll() == nil)
        #expect(screen.ids.count == 8)
    }

    @Test func `stops at the limit if all pages are fetched together`() async {
        let screen = ListScreen()
        await screen.begin { _ throws(BrowseError) in
            Self.page(0)
        } allPages: { _, receive throws(BrowseError) in
            for page in 1..<9 { try await receive(Self.page(page)) }
        }()
        #expect(await screen.loadAll(upTo: 5) == nil)
        #expect(screen.ids == [0, 1, 2, 3, 4, 5])
        #expect(screen.state.content.canLoadMore)
    }

    @Test(arguments: [
        BrowseError.unauthorized(BrowseError.RequestInfo(endpoint: "GET /")),
        .unreachable(.intercepted, BrowseError.RequestInfo(endpoint: "GET /", status: 200)),
    ])
    func `continues once behind the pages that arrived together if the policy reads again`(error: BrowseError) async {
        let cursors = Monitor<[String?]>([])
        let screen = ListScreen(policy: .freshElseCached)
        await screen.begin { _ throws(BrowseError) in
            Self.page(0)
        } allPages: { cursor, receive throws(BrowseError) in
            cursors.withLock { $0.append(cursor?.rawValue) }
            if LoadOptions.current.source == .cacheOnly { ProvenanceRecord.current?.note(.stale(since: .distantPast)) }
            let next = cursor.flatMap { Int($0.rawValue) } ?? 0
            try await receive(Self.page(next))
            if cursors.value.count != 2 { throw error }
            try await receive(Self.page(next + 1, isLast: true))
        }()
        #expect(await screen.loadAll() == nil)
        #expect(screen.ids == Array(0..<8) && cursors.value == ["1", "2"])
        await screen.refresh()
        #expect(await screen.loadAll() == Texts.english.message(for: error))
        #expect(cursors.value == ["1", "2", "1", "2"])
    }

    @Test func `stops when it's canceled, but not for another caller`() async {
        held.answer(0, with: .success(Self.page(0)))
        let screen = await screen()
        let canceled = Task { await screen.loadAll() }
        await held.waitForRequests(2)
        let other = Task { await screen.loadAll() }
        // The main actor runs tasks in order, so the other caller waits for the page.
        await Task {}.value
        canceled.cancel()
        #expect(await canceled.value == nil)
        #expect(screen.state.content.status == .loadingMore)
        held.answer(1, with: .success(Self.page(1)))
        held.answer(2, with: .success(Self.page(2, isLast: true)))
        #expect(await other.value == nil)
        #expect(screen.ids.count == 6)

        held.answer(3, with: .success(Self.page(0)))
        await screen.refresh()
        let last = Task { await screen.loadAll() }
        await held.waitForRequests(5)
        last.cancel()
        #expect(await last.value == nil)
        #expect(screen.state.content.status == .ready)
    }

    /// Often, since the canceled caller and the first page reach the main actor in any order.
    @Test func `ends when the list is refreshed`() async {
        for _ in 0..<100 {
            let held = ControlledResponses<String, Page<Row>>()
            held.answer(0, with: .success(Self.page(0)))
            let screen = await screen(held)
            let all = Task { await screen.loadAll() }
            await held.waitForRequests(2)
            held.answer(2, with: .success(Page([7], next: "x")))
            held.answer(3, with: .success(Page([8])))
            await screen.refresh()
            #expect(await all.value == nil)
            #expect(screen.ids == [7])
            #expect(held.requests == ["0", "1", "0"])
        }
    }

    @Test func `ends after pages without rows`() async {
        let screen = ListScreen()
        let requestCount = Monitor(0)
        await screen.begin { cursor throws(BrowseError) in
            requestCount.withLock { $0 += 1 }
            return Page([1], next: "\((cursor.flatMap { Int($0.rawValue) } ?? 0) + 1)")
        }()
        #expect(await screen.loadAll() == nil)
        #expect(screen.ids == [1] && requestCount.value == 12)
        let content = screen.state.content
        #expect(content.hasMore && !content.canLoadMore && content.status == .ready)
    }
}
