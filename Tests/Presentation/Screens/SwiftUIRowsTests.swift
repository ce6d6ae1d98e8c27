import BrowseDomain
import BrowseMocks
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowsePresentation

/// Simulates SwiftUI's tasks of visible rows, which are chosen at random.
///
/// A task starts when its row appears, and is canceled when the row disappears.
@MainActor
private final class ShownRows {
    private let screen: ListScreen
    private var tasks: [Int: Task<Void, Never>] = [:]

    init(_ screen: ListScreen) {
        self.screen = screen
    }

    /// Scrolls to rows, cancels the tasks of other rows, and starts those of new rows in any order.
    func show(_ positions: Range<Int>, using random: inout SeededGenerator) {
        let ids = screen.ids
        let visible = Set(positions.clamped(to: ids.indices).map { ids[$0] })
        for id in tasks.keys.sorted().shuffled(using: &random) where !visible.contains(id) {
            tasks.removeValue(forKey: id)?.cancel()
        }
        for id in visible.sorted().shuffled(using: &random) where tasks[id] == nil {
            tasks[id] = Task { [screen] in await screen.rowAppeared(id) }
        }
    }

    /// Shows the last rows of all; rows that arrive later aren't shown until the next call.
    func showEnd(_ count: Int, using random: inout SeededGenerator) {
        show(max(0, screen.ids.count - count)..<screen.ids.count, using: &random)
    }

    func disappear() {
        for task in tasks.values { task.cancel() }
        tasks = [:]
    }
}

/// A server that takes a second for each page, and notes what it answers.
private final class SlowPages: Sendable {
    static let pageCount = 6
    static let pageSize = 5

    let clock = TestClock()
    let answered = Mutex<[Int]>([])

    func page(at cursor: PageCursor?) async throws(BrowseError) -> Page<Row> {
        let number = cursor.flatMap { Int($0.rawValue) } ?? 0
        do { try await clock.sleep(for: .seconds(1)) } catch { throw .cancelled }
        answered.withLock { $0.append(number) }
        let first = number * Self.pageSize
        return Page(first..<first + Self.pageSize, next: number + 1 < Self.pageCount ? "\(number + 1)" : nil)
    }
}

@MainActor @Suite(.bounded)
struct `Rows that appear and disappear` {
    private let pages = SlowPages()
    private let screen: ListScreen
    private let rows: ShownRows

    init() {
        screen = ListScreen(prefetchDistance: 2)
        rows = ShownRows(screen)
    }

    private func begin() async {
        let load = screen.begin { [pages] cursor throws(BrowseError) in try await pages.page(at: cursor) }
        let first = Task { await load() }
        await pages.clock.waitForSleepers(1)
        await pages.clock.advance(by: .seconds(1))
        await first.value
    }

    @Test(arguments: 0..<40)
    func `bring every page, in order, however a person scrolls`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        await begin()
        let total = SlowPages.pageCount * SlowPages.pageSize
        for _ in 0..<60 where screen.ids.count < total {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                // Scrolls anywhere, so that the rows that wait for a page may all disappear.
                let start = Int.random(in: 0...screen.ids.count, using: &random)
                rows.show(start..<start + Int.random(in: 0..<8, using: &random), using: &random)
            case 1: rows.disappear()
            case 2: await pages.clock.advance(by: .milliseconds(Int.random(in: 0..<1_500, using: &random)))
            case 3:
                // Only to interleave: some tasks have begun, others haven't.
                for _ in 0..<Int.random(in: 0..<6, using: &random) { await Task.yield() }
            default: rows.showEnd(Int.random(in: 1..<6, using: &random), using: &random)
            }
        }
        // Whatever came before, one row that stays brings the next page: those that are visible don't appear again, and the one that
        // requested the page may be among those that disappear.
        while screen.ids.count < total {
            let count = screen.ids.count
            rows.showEnd(3, using: &random)
            try await waitUntil { screen.ids.count > count || pages.clock.sleeperCount > 0 }
            let position = count - Int.random(in: 1...3, using: &random)
            rows.show(position..<position + 1, using: &random)
            try await waitUntil { screen.ids.count > count || pages.clock.sleeperCount > 0 }
            await pages.clock.advance(by: .seconds(1))
            try await waitUntil { screen.ids.count > count }
        }
        #expect(screen.ids == Array(0..<total))
        #expect(!screen.state.content.hasMore)
    }

    @Test func `share a page, which goes on when the row that requested it disappears`() async {
        await begin()
        let first = await appear(4)
        let second = await appear(3)
        await pages.clock.waitForSleepers(1)
        first.cancel()
        await first.value
        #expect(screen.state.content.status == .loadingMore)
        await pages.clock.advance(by: .seconds(1))
        await second.value
        #expect(screen.ids.count == 2 * SlowPages.pageSize)
        #expect(pages.answered.withLock(\.self) == [0, 1])
    }

    @Test func `cancel their page when all have disappeared, and request it again when one appears`() async {
        await begin()
        let row = await appear(4)
        await pages.clock.waitForSleepers(1)
        row.cancel()
        await row.value
        #expect(pages.clock.sleeperCount == 0)
        #expect(screen.state.content.status == .ready)
        let again = await appear(4)
        await pages.clock.waitForSleepers(1)
        await pages.clock.advance(by: .seconds(1))
        await again.value
        #expect(screen.ids.count == 2 * SlowPages.pageSize)
    }

    /// Starts a row's task, and returns when it waits.
    private func appear(_ id: Int) async -> Task<Void, Never> {
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let task = Task { [screen] in
            signal.finish()
            await screen.rowAppeared(id)
        }
        for await _ in started {}
        return task
    }
}
