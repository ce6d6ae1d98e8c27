import BrowseDomain
import BrowseMocks
import TestLimits
import Testing

@testable import BrowsePresentation

@Suite(.bounded) struct `The rows of a list` {
    private func rows(pages: [[Int]]) -> Rows<Row> {
        var rows = Rows<Row>()
        for page in pages { rows.append(page.map { Row(id: $0) }) }
        return rows
    }

    @Test func `are a collection of the rows of all pages, for pages of any size`() {
        for _ in 0..<200 {
            var ids = 0...
            let pages = (0..<Int.random(in: 0...8)).map { _ in
                Array(ids.prefix(Int.random(in: 0...4)))
            }
            .map { page in
                let start = ids.lowerBound
                ids = (start + page.count)...
                return page.indices.map { start + $0 }
            }
            let rows = rows(pages: pages)
            let flat = pages.flatMap { $0 }
            #expect(rows.map(\.id) == flat)
            #expect(rows.indices.map { rows[$0].id } == flat)
            #expect(rows.count == flat.count)
            #expect(rows.reversed().map(\.id) == flat.reversed())
            #expect(rows == Rows(flat.map { Row(id: $0) }))
        }
    }

    @Test func `stay the same while a later value grows`() {
        var rows = rows(pages: [[1, 2], [3]])
        let held = rows
        rows.append([Row(id: 4)])
        rows.replace(slot: 0, with: [Row(id: 2)])
        #expect(held.map(\.id) == [1, 2, 3])
        #expect(rows.map(\.id) == [2, 3, 4])
        #expect(held != rows)
    }

    @Test func `are compared without the pages that two values share`() {
        let comparisons = Monitor(0)
        var rows = Rows<CountedRow>()
        for page in 0..<100 {
            rows.append((0..<10).map { CountedRow(id: page * 10 + $0, comparisons: comparisons) })
        }
        var changed = rows
        changed.replace(slot: 99, with: (990..<1000).map { CountedRow(id: $0, version: 1, comparisons: comparisons) })
        let areEqual = changed == rows
        #expect(!areEqual)
        #expect(comparisons.value == 1)
    }
}

/// A row that counts its comparisons.
private struct CountedRow: Identifiable, Equatable, Sendable {
    let id: Int
    var version = 0
    let comparisons: Monitor<Int>

    static func == (left: CountedRow, right: CountedRow) -> Bool {
        left.comparisons.withLock { $0 += 1 }
        return left.id == right.id && left.version == right.version
    }
}

@Suite(.bounded) struct `A change of a list` {
    @Test func `lists removed, inserted, and updated rows for a batch update`() throws {
        var list = PagedList<Row>()
        let empty = list.rows
        try list.load(Page([1, 2, 3], next: "b"))
        let first = list.rows
        #expect(first.change(since: empty) == .update(.init(appended: 0..<3)))
        #expect(first.change(since: first) == .none)

        try list.load(Page([4, 5]))
        list.remove(id: 2)
        list.update(id: 5) { $0.version = 1 }
        #expect(list.rows.change(since: first) == .update(.init(removed: [1], appended: 2..<4)))
        #expect(list.rows.change(since: empty) == .update(.init(appended: 0..<4)))

        let second = list.rows
        list.update(id: 1) { $0.version = 7 }
        list.remove(id: 5)
        #expect(list.rows.change(since: second) == .update(.init(removed: [3], updated: [0])))
    }

    @Test func `is the difference after a filter, of which nothing changes if the same rows pass`() throws {
        var list = PagedList<Row>()
        let empty = list.rows
        list.filter { $0.id != 2 }
        #expect(list.rows.change(since: empty) == .none)
        try list.load(Page([1, 2, 3], next: "b"))
        let first = list.rows
        try list.load(Page([4, 5]))
        let filtered = list.rows
        list.filter { $0.id.isMultiple(of: 2) == false }
        #expect(list.rows.change(since: filtered) == .update(.init(removed: [2])))
        #expect(list.rows.change(since: first) == .update(.init(appended: 2..<3)))
        list.filter { $0.id != 2 && $0.id != 4 }
        #expect(list.rows.change(since: filtered) == .update(.init(removed: [2])))
        list.filter(nil)
        #expect(list.rows.change(since: filtered) == .update(.init(inserted: [1])))
        #expect(list.rows.change(since: empty) == .update(.init(appended: 0..<5)))
    }

    @Test func `is a reset after a reset, and for another list, unless both are empty`() throws {
        var list = PagedList<Row>()
        try list.load(Page([1, 2]))
        let before = list.rows
        list.reset()
        #expect(list.rows.change(since: Rows()) == .none)
        #expect(list.rows.change(since: before) == .reset)
        #expect(Rows([Row(id: 1)]).change(since: Rows([Row(id: 1)])) == .reset)
    }
}
