@_spi(Services) public import BrowseDomain

/// The path of an endpoint, written as a literal: `"/users/\(login)/followers"`.
///
/// Each parameter is one path segment and is percent-encoded; literal parts are used unchanged. A
/// path begins with a slash, which is added if it's missing.
/// Errors show the ``template``, which contains no parameters.
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
        template = Self.absolute(path)
        encoded = template
        isValid = true
    }

    /// Creates a path from its parts.
    public init(stringInterpolation parts: StringInterpolation) {
        template = Self.absolute(parts.template)
        encoded = Self.absolute(parts.encoded)
        isValid = parts.isValid
    }

    /// Without the slash, the path's begin would be the end of the base URL's host.
    private static func absolute(_ path: String) -> String {
        path.isEmpty || path.hasPrefix("/") ? path : "/" + path
    }

    /// The parts of a path.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var template = ""
        fileprivate var encoded = ""
        fileprivate var isValid = true

        /// Creates an empty path.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a literal part unchanged.
        public mutating func appendLiteral(_ literal: String) {
            template += literal
            encoded += literal
        }

        /// Appends a parameter as one percent-encoded segment.
        ///
        /// ```swift
        /// nonisolated extension EndpointPath.StringInterpolation {
        ///     fileprivate mutating func appendInterpolation(_ isbn: ISBN) {
        ///         appendInterpolation(isbn.text, isValid: isbn.isValid)
        ///     }
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - segment: The parameter.
        ///   - isValid: Whether the service can have such a parameter; otherwise, the path is
        ///     invalid.
        public mutating func appendInterpolation(_ segment: String, isValid: Bool = true) {
            template += "{}"
            let segment = PercentEncoding.encode(segment)
            encoded += segment
            if !isValid || segment.isEmpty || segment.hasDotSegment { self.isValid = false }
        }

        /// Appends a number as one segment.
        public mutating func appendInterpolation(_ number: some BinaryInteger) {
            appendInterpolation(String(number))
        }

        /// Appends the number of an entity as one segment.
        public mutating func appendInterpolation<Entity>(_ id: NumericID<Entity>) { appendInterpolation(id.rawValue) }

        /// Appends comma-separated numbers as one segment; without numbers, the path is invalid.
        ///
        /// The commas aren't encoded: a path allows them (RFC 3986, section 3.3), and some servers
        /// don't recognize `%2C`.
        public mutating func appendInterpolation(_ numbers: [Int64]) {
            template += "{}"
            encoded += numbers.map(String.init).joined(separator: ",")
            if numbers.isEmpty { isValid = false }
        }
    }
}

extension String {
    /// Whether a percent-encoded path has a segment `.` or `..`, or can't be decoded.
    var hasDotSegment: Bool {
        guard let path = PercentEncoding.decode(self) else { return true }
        return path.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            .contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }
}
