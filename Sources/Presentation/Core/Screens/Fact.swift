/// A localized fact about an entity, such as the company of a user.
public struct Fact: Identifiable, Hashable, Sendable {
    /// The stable name, which is unique among the facts of an entity.
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
    ///
    /// - Parameters:
    ///   - id: The stable name, such as `company`.
    ///   - label: The localized name.
    ///   - value: The localized value, or a text that says that it's missing.
    ///   - isMissing: Whether the value is a text for a missing one.
    ///   - route: The destination of selecting the fact.
    public init(_ id: String, _ label: String, _ value: String, isMissing: Bool = false, route: Route? = nil) {
        self.id = id
        self.label = label
        self.value = value
        self.isMissing = isMissing
        self.route = route
    }

    /// Creates a fact from a value that may be missing; blank text is missing, too.
    ///
    /// - Parameters:
    ///   - id: The stable name, such as `company`.
    ///   - label: The localized name.
    ///   - value: The localized value; `nil` if it's missing.
    ///   - missing: The localized text for a missing value.
    ///   - route: The destination of selecting the fact.
    public init(_ id: String, _ label: String, _ value: String?, missing: String, route: Route? = nil) {
        let isMissing = value?.allSatisfy(\.isWhitespace) ?? true
        self.init(id, label, isMissing ? missing : value ?? missing, isMissing: isMissing, route: route)
    }
}

/// The localized details of an entity.
public protocol EntityDetails: Equatable, Sendable {
    /// The facts about the entity, in display order.
    var facts: [Fact] { get }
}
