#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RickAndMorty {
    /// One episode of the series.
    ///
    /// Texts that are empty or only white space are `nil`, and what is there is trimmed.
    public struct Episode: Identifiable, Hashable, Sendable {
        /// The API's number for an episode, counted through all seasons.
        public struct ID: RawRepresentable, Hashable, Codable, Sendable {
            /// The number.
            public let rawValue: Int64

            /// Takes the number that the server gave.
            public init(rawValue: Int64) {
                self.rawValue = rawValue
            }
        }

        /// The identity: two values with the same id are the same episode.
        public let id: ID
        /// The title.
        public let name: String
        /// Season and number, as in `S01E01`.
        public let code: String?
        /// The day it was first shown, in the server's own English words, as in `December 2, 2013`.
        public let airDate: String?
        /// Who appears in it, in the server's order.
        public let characters: [Character.ID]
        /// When the API took it in.
        public let created: Date?

        /// Creates an episode; texts are trimmed and emptied ones become `nil`.
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
