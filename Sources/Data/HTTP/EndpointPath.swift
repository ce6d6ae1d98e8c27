public import BrowseDomain

/// The path of an endpoint, written as a literal with its parameters interpolated: `"/users/\(login)/followers"`.
///
/// Each parameter is one path segment and is percent-encoded once, whatever it holds; the literal parts are kept as they
/// are. The path also knows its own ``template``, which names the endpoint in errors without telling its parameters.
public struct EndpointPath: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The path with `{}` in place of each parameter.
    public let template: String
    /// The path as it is sent.
    public let encoded: String
    /// Whether every parameter can be a segment: an empty one, and any that decodes to `.` or `..`, leads to another endpoint.
    public let isValid: Bool

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

    /// Collects the parts of a path.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var template = ""
        fileprivate var encoded = ""
        fileprivate var isValid = true

        /// Makes room for the parts.
        public init(literalCapacity: Int, interpolationCount: Int) {
            template.reserveCapacity(literalCapacity + 2 * interpolationCount)
        }

        /// Takes a literal part as it is.
        public mutating func appendLiteral(_ literal: String) {
            template += literal
            encoded += literal
        }

        /// Takes a parameter as one segment.
        public mutating func appendInterpolation(_ segment: String) {
            template += "{}"
            encoded += PercentEncoding.encode(segment)
            if segment.isEmpty || UnambiguousPath.isTraversal(segment) { isValid = false }
        }

        /// Takes numbers as one segment, with commas between them; there must be one at least.
        ///
        /// Commas and digits stand in a path as they are (RFC 3986, section 3.3), and servers that look for a comma may not
        /// know it by its percent-encoding.
        public mutating func appendInterpolation(_ numbers: [Int64]) {
            template += "{}"
            encoded += numbers.map(String.init).joined(separator: ",")
            if numbers.isEmpty { isValid = false }
        }

        /// Takes a login as one segment; the path is valid only if the login is (`GitHub.Login.isValid`).
        public mutating func appendInterpolation(_ login: GitHub.Login) {
            appendInterpolation(login.rawValue)
            if !login.isValid { isValid = false }
        }
    }
}

/// Percent-encoding by RFC 3986: everything but unreserved characters, so nothing in a value can act as a delimiter.
enum PercentEncoding {
    static func encode(_ text: String) -> String {
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
