import Foundation

/// The comparisons in columns, as Markdown, so that it can be pasted.
struct Table {
    private let rows: [[String]]

    init(_ comparisons: [Comparison]) {
        let head = ["name", "what", "ours", "bare", "ratio (min–max)", "bound", ""]
        rows =
            [head]
            + comparisons.map { comparison in
                let ratios = comparison.pairs.map(\.ratio)
                return [
                    comparison.name,
                    comparison.quantity.rawValue,
                    Self.time(comparison.ours),
                    Self.time(comparison.bare),
                    "\(Self.number(ratios.median)) (\(Self.number(ratios.min()))–\(Self.number(ratios.max())))",
                    comparison.bound.map(Self.bound) ?? "–",
                    comparison.bound == nil ? "for information" : comparison.isOver ? "over" : "ok",
                ]
            }
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return "| \(cells.joined(separator: " | ")) |"
        }
        lines.insert("|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|", at: 1)
        return lines.joined(separator: "\n")
    }

    private static func bound(_ bound: Comparison.Bound) -> String {
        switch bound {
        case .ratio(let most): number(most)
        case .excess(let most): "bare + \(time(most))"
        case .seconds(let most): time(most)
        }
    }

    private static func time(_ seconds: Double) -> String {
        switch seconds {
        case 1...: String(format: "%.2f s", seconds)
        case 1e-3...: String(format: "%.2f ms", seconds * 1e3)
        default: String(format: "%.2f µs", seconds * 1e6)
        }
    }

    private static func number(_ value: Double?) -> String {
        value.map { String(format: $0 < 0.1 ? "%.3f" : "%.2f", $0) } ?? "–"
    }
}
