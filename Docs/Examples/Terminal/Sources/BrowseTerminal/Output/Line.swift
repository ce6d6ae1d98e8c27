/// A line of output.
///
/// Its text is ``Swift/String/sanitized``, so a line never contains escape sequences of a server. Rendering adds colors.
package struct Line: Hashable, Sendable {
    /// The style of a part of a line, on a terminal with colors.
    package enum Style: Hashable, Sendable {
        case plain, bold, dim, error
        /// A half block with two pixels. Without a lower pixel, the background shows.
        case pixels(upper: Color, lower: Color?, isTrueColor: Bool)

        fileprivate var code: String? {
            switch self {
            case .plain: nil
            case .bold: "1"
            case .dim: "2"
            case .error: "1;31"
            case .pixels(let upper, let lower, let isTrueColor):
                "38;" + upper.code(isTrueColor: isTrueColor)
                    + (lower.map { ";48;" + $0.code(isTrueColor: isTrueColor) } ?? "")
            }
        }
    }

    private struct Span: Hashable {
        var text: String
        var style: Style
    }

    private var spans: [Span]

    /// Creates a line with one style.
    package init(_ text: String = "", _ style: Style = .plain) {
        spans = text.isEmpty ? [] : [Span(text: text.sanitized, style: style)]
    }

    /// Creates a line of tab-separated fields.
    package init(fields: [String]) {
        spans = [Span(text: fields.map(\.sanitized).joined(separator: "\t"), style: .plain)]
    }

    /// Creates a line of JSON, which has its own escapes.
    init(_ json: JSON) {
        spans = [Span(text: json.line, style: .plain)]
    }

    /// Returns the line with text appended.
    package func adding(_ text: String, _ style: Style = .plain) -> Line {
        var line = self
        line.spans.append(Span(text: text.sanitized, style: style))
        return line
    }

    /// Returns the text with escape sequences for colors, without a line break.
    package func rendered(inColor hasColor: Bool) -> String {
        var result = ""
        for span in spans {
            if hasColor, let code = span.style.code, !span.text.isEmpty {
                result += "\u{1B}[\(code)m\(span.text)\u{1B}[0m"
            } else {
                result += span.text
            }
        }
        return result
    }
}
