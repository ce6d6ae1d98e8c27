import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowsePresentation

/// The rules of a paged list in their simplest form: arrays, and nothing shared.
private struct Model {
    enum Phase { case ready, loading, failed, ended }
    struct Counts {
        var pages = 0
        var received = 0
        var announced = 0
    }
    struct Last {
        var next: String?
        var counts: Counts
        var skipped: Int
    }
    /// The position in the list, to which a canceled refresh returns.
    struct Position {
        var phase: Phase
        var next: String?
        var seen: Set<String>
        var old: RowRetention
        var hasMore: Bool
        var counts: Counts
        var beforeLast: Last?
    }

    var phase = Phase.ready
    var rows: [Row] = []
    var filter: Int?
    var next: String?
    var seen: Set<String> = []
    var hasMore = false
    var counts = Counts()
    /// What preceded the last page, if the service contradicts that the list is complete.
    var beforeLast: Last?
    var skipped = 0
    var total: Int?
    /// Which ticket is good, by the order in which they were handed out.
    var current: Int?
    /// Whether the rows are from before a reset, or a preview, and how long they stay.
    var old = RowRetention.discard
    /// The position before a refresh.
    var previous: Position?

    var shown: [Row] { rows.filter { row in filter.map { row.id % $0 == 0 } ?? true } }

    mutating func dropOld() {
        if old != .discard { (rows, hasMore, skipped, total) = ([], false, 0, nil) }
        old = .discard
        previous = nil
    }

    mutating func release() {
        phase = .ready
        if old == .keepUntilResponse { dropOld() }
        if let previous {
            (phase, next, seen, old, hasMore) = (
                previous.phase, previous.next, previous.seen, previous.old, previous.hasMore
            )
            (counts, beforeLast) = (previous.counts, previous.beforeLast)
        }
        previous = nil
    }

    mutating func reset(_ retention: RowRetention) {
        let before = self
        self = Model(filter: filter)
        // A list without rows has a position, too, if it has a page.
        let hasPosition = retention == .keepUntilPage && (before.previous?.counts ?? before.counts).pages > 0
        guard hasPosition || retention != .discard && !before.rows.isEmpty else { return }
        (rows, hasMore, skipped, total) = (before.rows, before.hasMore, before.skipped, before.total)
        old = before.old == .keepUntilResponse ? .keepUntilResponse : retention
        let phase = before.phase == .loading ? .ready : before.phase
        guard old == .keepUntilPage else { return }
        previous =
            before.previous
            ?? Position(
                phase: phase,
                next: before.next,
                seen: before.seen,
                old: before.old,
                hasMore: before.hasMore,
                counts: before.counts,
                beforeLast: before.beforeLast
            )
    }

    /// Whether the last page of an incomplete list can be requested again.
    ///
    /// A first page is refreshed instead.
    var repeatsLast: Bool { beforeLast?.next != nil }

    /// Returns to the position before the last page.
    mutating func repeatLast() {
        guard let last = beforeLast, last.next != nil else { return }
        // What the page announced still counts, as a total does.
        let announced = counts.announced
        (next, counts, skipped) = (last.next, last.counts, last.skipped)
        counts.announced = announced
        (beforeLast, hasMore) = (nil, true)
    }

    mutating func receive(_ page: Page<Row>) {
        dropOld()
        for row in page.items where !rows.contains(where: { $0.id == row.id }) { rows.append(row) }
        let last = Last(next: next, counts: counts, skipped: skipped)
        let isUnreadable = next != nil && page.items.isEmpty && page.skipped.count > 0
        next = page.next?.rawValue
        counts.pages += 1
        counts.received += page.items.count + page.skipped.count
        if let left = page.pagesLeft { counts.announced = counts.pages + left }
        skipped += page.skipped.count
        total = page.totalCount ?? total
        hasMore = if let next, !isUnreadable { seen.insert(next).inserted } else { false }
        phase = hasMore ? .ready : .ended
        let isComplete =
            next == nil && !isUnreadable && counts.pages >= counts.announced && counts.received >= total ?? 0
        beforeLast = hasMore || page.isLimited || isComplete ? nil : last
        current = nil
    }

    /// A later page without readable rows ends the list.
    mutating func failUnreadable() {
        beforeLast = Last(next: next, counts: counts, skipped: skipped)
        skipped += 1
        (phase, hasMore) = (.ended, false)
    }

    /// A later page that isn't found ends the list, which is complete only if a total says so.
    mutating func failMissing() {
        beforeLast = counts.received < total ?? .max ? Last(next: next, counts: counts, skipped: skipped) : nil
        (phase, hasMore) = (.ended, false)
    }
}

@Suite(.bounded) struct `A paged list beside a model` {
    private let notFound = BrowseError.notFound(BrowseError.RequestInfo(endpoint: "GET /x"))
    private let failure = BrowseError.serverFailure(BrowseError.RequestInfo(endpoint: "GET /x", status: 500))
    private let unreadable = BrowseError.unusableResponse(
        .decoding(BrowseError.DecodingFailure(codingPath: "[0].id", reason: "not a number")),
        BrowseError.RequestInfo(endpoint: "GET /x")
    )

    /// Random sequences of all events of a list. After each step the list equals the model, and so does a front end that
    /// applied the changes, whether it saw every state or only some.
    @Test(arguments: 0..<300)
    func `matches the model after any sequence of events`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var list = PagedList<Row>(prefetchDistance: 3)
        var model = Model()
        var tickets: [(PagedList<Row>.Ticket, number: Int)] = []
        var count = 0
        var eager = (rows: list.rows, shown: [Row]())
        var lazy = eager

        for step in 0..<120 {
            switch Int.random(in: 0..<21, using: &random) {
            case 0..<6:
                let ticket = list.begin()
                #expect((ticket != nil) == (model.phase == .ready))
                if let ticket { record(ticket) }
            case 6, 7:
                let ticket = list.retry()
                #expect((ticket != nil) == (model.phase == .failed || model.repeatsLast))
                if ticket != nil { model.repeatLast() }
                if let ticket { record(ticket) }
            case 8..<14:
                // Outdated tickets too: late or repeated responses.
                guard let (ticket, number) = tickets.randomElement(using: &random) else { break }
                let ids = (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0..<80, using: &random)
                }
                let next =
                    Int.random(in: 0..<6, using: &random) == 0 ? nil : "\(Int.random(in: 0..<25, using: &random))"
                var page = Page(ids, next: next)
                // Totals and links that sometimes contradict what is received, and unreadable rows.
                if roll(5) == 0 { page.totalCount = roll(30) }
                if roll(8) == 0 { page.pagesLeft = roll(3) }
                if roll(5) == 0 { page.skipped = SkippedRows(count: 2) }
                page.isLimited = roll(10) == 0
                let isGood = number == model.current
                #expect((list.current == ticket) == isGood)
                list.receive(page, for: ticket)
                if isGood { model.receive(page) }
            case 14:
                guard let (ticket, number) = tickets.randomElement(using: &random) else { break }
                let error = [.cancelled, failure, notFound, unreadable].randomElement(using: &random) ?? failure
                let isGood = number == model.current
                #expect((list.current == ticket) == isGood)
                list.fail(ticket, with: error)
                guard isGood else { break }
                model.current = nil
                guard error != .cancelled else {
                    model.release()
                    break
                }
                model.phase = .failed
                if error == unreadable, ticket.cursor != nil { model.failUnreadable() }
                if error == notFound, ticket.cursor != nil { model.failMissing() }
                if model.old == .keepUntilResponse || (error == notFound && ticket.cursor == nil) { model.dropOld() }
            case 15 where step % 4 == 0:
                let old = [RowRetention.discard, .keepUntilResponse, .keepUntilPage][
                    Int.random(in: 0..<3, using: &random)
                ]
                list.reset(old)
                model.reset(old)
            case 16:
                model.filter = Bool.random(using: &random) ? nil : Int.random(in: 2...4, using: &random)
                if let divisor = model.filter { list.filter { $0.id % divisor == 0 } } else { list.filter(nil) }
            case 17:
                let row = Row(id: Int.random(in: 0..<80, using: &random), version: step)
                let place = Int.random(in: 0...model.rows.count, using: &random)
                let isNew = !model.rows.contains { $0.id == row.id }
                #expect(list.insert(row, at: place) == isNew)
                if isNew { model.rows.insert(row, at: place) }
            case 18:
                let row = Row(id: Int.random(in: 0..<80, using: &random), version: step)
                let place = model.rows.firstIndex { $0.id == row.id }
                #expect(list.update(id: row.id) { $0 = row } == (place != nil))
                if let place { model.rows[place] = row }
            case 19:
                guard let (ticket, number) = tickets.randomElement(using: &random) else { break }
                let ids = (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0..<80, using: &random)
                }
                let isWanted =
                    number == model.current && ticket.cursor == nil && !ids.isEmpty
                    && (model.previous == nil && model.rows.isEmpty || model.old == .keepUntilResponse)
                #expect(list.preview(Page(ids, next: "1"), for: ticket, from: .stale(since: .distantPast)) == isWanted)
                if isWanted {
                    if model.old == .keepUntilResponse { model.dropOld() }
                    for id in ids where !model.rows.contains(where: { $0.id == id }) { model.rows.append(Row(id: id)) }
                    (model.old, model.hasMore, model.skipped, model.total) = (.keepUntilPage, true, 0, nil)
                }
            default:
                let id = Int.random(in: 0..<80, using: &random)
                let place = model.rows.firstIndex { $0.id == id }
                #expect(list.remove(id: id) == place)
                if let place { model.rows.remove(at: place) }
            }

            try #require(Array(list.rows) == model.shown, "step \(step)")
            #expect(list.loadedCount == model.rows.count)
            let id = Int.random(in: 0..<80, using: &random)
            #expect(list.row(id) == model.rows.first { $0.id == id })
            #expect(list.position(of: id) == model.shown.firstIndex { $0.id == id })
            #expect(list.hasMore == model.hasMore)
            #expect(list.skippedCount == model.skipped && list.totalCount == model.total)
            #expect(list.isContradicted == (model.beforeLast != nil))
            // Nothing but `retry()` requests the last page of an incomplete list again.
            if list.isContradicted { #expect(!list.hasMore && list.phase == .ended) }
            follow(&eager)
            if Int.random(in: 0..<4, using: &random) == 0 { follow(&lazy) }
        }

        func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        func record(_ ticket: PagedList<Row>.Ticket) {
            #expect(ticket.cursor?.rawValue == model.next)
            count += 1
            tickets.append((ticket, count))
            model.current = count
            model.phase = .loading
        }

        func follow(_ view: inout (rows: Rows<Row>, shown: [Row])) {
            let change = list.rows.change(since: view.rows)
            view.shown = change.apply(to: view.shown, becoming: list.rows)
            view.rows = list.rows
            #expect(view.shown == model.shown, "\(change)")
        }
    }
}
