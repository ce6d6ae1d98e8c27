public import BrowseDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

extension RickAndMorty.Character: RickAndMorty.Entity {
    /// The filter of a list of characters.
    public typealias Filter = RickAndMorty.CharacterFilter

    /// The episodes with the character.
    public var related: [RickAndMorty.Episode.ID] { episodes }
}

extension RickAndMorty.Episode: RickAndMorty.Entity {
    /// The filter of a list of episodes.
    public typealias Filter = RickAndMorty.EpisodeFilter

    /// The characters in the episode.
    public var related: [RickAndMorty.Character.ID] { characters }
}

extension RickAndMorty.Location: RickAndMorty.Entity {
    /// The filter of a list of locations.
    public typealias Filter = RickAndMorty.LocationFilter

    /// The characters last seen at the location.
    public var related: [RickAndMorty.Character.ID] { residents }
}
