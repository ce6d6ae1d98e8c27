@_spi(Services) public import BrowseDomain

/// A localized fact about an entity, such as the company of a user.
public struct Fact: Identifiable, Hashable, Sendable {
    /// The stable name, such as `company`, which is unique among the facts of an entity.
    public let id: String
    /// The localized name.
    public let label: String
    /// The localized value, or a text that says that it's missing.
    public let value: String
    /// Whether the value is a text for a missing one.
    public let isMissing: Bool
    /// The destination of selecting the fact; `nil` if it has none.
    public let route: Route?

    /// Creates a fact.
    public init(_ id: String, _ label: String, _ value: String, isMissing: Bool = false, route: Route? = nil) {
        self.id = id
        self.label = label
        self.value = value
        self.isMissing = isMissing
        self.route = route
    }

    /// Creates a fact from a value that may be missing, in which case it has the text `missing`.
    ///
    /// Blank text is missing, too.
    public init(_ id: String, _ label: String, _ value: String?, missing: String, route: Route? = nil) {
        let text = value?.nonBlank
        self.init(id, label, text ?? missing, isMissing: text == nil, route: route)
    }
}

extension WebAddress {
    /// The web page, if it can be opened.
    @_spi(Services) public var route: Route? { url == nil ? nil : .webPage(self) }

    /// The text to show, without invisible characters, which could make it look like another
    /// address.
    @_spi(Services) public var shownText: String {
        String(String.UnicodeScalarView(rawValue.unicodeScalars.filter { !$0.isInvisible }))
    }
}
