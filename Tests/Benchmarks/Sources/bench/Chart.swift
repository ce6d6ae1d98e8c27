import Foundation

/// Draws the ratios as bars to the left and right of 1, on a logarithmic scale.
struct Chart {
    private let comparisons: [Comparison]

    /// The distance of a factor of two, in points.
    private static let unit = 44.0
    /// The smallest and largest ratios that are drawn to scale, as powers of two.
    private static let range = -4.0...2.0
    private static let labels = 430.0
    private static let rowHeight = 22.0
    private static let top = 48.0

    /// Draws the comparisons that have a ratio.
    init(_ comparisons: [Comparison]) {
        self.comparisons = comparisons.filter { $0.ratio.isFinite && $0.ratio > 0 }
    }

    var svg: String {
        let width = Self.x(Self.range.upperBound) + 70
        let bottom = Self.top + Double(comparisons.count) * Self.rowHeight
        let rows = comparisons.enumerated().map { row($1, y: Self.top + Double($0) * Self.rowHeight) }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(Self.number(bottom + 12))" \
            role="img" aria-label="BrowseKit's cost divided by that of bare code">
            <style>
            text { font: 13px system-ui, sans-serif; fill: #24292f }
            .scale { fill: #57606a; text-anchor: middle }
            .line { stroke: #d0d7de }
            .one { stroke: #57606a; stroke-width: 1.5 }
            .less { fill: #2da44e }
            .more { fill: #d4770c }
            @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3 }
            .scale { fill: #9198a1 }
            .line { stroke: #3d444d }
            .one { stroke: #9198a1 }
            }
            </style>
            <text class="scale" x="\(Self.number(Self.x(0)))" y="16">← less · cost of BrowseKit / bare code · more →</text>
            \(Self.scale(to: bottom))
            \(rows.joined(separator: "\n"))
            </svg>

            """
    }

    private func row(_ comparison: Comparison, y: Double) -> String {
        let power = log2(comparison.ratio)
        let end = Self.x(min(max(power, Self.range.lowerBound), Self.range.upperBound))
        let one = Self.x(0)
        let isMore = power > 0
        let value = String(format: comparison.ratio < 0.1 ? "%.3f" : "%.2f", comparison.ratio)
        let numberX = isMore ? end + 6 : one + 6
        return """
            <text x="0" y="\(Self.number(y + 15))">\(Self.escaped(comparison.name))</text>
            <rect class="\(isMore ? "more" : "less")" x="\(Self.number(min(end, one)))" y="\(Self.number(y + 4))" \
            width="\(Self.number(max(1, abs(end - one))))" height="\(Self.number(Self.rowHeight - 8))"/>
            <text x="\(Self.number(numberX))" y="\(Self.number(y + 15))">\(value)</text>
            """
    }

    private static func scale(to bottom: Double) -> String {
        stride(from: range.lowerBound, through: range.upperBound, by: 1).map { power in
            let x = number(x(power))
            let label = power < 0 ? "1/\(Int(exp2(-power)))" : "\(Int(exp2(power)))"
            return """
                <text class="scale" x="\(x)" y="\(number(top - 10))">\(label)</text>
                <line class="\(power == 0 ? "one" : "line")" x1="\(x)" x2="\(x)" y1="\(number(top - 4))" y2="\(number(bottom))"/>
                """
        }.joined(separator: "\n")
    }

    private static func x(_ power: Double) -> Double {
        labels + (power - range.lowerBound) * unit
    }

    private static func number(_ value: Double) -> String {
        String(format: "%.1f", value)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
