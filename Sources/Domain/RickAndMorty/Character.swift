public import BrowseDomain
public import Foundation

extension RickAndMorty {
    /// A character of the series.
    ///
    /// Values that a response lacks, or that are blank, are `nil`.
    public struct Character: Identifiable, Hashable, Codable, Sendable {
        /// Whether a character is alive; an open set.
        public struct Status: RawRepresentable, Hashable, Codable, Sendable {
            /// The server's value.
            public let rawValue: String

            /// Creates a status from the server's value, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The character is alive.
            public static let alive: Status = Status(rawValue: "Alive")
            /// The character is dead.
            public static let dead: Status = Status(rawValue: "Dead")
            /// The series doesn't reveal whether the character is alive.
            public static let unknown: Status = Status(rawValue: "unknown")
            /// The values that the API uses, for a picker.
            package static let known: [Status] = [.alive, .dead, .unknown]
        }

        /// The gender of a character; an open set.
        public struct Gender: RawRepresentable, Hashable, Codable, Sendable {
            /// The server's value.
            public let rawValue: String

            /// Creates a gender from the server's value, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The gender is female.
            public static let female: Gender = Gender(rawValue: "Female")
            /// The gender is male.
            public static let male: Gender = Gender(rawValue: "Male")
            /// The character has no gender.
            public static let genderless: Gender = Gender(rawValue: "Genderless")
            /// The series doesn't reveal the gender.
            public static let unknown: Gender = Gender(rawValue: "unknown")
            /// The values that the API uses, for a picker.
            package static let known: [Gender] = [.female, .male, .genderless, .unknown]
        }

        /// A character's origin or location.
        public struct Place: Hashable, Codable, Sendable {
            /// The name, even if it isn't one of the API's locations, as in `unknown`.
            public let name: String?
            /// The ID of the location; `nil` if the API doesn't have it.
            public let id: Location.ID?

            /// Creates a place.
            public init(name: String? = nil, id: Location.ID? = nil) {
                self.name = name
                self.id = id
            }
        }

        /// The API's number. Names aren't unique.
        public let id: NumericID<Character>
        /// The name, as in `Rick Sanchez`.
        public let name: String
        /// Whether the character is alive; `nil` if the server didn't report it.
        public var status: Status?
        /// The species, as in `Human`.
        public var species: String?
        /// The subspecies, as in `Genetic experiment`.
        public var type: String?
        /// The gender; `nil` if the server didn't report it.
        public var gender: Gender?
        /// The place that the character is from.
        public var origin: Place = Place()
        /// The last known location.
        public var location: Place = Place()
        /// The image's address; `nil` if the server didn't report it.
        public var image: WebAddress?
        /// The episodes with the character, in the server's order.
        public var episodes: [Episode.ID] = []
        /// The date on which the API added the character.
        public var created: Date?

        /// Creates a character, and sets its other values with a closure.
        public init(id: ID, name: String, _ fill: (inout Self) -> Void = { _ in }) {
            self.id = id
            self.name = name
            fill(&self)
        }
    }
}

extension RickAndMorty.Character: RickAndMorty.Entity {
    /// The filter of a list of characters.
    public typealias Filter = RickAndMorty.CharacterFilter

    /// The episodes with the character.
    public var related: [RickAndMorty.Episode.ID] { episodes }
}

// The raw value is stored, so it must never change.
extension Favorite.Kind {
    /// A Rick and Morty character.
    public static let character: Favorite.Kind = Favorite.Kind(rawValue: "character")
}

extension RickAndMorty.Character: Favoritable {
    /// The kind ``Favorite/Kind/character``.
    public static var favoriteKind: Favorite.Kind { .character }
    /// The character's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// The character's name, by which favorites are sorted.
    public var favoriteTitle: String { name }
    /// The portrait.
    public var favoriteImage: WebAddress? { image }
}
