@_spi(Services) public import BrowseDomain

/// A screen to navigate to. The front end decides how to show it.
///
/// Routes with equal ``path``s are equal: an entity in a route is only a preview of what the screen
/// loads. Paths that differ only in a label are those of equal routes, too.
public enum Route: Hashable, Sendable {
    /// Signing in.
    case signIn
    /// A web page, outside of the app.
    case webPage(WebAddress)
    /// A screen of a service.
    case other(Destination)

    /// A value that identifies a screen of a service.
    public struct Destination: Hashable, Sendable {
        private let base: any RouteDestination
        /// The segments that identify the screen.
        private let segments: [String]
        /// The segments of the path.
        var path: [String] { segments + [base.routeLabel].compactMap(\.self) }

        /// Creates a destination from a value of your own, such as an enum of your service's
        /// screens.
        public init(_ value: some RouteDestination) {
            base = value
            segments = [type(of: value).routeName] + value.routePath
        }

        /// Returns the value if it has the given type.
        public func value<T>(as type: T.Type = T.self) -> T? { base as? T }

        /// Returns whether two destinations have the same path, apart from a label.
        public static func == (left: Destination, right: Destination) -> Bool { left.segments == right.segments }

        /// Hashes the path without a label.
        public func hash(into hasher: inout Hasher) { hasher.combine(segments) }
    }
}

extension Route {
    /// The maximum length of a path in bytes.
    private static var pathLimit: Int { 2_000 }

    /// The path of the screen, as in `/books/book/0141439518`: its stable text, for links and
    /// storage.
    ///
    /// It contains names and identifiers, and a label after them, but no preview. It's `nil` for a
    /// web page, which has an address of its own, so that a link to an app can't make it open any
    /// other page. It's also `nil` if a segment is empty, `.`, or `..`, or if the path has over
    /// 2,000 bytes.
    public var path: String? {
        let segments: [String]
        switch self {
        case .signIn: segments = ["sign-in"]
        case .webPage: return nil
        case .other(let destination): segments = destination.path
        }
        guard segments.allSatisfy(Self.isSegment) else { return nil }
        let path = segments.map { "/" + PercentEncoding.encode($0) }.joined()
        return path.utf8.count <= Self.pathLimit ? path : nil
    }

    /// Reads a ``path``, which may be percent-encoded in any way, and come from anyone.
    ///
    /// - Parameters:
    ///   - path: A path without a query, such as `path(percentEncoded: true)` of a URL.
    ///   - types: The types of the destinations that it can lead to.
    /// - Returns: `nil` unless it's `/sign-in` or the path of a screen of one of these types; also
    ///   if several types have its name.
    public init?(path: String, among types: [any RouteDestination.Type]) {
        guard let segments = Self.segments(of: path) else { return nil }
        if segments == ["sign-in"] {
            self = .signIn
            return
        }
        let named = types.filter { $0.routeName == segments.first }
        guard named.count == 1, let value = named[0].value(of: segments) else { return nil }
        self = .other(Destination(value))
    }

    private static func segments(of path: String) -> [String]? {
        guard path.utf8.count <= pathLimit, path.hasPrefix("/"), !path.contains(where: { "?#".contains($0) })
        else { return nil }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let segments = parts.compactMap { PercentEncoding.decode($0) }.filter(isSegment)
        return segments.count == parts.count ? segments : nil
    }

    private static func isSegment(_ text: String) -> Bool { !["", ".", ".."].contains(text) }
}
