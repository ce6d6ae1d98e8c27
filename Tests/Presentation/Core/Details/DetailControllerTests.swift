import BrowseDomain
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `A detail controller with a cache` {
    private static let then = Date(timeIntervalSince1970: 1)
    private static let info = BrowseError.RequestInfo(endpoint: "GET /")

    /// The requests for the entity, named by their source.
    private let entities = ControlledResponses<String, Row>()
    /// The requests for related items, named by the entity and their source.
    private let related = ControlledResponses<String, Page<Row>>()
    private let loader: DetailScreen

    init() {
        loader = Self.loader(.cachedFirst, related)
    }

    private static func loader(
        _ policy: LoadPolicy,
        _ related: ControlledResponses<String, Page<Row>>
    ) -> DetailScreen {
        DetailScreen(policy) { entity throws(BrowseError) in try await read("\(entity) ", from: related) }
    }

    /// Reads as a client with a cache does.
    private static func read<Value: Sendable>(
        _ name: String,
        from held: ControlledResponses<String, Value>
    ) async throws(BrowseError) -> Value {
        let source = LoadOptions.current.source
        let value = try await held.response(to: "\(name)\(source)")
        ProvenanceRecord.current?.note(source == .cacheOnly ? .stale(since: then) : .revalidated)
        return value
    }

    private func show(_ name: String = "") async {
        await loader.show { [entities] () throws(BrowseError) in try await Self.read(name, from: entities) }
    }

    /// Lets a row appear, and disappear while it waits for a load.
    private func showBriefly(_ id: Int, in list: ListController<Row>) async {
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let appearance = Task {
            signal.finish()
            await list.controls.rowAppeared(id)
        }
        for await _ in started {}
        appearance.cancel()
        await appearance.value
    }

    @Test func `shows the cached entity with its related items, then the server's`() async throws {
        let seen = Monitor<[String]>([])
        loader.store.addPart { state in
            let entity = state.content.details.map(String.init) ?? "nothing"
            let ids = state.related.rows.map(\.id)
            seen.withLock { $0.append("\(entity) \(ids) \(state.content.provenance?.date == Self.then)") }
        }
        let task = Task { await show() }
        related.answer(0, with: .success(Page([10])))
        related.answer(1, with: .success(Page([11])))
        entities.answer(0, with: .success(Row(id: 1)))
        await related.waitForRequests(2)
        await entities.waitForRequests(2)
        try await waitUntil { seen.value.last == "1 [11] true" }
        entities.answer(1, with: .success(Row(id: 1, version: 2)))
        await related.waitForRequests(3)
        // Related items stay until they are loaded again.
        #expect(seen.value.last == "1.2 [11] false")
        related.answer(2, with: .success(Page([21])))
        await task.value
        #expect(entities.requests == ["cacheOnly", "networkElseCache"])
        #expect(related.requests == ["1 cacheOnly", "1 networkElseCache", "1.2 networkElseCache"])
        #expect(seen.value.first == "nothing [] false")
        #expect(seen.value.last == "1.2 [21] false")
        #expect(loader.state.content.provenance == .revalidated)
    }

    @Test func `requests the related items once if the server confirms the cached entity`() async throws {
        entities.answer(0, with: .success(Row(id: 1)))
        entities.answer(1, with: .success(Row(id: 1)))
        related.answer(0, with: .success(Page([10])))
        let provenance = Monitor<Provenance?>(nil)
        loader.store.addPart { state in provenance.withLock { $0 = state.content.provenance } }
        // It comes last, and is waited for.
        let task = Task { await show() }
        await related.waitForRequests(2)
        try await waitUntil { provenance.value == .revalidated }
        #expect(loader.related.pagedList.rows.map(\.id) == [10])
        related.answer(1, with: .success(Page([11])))
        await task.value
        #expect(loader.related.pagedList.rows.map(\.id) == [11])
        #expect(loader.related.pagedList.phase == .ended)
        #expect(related.requests == ["1 cacheOnly", "1 networkElseCache"])
    }

    @Test func `requests the related items although a row that waits for them disappears`() async throws {
        entities.answer(0, with: .success(Row(id: 1)))
        related.answer(0, with: .success(Page([10])))
        let task = Task { await show() }
        await related.waitForRequests(2)
        await entities.waitForRequests(2)
        await showBriefly(10, in: loader.related)
        entities.answer(1, with: .success(Row(id: 1)))
        related.answer(1, with: .success(Page([11])))
        await task.value
        #expect(loader.related.pagedList.rows.map(\.id) == [11])
    }

    @Test func `requests the related items although a row disappears when the entity is confirmed`() async throws {
        entities.answer(0, with: .success(Row(id: 1)))
        related.answer(0, with: .success(Page([10])))
        let task = Task { await show() }
        await related.waitForRequests(2)
        await entities.waitForRequests(2)
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let row = Task {
            signal.finish()
            await loader.related.controls.rowAppeared(10)
        }
        for await _ in started {}
        let provenance = Monitor<Provenance?>(nil)
        loader.store.addPart { state in
            // As a view that updates at once does.
            if state.content.provenance == .revalidated { row.cancel() }
            provenance.withLock { $0 = state.content.provenance }
        }
        entities.answer(1, with: .success(Row(id: 1)))
        try await waitUntil { provenance.value == .revalidated }
        related.answer(1, with: .success(Page([11])))
        await task.value
        #expect(loader.related.pagedList.rows.map(\.id) == [11])
    }

    @Test func `requests the related items of a row's entity although one of them disappears`() async throws {
        related.answer(0, with: .success(Page([10])))
        let task = Task {
            let load = loader.entity.begin(with: EntityPreview(Row(id: 1))) { [entities] () throws(BrowseError) in
                try await Self.read("", from: entities)
            }
            await load()
        }
        await related.waitForRequests(2)
        await entities.waitForRequests(1)
        await showBriefly(10, in: loader.related)
        entities.answer(0, with: .success(Row(id: 1)))
        related.answer(1, with: .success(Page([11])))
        await task.value
        #expect(loader.related.pagedList.rows.map(\.id) == [11])
    }

    @Test(arguments: [false, true])
    func `cancels the related items of a cached entity with its last caller`(isConfirmed: Bool) async throws {
        entities.answer(0, with: .success(Row(id: 1)))
        related.answer(0, with: .success(Page([10])))
        let task = Task { await show() }
        await related.waitForRequests(2)
        await entities.waitForRequests(2)
        if isConfirmed {
            entities.answer(1, with: .success(Row(id: 1)))
            try await waitUntil { loader.state.content.provenance == .revalidated }
        }
        task.cancel()
        await task.value
        #expect(entities.waitingCount == 0 && related.waitingCount == 0)
        #expect(loader.related.pagedList.rows.map(\.id) == [10] && loader.related.pagedList.phase == .ready)
    }

    @Test func `keeps the cached entity with a notice if the server doesn't respond, and loads again on retry`() async {
        let failure = BrowseError.timedOut(Self.info)
        entities.answer(0, with: .success(Row(id: 1)))
        entities.answer(1, with: .failure(failure))
        related.answer(0, with: .success(Page([10])))
        related.answer(1, with: .success(Page([10])))
        await show()
        #expect(loader.entity.entity == Row(id: 1))
        #expect(loader.state.notice == Texts.english.message(for: failure))
        #expect(loader.state.content.provenance == .stale(since: Self.then))
        let retry = Task { await loader.retry() }
        await entities.waitForRequests(3)
        // The notice of the first attempt is removed when the next one starts, and the cached entity stays.
        #expect(loader.state.notice == nil && loader.state.content.provenance == .stale(since: Self.then))
        entities.answer(2, with: .success(Row(id: 1)))
        related.answer(2, with: .success(Page([10])))
        await retry.value
        #expect(entities.requests == ["cacheOnly", "networkElseCache", "networkElseCache"])
        #expect(loader.state.notice == nil)
        #expect(loader.state.content.provenance == .revalidated)
    }

    @Test func `keeps another notice when a refresh after a failure is canceled`() async {
        let failure = BrowseError.timedOut(Self.info)
        entities.answer(0, with: .success(Row(id: 1)))
        entities.answer(1, with: .failure(failure))
        for request in 0...1 { related.answer(request, with: .success(Page([10]))) }
        await show()
        #expect(loader.state.notice?.error == failure)
        let refresh = Task { await loader.refresh() }
        await entities.waitForRequests(3)
        let other = Texts.english.noFavorites
        loader.entity.show(other)
        refresh.cancel()
        await refresh.value
        #expect(loader.state.notice == other)
    }

    @Test func `removes an entity that the server no longer has`() async {
        entities.answer(0, with: .success(Row(id: 1)))
        entities.answer(1, with: .failure(.notFound(Self.info)))
        related.answer(0, with: .success(Page([10])))
        related.answer(1, with: .success(Page([10])))
        await show()
        #expect(loader.state.content.status == .failed(Texts.english.message(for: .notFound(Self.info))))
        #expect(loader.entity.entity == nil && loader.state.notice == nil)
    }

    @Test func `loads several related lists, and retries the one that failed`() async {
        let screen = DetailScreen { _ throws(BrowseError) in Page([10]) }
        let (store, isFailing, info) = (StateStore(ListState<Row>()), Monitor(true), Self.info)
        let second = ListController<Row>(in: store, at: \.self, options: .english(policy: .fresh))
        screen.entity.relate(second, empty: Texts.english.noFavorites) { _, _ throws(BrowseError) -> Page<Row> in
            guard !isFailing.value else { throw .timedOut(info) }
            return Page([20])
        } row: { row in
            row
        }
        await screen.show { () throws(BrowseError) in Row(id: 1) }
        #expect(screen.state.related.rows.map(\.id) == [10] && store.state.status.message?.kind == .timedOut)
        isFailing.withLock { $0 = false }
        await screen.retry()
        #expect(screen.state.related.rows.map(\.id) == [10] && store.state.rows.map(\.id) == [20])
    }

    @Test func `loads later pages of a related list`() async {
        let store = StateStore(ListState<Row>())
        let list = ListController<Row>(in: store, at: \.self, options: .english(policy: .fresh))
        let screen = DetailScreen { _ throws(BrowseError) in Page([]) }
        screen.entity.relate(list, empty: Texts.english.noFavorites) { row, cursor throws(BrowseError) -> Page<Row> in
            cursor == nil ? Page(items: [Row(id: row.id)], next: PageCursor(page: 2)) : Page([20])
        } row: { row in
            row
        }
        await screen.show { () throws(BrowseError) in Row(id: 1) }
        await list.controls.loadMore()
        #expect(store.state.rows.map(\.id) == [1, 20] && !store.state.hasMore)
    }

    @Test func `retries several related lists at once`() async {
        let (store, held, info) = (StateStore(ListState<Row>()), ControlledResponses<Int, Page<Row>>(), Self.info)
        let screen = DetailScreen { _ throws(BrowseError) in try await held.response(to: 1) }
        let second = ListController<Row>(in: store, at: \.self, options: .english(policy: .fresh))
        screen.entity.relate(second, empty: Texts.english.noFavorites) { _, _ throws(BrowseError) -> Page<Row> in
            try await held.response(to: 2)
        } row: { row in
            row
        }
        for request in 0..<2 { held.answer(request, with: .failure(.timedOut(info))) }
        await screen.show { () throws(BrowseError) in Row(id: 1) }
        let retry = Task { await screen.retry() }
        // Neither has a response yet.
        await held.waitForRequests(4)
        #expect(held.requests.suffix(2).sorted() == [1, 2])
        for request in 2..<4 { held.answer(request, with: .success(Page([10]))) }
        await retry.value
        #expect(screen.state.related.rows.map(\.id) == [10] && store.state.rows.map(\.id) == [10])
    }

    @Test func `refreshes a second related list although one of its rows disappears`() async {
        let (store, held) = (StateStore(ListState<Row>()), ControlledResponses<Int, Page<Row>>())
        let screen = DetailScreen { _ throws(BrowseError) in try await held.response(to: 1) }
        let second = ListController<Row>(in: store, at: \.self, options: .english(policy: .fresh))
        screen.entity.relate(second, empty: Texts.english.noFavorites) { _, _ throws(BrowseError) -> Page<Row> in
            try await held.response(to: 2)
        } row: { row in
            row
        }
        for request in 0..<2 { held.answer(request, with: .success(Page([10]))) }
        await screen.show { () throws(BrowseError) in Row(id: 1) }
        let refresh = Task { await screen.refresh() }
        await held.waitForRequests(4)
        await showBriefly(10, in: second)
        for request in 2..<4 { held.answer(request, with: .success(Page([11]))) }
        await refresh.value
        #expect(screen.state.related.rows.map(\.id) == [11] && store.state.rows.map(\.id) == [11])
    }

    @Test func `doesn't describe a cached entity if another was requested`() async {
        let first = Task {
            await loader.show { [entities] () throws(BrowseError) in
                try await entities.responseWhateverHappens(to: "first")
            }
        }
        await entities.waitForRequests(1)
        entities.answer(1, with: .success(Row(id: 2)))
        entities.answer(2, with: .success(Row(id: 2)))
        related.answer(0, with: .success(Page([20])))
        related.answer(1, with: .success(Page([20])))
        await show("second ")
        entities.answer(0, with: .success(Row(id: 1)))
        await first.value
        #expect(loader.entity.entity == Row(id: 2))
        #expect(related.requests == ["2 cacheOnly", "2 networkElseCache"])
    }

    @Test func `requests only from the sources of the policy`() async {
        for (policy, source) in [
            (LoadPolicy.fresh, "network"), (.freshElseCached, "networkElseCache"), (.offline, "cacheOnly"),
        ] {
            let (entities, related) = (ControlledResponses<String, Row>(), ControlledResponses<String, Page<Row>>())
            let loader = Self.loader(policy, related)
            entities.answer(0, with: .success(Row(id: 1)))
            related.answer(0, with: .success(Page([10])))
            await loader.show { () throws(BrowseError) in try await Self.read("", from: entities) }
            #expect(entities.requests == [source])
            #expect(related.requests == ["1 \(source)"])
            #expect(loader.related.pagedList.rows.map(\.id) == [10])
        }
    }
}
