import BrowseDomain
import BrowseMocks
import Foundation
import Testing

@testable import BrowsePresentation

@MainActor @Suite(.timeLimit(.minutes(5)))
struct `A detail controller with a cache` {
    private static let then = Date(timeIntervalSince1970: 1)
    private static let info = BrowseError.RequestInfo(endpoint: "GET /")

    /// The requests for the thing, named by their source.
    private let things = ControlledResponses<String, Row>()
    /// The requests for related items, named by the thing and their source.
    private let related = ControlledResponses<String, Page<Row>>()
    private let loader: DetailScreen

    init() {
        loader = Self.loader(.cachedFirst, related)
    }

    private static func loader(
        _ policy: LoadPolicy,
        _ related: ControlledResponses<String, Page<Row>>
    ) -> DetailScreen {
        DetailScreen(policy) { thing throws(BrowseError) in try await read("\(thing) ", from: related) }
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
        await loader.show { [things] () throws(BrowseError) in try await Self.read(name, from: things) }
    }

    @Test func `shows the cached thing with its related items, then the server's`()
        async throws
    {
        let seen = Monitor<[String]>([])
        loader.store.addPart { state in
            let thing = state.content.details.map(String.init) ?? "nothing"
            let ids = state.related.rows.map(\.id)
            seen.withLock { $0.append("\(thing) \(ids) \(state.content.provenance?.date == Self.then)") }
        }
        let task = Task { await show() }
        related.answer(0, with: .success(Page([10])))
        related.answer(1, with: .success(Page([11])))
        things.answer(0, with: .success(Row(id: 1)))
        await related.waitForRequests(2)
        await things.waitForRequests(2)
        try await waitUntil { seen.value.last == "1 [11] true" }
        things.answer(1, with: .success(Row(id: 1, version: 2)))
        await related.waitForRequests(3)
        // Related items stay until they are loaded again.
        #expect(seen.value.last == "1.2 [11] false")
        related.answer(2, with: .success(Page([21])))
        await task.value
        #expect(things.requests == ["cacheOnly", "networkElseCache"])
        #expect(related.requests == ["1 cacheOnly", "1 networkElseCache", "1.2 networkElseCache"])
        #expect(seen.value.first == "nothing [] false")
        #expect(seen.value.last == "1.2 [21] false")
        #expect(loader.state.content.provenance == .revalidated)
    }

    @Test func `requests the related items once if the server confirms the cached thing`() async throws {
        things.answer(0, with: .success(Row(id: 1)))
        things.answer(1, with: .success(Row(id: 1)))
        related.answer(0, with: .success(Page([10])))
        let provenance = Monitor<Provenance?>(nil)
        loader.store.addPart { state in provenance.withLock { $0 = state.content.provenance } }
        // It comes last, and is waited for.
        let task = Task { await show() }
        await related.waitForRequests(2)
        try await waitUntil { provenance.value == .revalidated }
        #expect(loader.related.list.rows.map(\.id) == [10])
        related.answer(1, with: .success(Page([11])))
        await task.value
        #expect(loader.related.list.rows.map(\.id) == [11])
        #expect(loader.related.list.phase == .ended)
        #expect(related.requests == ["1 cacheOnly", "1 networkElseCache"])
    }

    @Test func `keeps the cached thing with a notice if the server doesn't respond, and loads again on retry`() async {
        let failure = BrowseError.timedOut(Self.info)
        things.answer(0, with: .success(Row(id: 1)))
        things.answer(1, with: .failure(failure))
        related.answer(0, with: .success(Page([10])))
        related.answer(1, with: .success(Page([10])))
        await show()
        #expect(loader.thing.thing == Row(id: 1))
        #expect(loader.state.notice == Texts.english.message(for: failure))
        #expect(loader.state.content.provenance == .stale(since: Self.then))
        let retry = Task { await loader.retry() }
        await things.waitForRequests(3)
        // The notice of the first attempt is removed when the next one starts, and the cached thing stays.
        #expect(loader.state.notice == nil && loader.state.content.provenance == .stale(since: Self.then))
        things.answer(2, with: .success(Row(id: 1)))
        related.answer(2, with: .success(Page([10])))
        await retry.value
        #expect(things.requests == ["cacheOnly", "networkElseCache", "networkElseCache"])
        #expect(loader.state.notice == nil)
        #expect(loader.state.content.provenance == .revalidated)
    }

    @Test func `removes a thing that the server no longer has`() async {
        things.answer(0, with: .success(Row(id: 1)))
        things.answer(1, with: .failure(.notFound(Self.info)))
        related.answer(0, with: .success(Page([10])))
        related.answer(1, with: .success(Page([10])))
        await show()
        #expect(loader.state.content.status == .failed(Texts.english.message(for: .notFound(Self.info))))
        #expect(loader.thing.thing == nil && loader.state.notice == nil)
    }

    @Test func `drops a cached thing if another was requested`() async {
        let first = Task { await show("first ") }
        await things.waitForRequests(1)
        let second = Task { await show("second ") }
        await things.waitForRequests(2)
        things.answer(1, with: .success(Row(id: 2)))
        things.answer(2, with: .success(Row(id: 2)))
        related.answer(0, with: .success(Page([20])))
        related.answer(1, with: .success(Page([20])))
        await first.value
        await second.value
        #expect(things.requests == ["first cacheOnly", "second cacheOnly", "second networkElseCache"])
        #expect(loader.thing.thing == Row(id: 2))
        #expect(loader.related.list.rows.map(\.id) == [20])
    }

    @Test func `doesn't describe a cached thing if another was requested`() async {
        let first = Task {
            await loader.show { [things] () throws(BrowseError) in try await things.responseWhateverHappens(to: "first")
            }
        }
        await things.waitForRequests(1)
        things.answer(1, with: .success(Row(id: 2)))
        things.answer(2, with: .success(Row(id: 2)))
        related.answer(0, with: .success(Page([20])))
        related.answer(1, with: .success(Page([20])))
        await show("second ")
        things.answer(0, with: .success(Row(id: 1)))
        await first.value
        #expect(loader.thing.thing == Row(id: 2))
        #expect(related.requests == ["2 cacheOnly", "2 networkElseCache"])
    }

    @Test func `requests only from the sources of the policy`() async {
        for (policy, source) in [
            (LoadPolicy.fresh, "network"), (.freshElseCached, "networkElseCache"), (.offline, "cacheOnly"),
        ] {
            let (things, related) = (ControlledResponses<String, Row>(), ControlledResponses<String, Page<Row>>())
            let loader = Self.loader(policy, related)
            things.answer(0, with: .success(Row(id: 1)))
            related.answer(0, with: .success(Page([10])))
            await loader.show { () throws(BrowseError) in try await Self.read("", from: things) }
            #expect(things.requests == [source])
            #expect(related.requests == ["1 \(source)"])
            #expect(loader.related.list.rows.map(\.id) == [10])
        }
    }
}
