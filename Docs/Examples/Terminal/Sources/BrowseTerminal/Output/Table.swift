/// Rows in aligned columns that fit a width.
///
/// Where there is too little room, the last columns give way first: each is narrowed to its least width, then left out.
/// The first column stays whatever the width.
package struct Table: Sendable {
    /// What a column is.
    package struct Column: Hashable, Sendable {
        /// The words above it.
        package var title: String
        /// How narrow it may become before it is left out; `.max` never cuts a cell.
        package var leastWidth: Int
        /// Whether it is read from the right, as numbers are.
        package var isNumeric: Bool

        package init(_ title: String, leastWidth: Int, isNumeric: Bool = false) {
            self.title = title
            self.leastWidth = leastWidth
            self.isNumeric = isNumeric
        }
    }

    private static let gap = 2

    private let columns: [Column]
    private let rows: [[String]]
    private let widths: [Int]

    /// Measures a table; each row has a cell per column.
    package init(_ columns: [Column], rows: [[String]]) {
        self.columns = columns
        self.rows = rows.map { $0.map(\.harmless) }
        var widths = columns.map(\.title.columns)
        for row in self.rows {
            for (index, cell) in row.prefix(widths.count).enumerated() {
                widths[index] = max(widths[index], cell.columns)
            }
        }
        self.widths = widths
    }

    /// The header and the rows, no line wider than the width.
    package func lines(width: Int) -> [Line] {
        let widths = fitted(to: width)
        let header = line(columns.map(\.title), widths: widths, style: .dim)
        return [header] + rows.map { line($0, widths: widths, style: .plain) }
    }

    private func fitted(to width: Int) -> [Int] {
        var widths = widths
        func excess() -> Int { widths.reduce(0, +) + Self.gap * (widths.count - 1) - width }
        while excess() > 0 {
            for index in widths.indices.reversed() where excess() > 0 {
                let least = min(widths[index], columns[index].leastWidth)
                widths[index] = max(least, widths[index] - excess())
            }
            guard excess() > 0 else { break }
            guard widths.count > 1 else { return [max(1, width)] }
            // Without the last column the others have more room again.
            widths = Array(self.widths.prefix(widths.count - 1))
        }
        return widths
    }

    private func line(_ cells: [String], widths: [Int], style: Line.Style) -> Line {
        var text = ""
        for (index, width) in widths.enumerated() {
            let cell = (index < cells.count ? cells[index] : "").cut(to: width)
            let isLast = index == widths.count - 1
            if columns[index].isNumeric {
                text += String(repeating: " ", count: max(0, width - cell.columns)) + cell
            } else {
                text += isLast ? cell : cell.padded(to: width)
            }
            if !isLast { text += String(repeating: " ", count: Self.gap) }
        }
        return Line(text, style)
    }
}
