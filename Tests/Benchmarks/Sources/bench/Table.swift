import Foundation

/// Formats comparisons as a Markdown table.
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
                    Self.value(comparison.ours, comparison.quantity),
                    Self.value(comparison.bare, comparison.quantity),
                    "\(Self.number(ratios.median)) (\(Self.number(ratios.min()))–\(Self.number(ratios.max())))",
                    comparison.bound.map { Self.bound($0, comparison.quantity) } ?? "–",
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

    private static func bound(_ bound: Comparison.Bound, _ quantity: Comparison.Quantity) -> String {
        switch bound {
        case .ratio(let most): number(most)
        case .excess(let most): "bare + \(value(most, quantity))"
        case .most(let most): value(most, quantity)
        }
    }

    private static func value(_ value: Double, _ quantity: Comparison.Quantity) -> String {
        quantity == .memory ? String(format: "%.2f MiB", value / 1_048_576) : time(value)
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
