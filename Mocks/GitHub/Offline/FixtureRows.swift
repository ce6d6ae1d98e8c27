import Foundation

/// The rows of a list, some of which are made on demand.
struct FixtureRows: RandomAccessCollection, Sendable {
    let count: Int
    private let row: @Sendable (Int) -> Data

    init(count: Int, row: @escaping @Sendable (Int) -> Data) {
        self.count = count
        self.row = row
    }

    init(_ rows: [Data]) {
        self.init(count: rows.count) { rows[$0] }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { count }
    subscript(position: Int) -> Data { row(position) }
}
