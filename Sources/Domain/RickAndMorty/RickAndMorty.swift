public import BrowseDomain
public import Foundation

/// The Rick and Morty API's entities, filters, and repositories.
///
/// Source: rickandmortyapi.com/documentation, and recorded responses.
public enum RickAndMorty {}

extension RickAndMorty {
    /// A character, an episode, or a location.
    public protocol Entity: Identifiable, Hashable, Sendable where ID == NumericID<Self> {
        /// The filter of a list.
        associatedtype Filter: RickAndMorty.Filter
        /// The type of the related entities.
        associatedtype Related: Entity

        /// The name or title, which other entities may share.
        var name: String { get }
        /// The related entities, in the server's order, such as the episodes of a character.
        var related: [Related.ID] { get }
        /// The date on which the API added the entity.
        var created: Date? { get }
    }
}
