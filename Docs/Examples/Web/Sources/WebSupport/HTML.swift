/// Text with markup. Texts that are interpolated in it are escaped, and other HTML isn't.
///
/// ```swift
/// let row: HTML = "<li id=\"\(id)\"><a href=\"\(address)\">\(title)</a></li>"
/// ```
///
/// Write attributes in quotation marks: the same escaping is right in both places.
public struct HTML: ExpressibleByStringInterpolation, Hashable, Sendable {
    /// Collects the parts of a literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Creates an empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        /// Adds markup.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a text, escaped.
        public mutating func appendInterpolation(_ text: String) { HTML.escape(text, into: &self.text) }

        /// Adds a number.
        public mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// Adds HTML; `nil` adds nothing.
        public mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

        /// Adds several pieces of HTML.
        public mutating func appendInterpolation(_ list: [HTML]) {
            for html in list { text += html.text }
        }
    }

    /// The text, with markup.
    public private(set) var text: String

    /// Creates HTML from markup in the source code.
    public init(stringLiteral markup: String) { text = markup }

    /// Creates HTML from markup with interpolated values.
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

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
