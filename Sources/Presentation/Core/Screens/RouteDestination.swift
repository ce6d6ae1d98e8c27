/// A type whose values identify the screens of a service, usually an enum.
///
/// ```swift
/// nonisolated enum BookScreen: RouteDestination {
///     case book(String, preview: Book? = nil)
///
///     static let routeName = "open-library"
///
///     var routePath: [String] {
///         switch self {
///         case .book(let key, _): ["books", key]
///         }
///     }
///
///     init?(routePath path: [String]) {
///         guard path.first == "books", let key = path.last else { return nil }
///         self = .book(key)
///     }
/// }
/// ```
public protocol RouteDestination: Sendable {
    /// The first segment of the screens' paths, which must never change.
    ///
    /// No other service uses it, and it isn't `sign-in`.
    static var routeName: String { get }

    /// The other segments of the screen's path: words that never change, and identifiers.
    ///
    /// They aren't encoded yet, and identify the screen.
    var routePath: [String] { get }

    /// A name after ``routePath`` that says what the path leads to; `nil` by default.
    ///
    /// It may change, because it doesn't identify the screen.
    var routeLabel: String? { get }

    /// Creates a screen from the segments of a path; `nil` if there is no such screen.
    ///
    /// The path can come from anyone. The result is ignored unless its ``routePath`` and
    /// ``routeLabel`` equal the segments, so you needn't check each of them.
    init?(routePath: [String])
}

extension RouteDestination {
    /// The default, `nil`: the path has no label.
    public var routeLabel: String? { nil }

    /// Returns the screen of a path; `nil` if the path isn't that of such a screen.
    static func value(of segments: [String]) -> Self? {
        let value = Self(routePath: Array(segments.dropFirst()))
        return value.flatMap { Route.Destination($0).path == segments ? $0 : nil }
    }
}
