@_spi(Services) public import BrowseDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RickAndMorty {
    /// An episode of the series.
    ///
    /// Optional strings are trimmed, and blank ones are `nil`.
    public struct Episode: Identifiable, Hashable, Sendable {
        /// The API's number, counted across seasons.
        public let id: NumericID<Episode>
        /// The title, as in `Pilot`.
        public let name: String
        /// Season and number, as in `S01E01`.
        public let code: String?
        /// The first air date as the server's English text, as in `December 2, 2013`.
        public let airDate: String?
        /// The characters in the episode, in the server's order.
        public let characters: [Character.ID]
        /// The date on which the API added the episode.
        public let created: Date?

        /// Creates an episode.
        public init(
            id: ID,
            name: String,
            code: String? = nil,
            airDate: String? = nil,
            characters: [Character.ID] = [],
            created: Date? = nil
        ) {
            self.id = id
            self.name = name
            self.code = code?.nonBlank
            self.airDate = airDate?.nonBlank
            self.characters = characters
            self.created = created
        }
    }
}
