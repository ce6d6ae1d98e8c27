import BrowseDomain
import BrowseMocks
import BrowsePresentation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `A load that takes long` {
    private let held = ControlledResponses<String, Page<Row>>()
    private let clock = TestClock()
    private let text = "This is taking longer than usual."

    private func list() -> ListScreen {
        ListScreen(clock: clock)
    }

    private func start(_ screen: ListScreen) -> Task<Void, Never> {
        let load = screen.begin { cursor throws(BrowseError) in try await held.response(to: cursor?.rawValue ?? "0") }
        return Task { await load() }
    }

    @Test func `has a note after five seconds, until it ends`() async {
        let screen = list()
        let load = start(screen)
        await held.waitForRequests(1)
        #expect(screen.state.content.status == .loading && screen.state.content.delay == nil)
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .seconds(5))
        #expect(await screen.until { $0.content.delay != nil }.content.delay == text)
        held.answer(0, with: .success(Page([1], next: "1")))
        await load.value
        #expect(screen.state.content.delay == nil)
        // The next page has a time of its own.
        let more = Task { await screen.loadMore() }
        await held.waitForRequests(2)
        #expect(screen.state.content.status == .loadingMore && screen.state.content.delay == nil)
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .seconds(5))
        await screen.until { $0.content.delay == text }
        held.answer(1, with: .failure(.timedOut(.sample)))
        await more.value
        #expect(screen.state.content.delay == nil)
    }

    @Test func `has no note if it's shorter`() async {
        let screen = list()
        let load = start(screen)
        await held.waitForRequests(1)
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .milliseconds(4_999))
        held.answer(0, with: .success(Page([1])))
        await load.value
        await clock.advance(by: .seconds(60))
        #expect(clock.sleeperCount == 0)
        #expect(screen.state.content.delay == nil)
    }

    @Test func `of a detail has a note, until it ends`() async {
        let rows = ControlledResponses<Int, Row>()
        let screen = DetailScreen(clock: clock) { _ throws(BrowseError) in Page([]) }
        let load = Task { await screen.show { () throws(BrowseError) in try await rows.response(to: 0) } }
        await rows.waitForRequests(1)
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .seconds(5))
        #expect(await screen.until { $0.content.delay != nil }.content.delay == text)
        rows.answer(0, with: .failure(.timedOut(.sample)))
        await load.value
        #expect(screen.state.content.delay == nil)
        #expect(screen.state.content.status.message != nil)
    }
}
