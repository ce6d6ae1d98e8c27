/// Rows in aligned columns that fit a width.
///
/// If space is short, columns from the last to the second are narrowed to their minimum width, and then omitted.
package struct Table: Sendable {
    /// A column of a table.
    package struct Column: Hashable, Sendable {
        /// The header.
        package var title: String
        /// The minimum width before the column is omitted; `.max` never truncates cells.
        package var minWidth: Int
        /// Whether to align cells to the right.
        package var isNumeric: Bool

        package init(_ title: String, minWidth: Int, isNumeric: Bool = false) {
            self.title = title
            self.minWidth = minWidth
            self.isNumeric = isNumeric
        }
    }

    private static let gap = 2

    private let columns: [Column]
    private let rows: [[String]]
    private let widths: [Int]

    /// Creates a table whose rows have one cell per column.
    package init(_ columns: [Column], rows: [[String]]) {
        self.columns = columns
        self.rows = rows.map { $0.map(\.sanitized) }
        var widths = columns.map(\.title.columns)
        for row in self.rows {
            for (index, cell) in row.prefix(widths.count).enumerated() {
                widths[index] = max(widths[index], cell.columns)
            }
        }
        self.widths = widths
    }

    /// Returns the header and the rows, truncated to a width.
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
                let least = min(widths[index], columns[index].minWidth)
                widths[index] = max(least, widths[index] - excess())
            }
            guard excess() > 0 else { break }
            guard widths.count > 1 else { return [max(1, width)] }
            // The remaining columns can be wider again.
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
