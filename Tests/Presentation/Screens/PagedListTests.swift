import BrowseDomain
import Foundation
import TestLimits
import Testing

@testable import BrowsePresentation

@Suite(.bounded) struct `A paged list` {
    private let failure = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /x"))

    @Test func `requests the first page, then each next one until the end`() throws {
        var list = PagedList<Row>()
        let first = try list.ticket()
        #expect(first.cursor == nil)
        list.receive(Page(0..<100, next: "2"), for: first)
        #expect(list.phase == .ready)
        let second = try list.ticket()
        #expect(second.cursor == PageCursor(rawValue: "2"))
        list.receive(Page(100..<200), for: second)
        #expect(list.phase == .ended)
        #expect(list.begin() == nil)
        #expect(list.rows.map(\.id) == Array(0..<200))
    }

    @Test func `drops rows of another query, even if the new one is refreshed before it's loaded`() throws {
        var list = PagedList<Row>()
        list.receive(Page(0..<3), for: try list.ticket())
        list.reset(.keepUntilResponse)
        list.reset(.keepUntilPage)
        list.fail(try list.ticket(), with: failure)
        #expect(list.rows.isEmpty)
    }

    @Test func `has one load in flight at a time`() {
        var list = PagedList<Row>()
        #expect(list.begin() != nil)
        for _ in 0..<10 { #expect(list.begin() == nil) }
    }

    @Test func `replaces a cached page in place, so that a view keeps its scroll position`() throws {
        let then = Provenance.stale(since: Date(timeIntervalSince1970: 1))
        for filter in [nil, { @Sendable (row: Row) in row.id != 2 }] {
            var list = PagedList<Row>()
            list.filter(filter)
            let ticket = try list.ticket()
            let kept = Page(items: [1, 2, 3].map { Row(id: $0) }, skipped: [.init(index: 3, reason: "x")])
            #expect(list.preview(kept, for: ticket, from: then) == true)
            #expect(list.skippedCount == 1)
            #expect(list.provenance == then)
            #expect(list.isRefreshing)
            let before = list.rows
            list.receive(Page(items: [Row(id: 0), Row(id: 1), Row(id: 3, version: 1), Row(id: 0)]), for: ticket)
            #expect(list.rows.map(\.id) == [0, 1, 3])
            #expect(list.skippedCount == 0)
            #expect(list.provenance == .fresh)
            #expect(!list.isRefreshing)
            let removed = filter == nil ? [1] : []
            #expect(list.rows.change(since: before) == .update(.init(removed: removed, inserted: [0], updated: [2])))
            // Each of them is known by now, and none of those that went.
            let hasOld = list.update(id: 2) { $0.version = 1 }
            let hasNew = list.remove(id: 1)
            let isInserted = list.insert(Row(id: 2), at: 0)
            #expect(!hasOld && hasNew && isInserted)
        }
    }

    @Test func `reports no change if the server's page equals the cached one`() throws {
        var list = PagedList<Row>()
        let ticket = try list.ticket()
        list.preview(Page([1, 2]), for: ticket, from: .stale(since: Date(timeIntervalSince1970: 1)))
        let before = list.rows
        list.receive(Page([1, 2], next: "b"), for: ticket, from: .revalidated)
        #expect(list.rows.change(since: before) == .none)
        // Later pages are as certain as the least certain of them.
        let offline = Provenance.offline(since: Date(timeIntervalSince1970: 2))
        list.receive(Page([3], next: "c"), for: try list.ticket(), from: offline)
        let last = Page(items: [Row(id: 4)], next: PageCursor(rawValue: "d"), skipped: [.init(index: 1, reason: "x")])
        list.receive(last, for: try list.ticket())
        #expect(list.provenance == offline)
        list.reset(.keepUntilPage)
        #expect(list.skippedCount == 1)
        #expect(list.provenance == offline)
        #expect(list.rows.map(\.id) == [1, 2, 3, 4])
        list.receive(Page([1]), for: try list.ticket())
        #expect(list.provenance == .fresh)
        #expect(list.rows.map(\.id) == [1])
    }

    @Test func `drops a response from before a reset`() throws {
        var list = PagedList<Row>()
        let late = try list.ticket()
        list.reset()
        let fresh = try list.ticket()
        #expect(list.receive(Page([1, 2]), for: late) == false)
        #expect(list.fail(late, with: failure) == false)
        #expect(list.phase == .loading)
        #expect(list.rows.isEmpty)
        #expect(list.receive(Page([3]), for: fresh) == true)
        #expect(list.rows.map(\.id) == [3])
    }

    @Test func `takes one page per ticket`() throws {
        var list = PagedList<Row>()
        let ticket = try list.ticket()
        list.receive(Page([1], next: "b"), for: ticket)
        #expect(list.receive(Page([2], next: "c"), for: ticket) == false)
        let next = try list.ticket()
        #expect(next.cursor == PageCursor(rawValue: "b"))
    }

    @Test func `requests a failed page again only by retry`() throws {
        var list = PagedList<Row>()
        try list.load(Page([1], next: "2"))
        let failing = try list.ticket()
        list.fail(failing, with: failure)
        #expect(list.phase == .failed(failure))
        #expect(list.begin() == nil)
        let again = try list.retryTicket()
        #expect(again.cursor == failing.cursor)
        #expect(list.retry() == nil)
        list.receive(Page([2]), for: again)
        #expect(list.rows.map(\.id) == [1, 2])
    }

    @Test func `is ready after a canceled load, without a failure`() throws {
        var list = PagedList<Row>()
        let ticket = try list.ticket()
        list.fail(ticket, with: .cancelled)
        #expect(list.phase == .ready)
        let next = try list.ticket()
        #expect(next.cursor == nil)
    }

    @Test func `keeps the first of two rows with one id`() throws {
        var list = PagedList<Row>()
        try list.load(Page([1, 2, 1, 3], next: "b"))
        try list.load(Page([3, 2, 4, 4]))
        #expect(list.rows.map(\.id) == [1, 2, 3, 4])
    }

    @Test func `ends if its links form a circle`() throws {
        var list = PagedList<Row>()
        try list.load(Page([1], next: "b"))
        try list.load(Page([2], next: "c"))
        try list.load(Page([3], next: "b"))
        #expect(list.phase == .ended)
    }

    @Test func `filters loaded rows and later pages, and shows all again`() throws {
        var list = PagedList<Row>()
        try list.load(Page([1, 2, 3, 4], next: "b"))
        list.filter { $0.id.isMultiple(of: 2) }
        #expect(list.rows.map(\.id) == [2, 4])
        try list.load(Page([5, 6]))
        #expect(list.rows.map(\.id) == [2, 4, 6])
        #expect(list.loadedCount == 6)
        list.filter(nil)
        #expect(list.rows.map(\.id) == [1, 2, 3, 4, 5, 6])
    }

    @Test(arguments: [
        (0, 89, false), (0, 99, true), (10, 88, false), (10, 89, true), (10, 99, true), (10, 5_000, true),
    ])
    func `needs the next page when a visible row is near the end, even if rows were skipped`(
        distance: Int,
        row: Int,
        wants: Bool
    ) throws {
        var list = PagedList<Row>(prefetchDistance: distance)
        try list.load(Page(0..<100, next: "b"))
        #expect(list.isNearEnd(row) == wants)
    }

    @Test func `counts the rows that couldn't be decoded`() throws {
        var list = PagedList<Row>()
        let skipped: SkippedRows = [SkippedRow(index: 3, codingPath: "login", reason: "missing")]
        let page = Page<Row>(items: [Row(id: 1)], next: PageCursor(rawValue: "b"), skipped: skipped)
        try list.load(page)
        var twice = skipped
        twice.append(contentsOf: skipped)
        try list.load(Page(items: [], skipped: twice))
        #expect(list.skippedCount == 3)
    }
}

extension PagedList {
    fileprivate mutating func ticket() throws -> Ticket {
        let ticket = begin()
        return try #require(ticket)
    }

    fileprivate mutating func retryTicket() throws -> Ticket {
        let ticket = retry()
        return try #require(ticket)
    }
}
