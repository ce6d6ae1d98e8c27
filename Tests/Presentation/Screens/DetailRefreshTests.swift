import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@testable import BrowsePresentation

@MainActor @Suite(.bounded)
struct `A refresh of details` {
    private static let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))
    private static let notFound = BrowseError.notFound(BrowseError.RequestInfo(endpoint: "GET /"))

    private let entities = ControlledResponses<LoadOptions.Source, Row>()
    private let related = ControlledResponses<Row, Page<Row>>()

    /// A screen that shows the first version of an entity, and three related items.
    private func screen(_ policy: LoadPolicy = .fresh) async -> DetailScreen {
        let screen = DetailScreen(policy) { [related] row throws(BrowseError) in try await related.response(to: row) }
        let reads = policy == .cachedFirst ? 2 : 1
        for read in 0..<reads {
            entities.answer(read, with: .success(Row(id: 1)))
            related.answer(read, with: .success(Page([10, 11, 12])))
        }
        await screen.show { [entities] () throws(BrowseError) in
            try await entities.response(to: LoadOptions.current.source)
        }
        return screen
    }

    private var requestCount: Int { entities.requests.count }

    @Test(arguments: [LoadPolicy.fresh, .cachedFirst])
    func `keeps the entity and its related items until newer ones arrive`(policy: LoadPolicy) async {
        let screen = await screen(policy)
        let before = screen.state
        let count = requestCount
        let refresh = Task { await screen.refresh() }
        await entities.waitForRequests(count + 1)
        #expect(screen.state == before)
        #expect(entities.requests.last == policy.source)
        entities.answer(count, with: .success(Row(id: 1, version: 2)))
        await related.waitForRequests(count + 1)
        #expect(screen.state.content.details == Row(id: 1, version: 2))
        #expect(screen.state.related.rows == before.related.rows)
        related.answer(count, with: .success(Page([10, 13])))
        await refresh.value
        #expect(screen.state.related.rows.map(\.id) == [10, 13])
        #expect(screen.state.related.rows.change(since: before.related.rows) != .reset)
        // Neither is read from the cache first.
        #expect(entities.requests.count == count + 1 && related.requests.count == count + 1)
    }

    @Test func `loads the related items again, although the entity is the same`() async {
        let screen = await screen()
        entities.answer(1, with: .success(Row(id: 1)))
        related.answer(1, with: .success(Page([13])))
        await screen.refresh()
        #expect(screen.state.related.rows.map(\.id) == [13])
    }

    @Test func `restores the state when it's canceled`() async {
        let screen = await screen()
        let before = screen.state
        let whileThing = Task { await screen.refresh() }
        await entities.waitForRequests(2)
        whileThing.cancel()
        await whileThing.value
        #expect(screen.state == before)
        entities.answer(2, with: .success(Row(id: 1)))
        let whileRelated = Task { await screen.refresh() }
        await related.waitForRequests(2)
        whileRelated.cancel()
        await whileRelated.value
        #expect(screen.state == before)
    }

    @Test func `keeps the entity with a notice if it fails, which a canceled retry restores`() async {
        let screen = await screen()
        let before = screen.state
        entities.answer(1, with: .failure(Self.failure))
        await screen.refresh()
        #expect(screen.state.notice == Texts.english.message(for: Self.failure))
        #expect(screen.state.content == before.content && screen.state.related == before.related)
        let failed = screen.state
        let retry = Task { await screen.retry() }
        await entities.waitForRequests(3)
        #expect(screen.state == before)
        retry.cancel()
        await retry.value
        #expect(screen.state == failed)
        entities.answer(3, with: .success(Row(id: 1, version: 2)))
        related.answer(1, with: .success(Page([10])))
        await screen.retry()
        #expect(screen.state.notice == nil)
        #expect(screen.state.content.details == Row(id: 1, version: 2))
    }

    @Test func `removes an entity that the server no longer has, with its related items`() async {
        let screen = await screen()
        entities.answer(1, with: .failure(Self.notFound))
        await screen.refresh()
        #expect(screen.state.content.status == .failed(Texts.english.message(for: Self.notFound)))
        #expect(screen.state.related == ListState() && screen.state.notice == nil)
        entities.answer(2, with: .success(Row(id: 1)))
        related.answer(1, with: .success(Page([10])))
        await screen.refresh()
        #expect(screen.state.content.details == Row(id: 1))
    }

    @Test func `joins a load in flight, of the entity or of its related items`() async {
        let screen = DetailScreen { [related] row throws(BrowseError) in try await related.response(to: row) }
        let show = Task {
            await screen.show { [entities] () throws(BrowseError) in
                try await entities.response(to: LoadOptions.current.source)
            }
        }
        await entities.waitForRequests(1)
        let first = Task { await screen.refresh() }
        entities.answer(0, with: .success(Row(id: 1)))
        await related.waitForRequests(1)
        let second = Task { await screen.refresh() }
        related.answer(0, with: .success(Page([10])))
        for task in [show, first, second] { await task.value }
        #expect(entities.requests.count == 1 && related.requests.count == 1)
        #expect(screen.state.related.rows.map(\.id) == [10])
    }

    @Test func `revalidates a cached entity whose revalidation was canceled, as a retry does`() async {
        let screen = DetailScreen(.cachedFirst) { [related] row throws(BrowseError) in
            try await related.response(to: row)
        }
        related.answer(0, with: .success(Page([10])))
        entities.answer(0, with: .success(Row(id: 1)))
        let show = Task {
            await screen.show { [entities] () throws(BrowseError) in
                try await entities.response(to: LoadOptions.current.source)
            }
        }
        await entities.waitForRequests(2)
        show.cancel()
        await show.value
        #expect(screen.state.content.details == Row(id: 1))
        entities.answer(2, with: .success(Row(id: 1, version: 2)))
        for request in 1...3 { related.answer(request, with: .success(Page([11]))) }
        await screen.retry()
        #expect(entities.requests == [.cacheOnly, .networkElseCache, .networkElseCache])
        #expect(screen.state.content.details == Row(id: 1, version: 2))
        #expect(screen.state.related.rows.map(\.id) == [11])
    }

    @Test func `does nothing before anything was requested`() async {
        let screen = DetailScreen { _ throws(BrowseError) in Page([]) }
        await screen.refresh()
        #expect(screen.state == DetailScreen.State())
    }
}
