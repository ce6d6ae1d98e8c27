import BrowseDomain
import Foundation
import TestLimits
import Testing

@_spi(Services) @testable import BrowsePresentation

@Suite(.bounded) struct `A paged list` {
    @Test func `replaces a cached page in place, so that a view keeps its scroll position`() throws {
        let then = Provenance.stale(since: Date(timeIntervalSince1970: 1))
        for filter in [nil, { @Sendable (row: Row) in row.id != 2 }] {
            var list = PagedList<Row>()
            list.filter(filter)
            let ticket = try list.ticket()
            let kept = Page(items: [1, 2, 3].map { Row(id: $0) }, skipped: SkippedRows(count: 1))
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
            #expect(!hasOld && hasNew == 1 && isInserted)
        }
    }

    /// slackapi/python-slack-sdk#603, soxtoby/SlackNet#60
    @Test(arguments: [nil, ""] as [String?])
    func `is complete without a next page, or with an empty cursor`(next: String?) throws {
        var list = PagedList<Row>()
        try list.load(Page([1], next: "a"))
        try list.load(Page([2], next: next))
        #expect(list.phase == .ended && !list.hasMore && !list.isContradicted)
    }

    @Test func `takes any number of announced pages`() throws {
        var list = PagedList<Row>()
        var page = Page([1], next: "a")
        page.pagesLeft = .max
        try list.load(page)
        #expect(list.phase == .ready && list.hasMore)
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
        let last = Page(items: [Row(id: 4)], next: PageCursor(rawValue: "d"), skipped: SkippedRows(count: 1))
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
}

extension PagedList {
    fileprivate mutating func ticket() throws -> Ticket {
        let ticket = begin()
        return try #require(ticket)
    }
}
