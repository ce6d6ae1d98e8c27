/// A line of output. Whatever text goes in is made ``Swift/String/harmless``, so a line cannot carry an escape sequence of
/// a server's; colors are added when it is rendered.
package struct Line: Hashable, Sendable {
    /// How a part of a line looks on a terminal that has colors.
    package enum Style: Hashable, Sendable {
        case plain, bold, dim, alarm
        /// A half block that shows two pixels; where there is no lower one, the background stays.
        case pixels(upper: Color, lower: Color?, isTrueColor: Bool)

        fileprivate var code: String? {
            switch self {
            case .plain: nil
            case .bold: "1"
            case .dim: "2"
            case .alarm: "1;31"
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

    /// A line of one style.
    package init(_ text: String = "", _ style: Style = .plain) {
        spans = text.isEmpty ? [] : [Span(text: text.harmless, style: style)]
    }

    /// Fields with a tab between them, for programs.
    package init(fields: [String]) {
        spans = [Span(text: fields.map(\.harmless).joined(separator: "\t"), style: .plain)]
    }

    /// JSON, which brings its own escapes.
    init(_ json: JSON) {
        spans = [Span(text: json.line, style: .plain)]
    }

    /// The line with more text behind it.
    package func adding(_ text: String, _ style: Style = .plain) -> Line {
        var line = self
        line.spans.append(Span(text: text.harmless, style: style))
        return line
    }

    /// The line as it is written, without a line break.
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
