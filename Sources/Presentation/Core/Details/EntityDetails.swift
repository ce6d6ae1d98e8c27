/// The localized details of an entity.
public protocol EntityDetails: Equatable, Sendable {
    /// The facts about the entity, in display order.
    var facts: [Fact] { get }
}

extension EntityDetails {
    /// Returns the fact with a name; `nil` if there is none.
    public subscript(id: String) -> Fact? { facts.first { $0.id == id } }
}
