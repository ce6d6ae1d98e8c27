import BrowseDomain
import BrowseMocks
import Testing

@testable import BrowsePresentation

@MainActor @Suite(.timeLimit(.minutes(1)))
struct `A page loader` {
    private let held = HeldReplies<String, Page<Row>>()
    private let loader = PageLoader<Page<Row>, Row>(prefetchDistance: 0, policy: .fresh)

    init() {
        loader.accept = { $0 }
    }

    private func restart(_ name: String) -> PageLoad {
        loader.restart { [held] _ throws(BrowseError) in try await held.reply(to: name) }
    }

    @Test func `does nothing for a load that was overtaken before it began, and leaves the other alone`() async {
        let first = restart("first")
        let second = restart("second")
        let task = Task { await second() }
        await held.waitForRequests(1)
        await first()
        held.answer(0, with: .success(Page([1])))
        await task.value
        #expect(held.requests == ["second"])
        #expect(loader.list.rows.map(\.id) == [1])
    }

    @Test func `does not even look at a late reply of somebody who cannot be cancelled`() async {
        var looked = 0
        loader.accept = { page in
            looked += 1
            return page
        }
        let first = loader.restart { [held] _ throws(BrowseError) in
            // A task of its own hears nothing of the cancellation.
            try await Task { () async -> Result<Page<Row>, BrowseError> in
                do throws(BrowseError) { return .success(try await held.reply(to: "first")) } catch {
                    return .failure(error)
                }
            }.value.get()
        }
        let task = Task { await first() }
        await held.waitForRequests(1)
        held.answer(1, with: .success(Page([2])))
        await restart("second")()
        held.answer(0, with: .success(Page([1])))
        await task.value
        #expect(looked == 1)
        #expect(loader.list.rows.map(\.id) == [2])
    }

    @Test func `keeps what came when it is told to stop, and goes on from there`() async {
        held.answer(0, with: .success(Page([1], next: "b")))
        await restart("a")()
        let task = Task { await loader.loadMore() }
        await held.waitForRequests(2)
        loader.cancel()
        await task.value
        #expect(loader.list.rows.map(\.id) == [1])
        #expect(loader.list.phase == .ready)
        held.answer(2, with: .success(Page([2])))
        await loader.loadMore()
        #expect(loader.list.rows.map(\.id) == [1, 2])
    }

    @Test func `has nothing to load before it begins, and after it was cleared`() async {
        await loader.loadMore()
        await loader.retry()
        await loader.refresh()
        held.answer(0, with: .success(Page([1], next: "b")))
        await restart("a")()
        loader.clear()
        #expect(loader.list.rows.isEmpty)
        await loader.loadMore()
        await loader.refresh()
        #expect(held.requests == ["a"])
    }
}
