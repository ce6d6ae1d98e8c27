public import BrowseDomain
public import Foundation

extension RickAndMorty {
    /// An episode of the series.
    ///
    /// Values that a response lacks, or that are blank, are `nil`.
    public struct Episode: Identifiable, Hashable, Sendable {
        /// The API's number, counted across seasons.
        public let id: NumericID<Episode>
        /// The title, as in `Pilot`.
        public let name: String
        /// Season and number, as in `S01E01`.
        public var code: String?
        /// The first air date as the server's English text, as in `December 2, 2013`.
        public var airDate: String?
        /// The characters in the episode, in the server's order.
        public var characters: [Character.ID] = []
        /// The date on which the API added the episode.
        public var created: Date?

        /// Creates an episode, and sets its other values with a closure.
        public init(id: ID, name: String, _ fill: (inout Self) -> Void = { _ in }) {
            self.id = id
            self.name = name
            fill(&self)
        }
    }
}

extension RickAndMorty.Episode: RickAndMorty.Entity {
    /// The filter of a list of episodes.
    public typealias Filter = RickAndMorty.EpisodeFilter

    /// The characters in the episode.
    public var related: [RickAndMorty.Character.ID] { characters }
}
