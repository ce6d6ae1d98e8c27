/// The path of an endpoint, written as a literal: `"/users/\(login)/followers"`.
///
/// Each parameter is one path segment and is percent-encoded; literal parts are used unchanged. Errors show the ``template``,
/// which contains no parameters.
public struct EndpointPath: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The path with `{}` in place of each parameter.
    public let template: String
    package let encoded: String
    /// Whether every parameter is a single segment.
    ///
    /// An empty parameter, or one that decodes to `.` or `..`, would lead to another endpoint.
    let isValid: Bool

    /// Creates a path without parameters.
    public init(stringLiteral path: String) {
        template = path
        encoded = path
        isValid = true
    }

    /// Creates a path from its parts.
    public init(stringInterpolation parts: StringInterpolation) {
        template = parts.template
        encoded = parts.encoded
        isValid = parts.isValid
    }

    /// The parts of a path.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var template = ""
        fileprivate var encoded = ""
        fileprivate var isValid = true

        /// Creates an empty path with reserved capacity.
        public init(literalCapacity: Int, interpolationCount: Int) {
            template.reserveCapacity(literalCapacity + 2 * interpolationCount)
        }

        /// Appends a literal part unchanged.
        public mutating func appendLiteral(_ literal: String) {
            template += literal
            encoded += literal
        }

        /// Appends a parameter as one percent-encoded segment.
        ///
        /// ```swift
        /// extension EndpointPath.StringInterpolation {
        ///     fileprivate mutating func appendInterpolation(_ isbn: ISBN) {
        ///         appendInterpolation(isbn.text, isValid: isbn.isValid)
        ///     }
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - segment: The parameter.
        ///   - isValid: Whether the service can have such a parameter; otherwise, the path is invalid.
        public mutating func appendInterpolation(_ segment: String, isValid: Bool = true) {
            template += "{}"
            encoded += PercentEncoding.encode(segment)
            if !isValid || segment.isEmpty || UnambiguousPath.isTraversal(segment) { self.isValid = false }
        }

        /// Appends comma-separated numbers as one segment; without numbers, the path is invalid.
        ///
        /// The commas aren't encoded: a path allows them (RFC 3986, section 3.3), and some servers don't recognize `%2C`.
        public mutating func appendInterpolation(_ numbers: [Int64]) {
            template += "{}"
            encoded += numbers.map(String.init).joined(separator: ",")
            if numbers.isEmpty { isValid = false }
        }
    }
}

/// Percent-encodes everything but unreserved characters (RFC 3986), so values contain no delimiters.
package enum PercentEncoding {
    package static func encode(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 0xF)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    private static func hexDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}
