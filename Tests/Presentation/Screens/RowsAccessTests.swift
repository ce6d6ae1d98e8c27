import TestLimits
import Testing

@testable import BrowsePresentation

@Suite(.bounded)
struct RowsAccessTests {
    private struct Row: Identifiable, Equatable, Sendable {
        let id: Int
    }

    @Test(
        "A row is found by its position, however uneven the pages are",
        arguments: [[3, 3, 3], [0, 100, 1, 0, 7], [1, 50]]
    )
    func findsRowsOnUnevenPages(sizes: [Int]) {
        var rows = Rows<Row>()
        var expected: [Row] = []
        for size in sizes {
            let page = (0..<size).map { Row(id: expected.count + $0) }
            rows.append(page)
            expected += page
        }
        #expect(rows.indices.map { rows[$0] } == expected)
        #expect(Array(rows) == expected)
    }
}
