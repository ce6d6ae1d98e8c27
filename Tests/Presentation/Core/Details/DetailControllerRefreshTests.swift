import BrowseDomain
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `A refresh of details` {
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

    /// Often, since the end of the canceled load and the new entity reach the main actor in any order.
    @Test func `that starts over takes over the callers of the load that it replaces`() async {
        for _ in 0..<100 {
            let (entities, related) = (ControlledResponses<Int, Row>(), ControlledResponses<Row, Page<Row>>())
            let screen = DetailScreen { row throws(BrowseError) in try await related.response(to: row) }
            let show = Task {
                await screen.show { () throws(BrowseError) in try await entities.response(to: 0) }
                return screen.state.related.rows.map(\.id)
            }
            await entities.waitForRequests(1)
            entities.answer(1, with: .success(Row(id: 1)))
            related.answer(0, with: .success(Page([10])))
            // As for another account.
            screen.entity.restart().keep()
            #expect(await show.value == [10])
        }
    }

    @Test func `isn't canceled by the only caller of the load before, which leaves at that moment`() async {
        let (entities, related) = (ControlledResponses<Int, Row>(), ControlledResponses<Row, Page<Row>>())
        let screen = DetailScreen { row throws(BrowseError) in try await related.response(to: row) }
        let show = Task { await screen.show { () throws(BrowseError) in try await entities.response(to: 0) } }
        await entities.waitForRequests(1)
        screen.entity.onLoad {
            show.cancel()
            return nil
        }
        entities.answer(1, with: .success(Row(id: 1)))
        related.answer(0, with: .success(Page([10])))
        await screen.entity.restart()()
        #expect(screen.state.related.rows.map(\.id) == [10])
    }

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

    @Test func `asks the server, although the cache's answer is young and its related items are loading`() async {
        let none = BrowseError.unreachable(.notCached, BrowseError.RequestInfo(endpoint: "GET /"))
        let screen = DetailScreen(.cached(upTo: .seconds(300))) { [related] row throws(BrowseError) in
            try await related.response(to: row)
        }
        entities.answer(0, with: .failure(none))
        entities.answer(1, with: .success(Row(id: 1)))
        let show = Task {
            await screen.show { [entities] () throws(BrowseError) in
                let row = try await entities.response(to: LoadOptions.current.source)
                if LoadOptions.current.accepted != nil { ProvenanceRecord.current?.note(.stale(since: .now)) }
                return row
            }
        }
        await related.waitForRequests(1)
        #expect(screen.state.content.details == Row(id: 1) && screen.state.content.provenance?.isCurrent == false)
        entities.answer(2, with: .success(Row(id: 1, version: 2)))
        related.answer(1, with: .failure(none))
        related.answer(2, with: .success(Page([10])))
        await screen.refresh()
        #expect(screen.state.content.details == Row(id: 1, version: 2))
        #expect(screen.state.content.provenance == .fresh && screen.state.related.rows.map(\.id) == [10])
        await show.value
    }

    @Test(arguments: [false, true])
    func `asks a server that couldn't be reached, although related items are loading`(isStored: Bool) async throws {
        let screen = DetailScreen(.cachedFirst) { [related] row throws(BrowseError) in
            try await related.response(to: row)
        }
        let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))
        let date = Date(timeIntervalSince1970: 1)
        entities.answer(0, with: .success(Row(id: 1)))
        related.answer(0, with: .success(Page([10])))
        let show = Task {
            await screen.show { [entities] () throws(BrowseError) in
                let row = try await entities.response(to: LoadOptions.current.source)
                switch entities.requests.count {
                case 1: ProvenanceRecord.current?.note(.stale(since: date))
                case 2: ProvenanceRecord.current?.note(.offline(since: date))
                default: break
                }
                return row
            }
        }
        await related.waitForRequests(2)
        await entities.waitForRequests(2)
        entities.answer(1, with: isStored ? .success(Row(id: 1)) : .failure(failure))
        try await waitUntil {
            isStored ? screen.state.content.provenance == .offline(since: date) : screen.state.notice != nil
        }
        entities.answer(2, with: .success(Row(id: 1, version: 2)))
        related.answer(2, with: .success(Page([11])))
        await screen.retry()
        #expect(screen.state.content.details == Row(id: 1, version: 2) && screen.state.notice == nil)
        #expect(screen.state.content.provenance == .fresh && screen.state.related.rows.map(\.id) == [11])
        await show.value
    }

    @Test func `lets related items arrive although the server still can't be reached`() async throws {
        let screen = DetailScreen(.cachedFirst) { [related] row throws(BrowseError) in
            try await related.response(to: row)
        }
        let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))
        entities.answer(0, with: .success(Row(id: 1)))
        // None are cached.
        related.answer(0, with: .failure(failure))
        let show = Task {
            await screen.show { [entities] () throws(BrowseError) in
                let row = try await entities.response(to: LoadOptions.current.source)
                ProvenanceRecord.current?.note(.stale(since: Date(timeIntervalSince1970: 1)))
                return row
            }
        }
        await related.waitForRequests(2)
        await entities.waitForRequests(2)
        for request in 1...2 { entities.answer(request, with: .failure(failure)) }
        try await waitUntil { screen.state.notice != nil }
        let retry = Task { await screen.retry() }
        await entities.waitForRequests(3)
        related.answer(1, with: .success(Page([10])))
        await retry.value
        await show.value
        #expect(screen.state.notice?.kind == .timedOut && screen.state.related.rows.map(\.id) == [10])
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

    @Test func `asks again for related items that the service counts, but didn't send`() async {
        let isComplete = Monitor(false)
        let screen = DetailScreen { _ throws(BrowseError) in
            isComplete.value ? Page([10]) : Page(items: [], totalCount: 1)
        }
        await screen.show { () throws(BrowseError) in Row(id: 1) }
        #expect(screen.state.related.status.emptyMessage?.action == .retry)
        isComplete.withLock { $0 = true }
        await screen.perform(.retry)
        #expect(screen.state.related.rows.map(\.id) == [10])
    }

    /// richmondrcmp/mobileapp#23, astubenbord/paperless-mobile#54
    @Test(arguments: [LoadPolicy.freshElseCached, .offline], [true, false])
    func `loads what is cached because the server couldn't be reached, as a retry does`(
        policy: LoadPolicy,
        isEntity: Bool
    ) async {
        let (entities, rows) = (Monitor(0), Monitor(0))
        let cached = Provenance.offline(since: Date(timeIntervalSince1970: 0))
        let screen = DetailScreen(policy) { _ throws(BrowseError) in
            if rows.value == 0 { ProvenanceRecord.current?.note(cached) }
            rows.withLock { $0 += 1 }
            return Page([10])
        }
        await screen.show { () throws(BrowseError) in
            if isEntity, entities.value == 0 { ProvenanceRecord.current?.note(cached) }
            entities.withLock { $0 += 1 }
            return Row(id: 1)
        }
        for _ in 0..<2 { await screen.retry() }
        let isAsked = policy != .offline
        #expect(rows.value == (isAsked ? 2 : 1) && entities.value == (isAsked && isEntity ? 2 : 1))
        #expect((screen.state.related.age == nil) == isAsked)
    }
}
