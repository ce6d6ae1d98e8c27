@_spi(Services) import BrowseDomain

/// A localized fact about an entity, such as the company of a user.
public struct Fact: Identifiable, Hashable, Sendable {
    /// The stable name of a fact, such as `company`, which is unique among the facts of an entity.
    public struct ID: RawRepresentable, ExpressibleByStringInterpolation, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a name.
        public init(stringLiteral name: String) { self.init(rawValue: name) }
    }

    /// The stable name.
    public let id: ID
    /// The localized name.
    public let label: String
    /// The localized value, or a text that says that it's missing.
    public let value: String
    /// Whether the value is a text for a missing one.
    public let isMissing: Bool
    /// The destination of selecting the fact; `nil` if it has none.
    public let route: Route?

    /// Creates a fact.
    public init(_ id: ID, _ label: String, _ value: String, isMissing: Bool = false, route: Route? = nil) {
        self.id = id
        self.label = label
        self.value = value
        self.isMissing = isMissing
        self.route = route
    }

    /// Creates a fact from a value that may be missing, in which case it has the text `missing`.
    ///
    /// Blank text is missing, too.
    public init(_ id: ID, _ label: String, _ value: String?, missing: String, route: Route? = nil) {
        let text = value?.nonBlank
        self.init(id, label, text ?? missing, isMissing: text == nil, route: route)
    }
}

/// The localized details of an entity.
public protocol EntityDetails: Equatable, Sendable {
    /// The facts about the entity, in display order.
    var facts: [Fact] { get }
}

extension EntityDetails {
    /// Returns the fact with a name; `nil` if there is none.
    public subscript(id: Fact.ID) -> Fact? { facts.first { $0.id == id } }
}
