@_spi(Services) public import BrowseDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RickAndMorty {
    /// A character of the series.
    ///
    /// Optional strings are trimmed, and blank ones are `nil`.
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
            public static let known: [Status] = [.alive, .dead, .unknown]
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
            public static let known: [Gender] = [.female, .male, .genderless, .unknown]
        }

        /// A character's origin or location.
        public struct Place: Hashable, Codable, Sendable {
            /// The name, even if it isn't one of the API's locations, as in `unknown`.
            public let name: String?
            /// The ID of the location; `nil` if the API doesn't have it.
            public let id: Location.ID?

            /// Creates a place; the name is trimmed, and a blank one becomes `nil`.
            public init(name: String? = nil, id: Location.ID? = nil) {
                self.name = name?.nonBlank
                self.id = id
            }
        }

        /// The API's number. Names aren't unique.
        public let id: NumericID<Character>
        /// The name, as in `Rick Sanchez`.
        public let name: String
        /// Whether the character is alive; `nil` if the server didn't report it.
        public let status: Status?
        /// The species, as in `Human`.
        public let species: String?
        /// The subspecies, as in `Genetic experiment`.
        public let type: String?
        /// The gender; `nil` if the server didn't report it.
        public let gender: Gender?
        /// The place that the character is from.
        public let origin: Place
        /// The last known location.
        public let location: Place
        /// The image's address; `nil` if the server didn't report it.
        public let image: WebAddress?
        /// The episodes with the character, in the server's order.
        public let episodes: [Episode.ID]
        /// The date on which the API added the character.
        public let created: Date?

        /// Creates a character.
        public init(
            id: ID,
            name: String,
            status: Status? = nil,
            species: String? = nil,
            type: String? = nil,
            gender: Gender? = nil,
            origin: Place = Place(),
            location: Place = Place(),
            image: WebAddress? = nil,
            episodes: [Episode.ID] = [],
            created: Date? = nil
        ) {
            self.id = id
            self.name = name
            self.status = status.flatMap { $0.rawValue.nonBlank == nil ? nil : $0 }
            self.species = species?.nonBlank
            self.type = type?.nonBlank
            self.gender = gender.flatMap { $0.rawValue.nonBlank == nil ? nil : $0 }
            self.origin = origin
            self.location = location
            self.image = image
            self.episodes = episodes
            self.created = created
        }
    }
}
