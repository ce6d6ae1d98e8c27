/// Text with markup. Texts that are interpolated in it are escaped, and other HTML isn't.
///
/// ```swift
/// let row: HTML = "<li id=\"\(id)\"><a href=\"\(address)\">\(title)</a></li>"
/// ```
///
/// Write attributes in quotation marks: the same escaping is right in both places.
struct HTML: ExpressibleByStringInterpolation, Hashable, Sendable {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a text, escaped. Its directional controls end with it, so that no name turns a row around (UAX #9).
        mutating func appendInterpolation(_ text: String) {
            let isIsolated = text.unicodeScalars.contains { HTML.directions.contains($0) }
            guard isIsolated else { return HTML.escape(text, into: &self.text) }
            var isolated = "\u{2068}".unicodeScalars
            var depth = 1
            // A mark that has no partner in the text would close this isolate.
            for scalar in text.unicodeScalars where scalar != "\u{2069}" || depth > 1 {
                if scalar == "\u{2069}" { depth -= 1 }
                if ("\u{2066}"..."\u{2068}").contains(scalar) { depth += 1 }
                isolated.append(scalar)
            }
            HTML.escape(String(isolated), into: &self.text)
            self.text += String(repeating: "\u{2069}", count: depth)
        }

        /// Adds the value of a field, escaped and otherwise unchanged, since a form sends it back.
        mutating func appendInterpolation(value text: String) { HTML.escape(text, into: &self.text) }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// Adds HTML; `nil` adds nothing.
        mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

        mutating func appendInterpolation(_ list: [HTML]) {
            for html in list { text += html.text }
        }
    }

    private(set) var text: String

    init(stringLiteral markup: String) { text = markup }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// The controls that embed, override, and isolate a direction.
    private static let directions: Set<Unicode.Scalar> = [
        "\u{202A}", "\u{202B}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}",
    ]

    private static func escape(_ value: String, into text: inout String) {
        guard value.utf8.contains(where: { entity(of: $0) != nil }) else { return text += value }
        for scalar in value.unicodeScalars {
            if let byte = UInt8(exactly: scalar.value), let entity = entity(of: byte) {
                text += entity
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func entity(of byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
