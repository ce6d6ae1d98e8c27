#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RickAndMorty {
    /// Somebody who appears in the series.
    ///
    /// Texts that are empty or only white space are `nil`, and what is there is trimmed.
    public struct Character: Identifiable, Hashable, Codable, Sendable {
        /// The API's number for a character.
        public struct ID: RawRepresentable, Hashable, Codable, Sendable {
            /// The number.
            public let rawValue: Int64

            /// Takes the number that the server gave.
            public init(rawValue: Int64) {
                self.rawValue = rawValue
            }
        }

        /// Whether a character lives; an open set, so that a word that is not known yet stays as it came.
        public struct Status: RawRepresentable, Hashable, Codable, Sendable {
            /// The server's word for it.
            public let rawValue: String

            /// Takes the server's word, known or not.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// They live.
            public static let alive: Status = Status(rawValue: "Alive")
            /// They do not live any more.
            public static let dead: Status = Status(rawValue: "Dead")
            /// The series does not tell.
            public static let unknown: Status = Status(rawValue: "unknown")
            /// Those that the API uses, for a choice.
            public static let known: [Status] = [.alive, .dead, .unknown]
        }

        /// The gender of a character; an open set, so that a word that is not known yet stays as it came.
        public struct Gender: RawRepresentable, Hashable, Codable, Sendable {
            /// The server's word for it.
            public let rawValue: String

            /// Takes the server's word, known or not.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// Female.
            public static let female: Gender = Gender(rawValue: "Female")
            /// Male.
            public static let male: Gender = Gender(rawValue: "Male")
            /// None.
            public static let genderless: Gender = Gender(rawValue: "Genderless")
            /// The series does not tell.
            public static let unknown: Gender = Gender(rawValue: "unknown")
            /// Those that the API uses, for a choice.
            public static let known: [Gender] = [.female, .male, .genderless, .unknown]
        }

        /// A location as a character names it.
        public struct Place: Hashable, Codable, Sendable {
            /// Its name, also when it is none of the API's locations, as in `unknown`.
            public let name: String?
            /// Which location it is; `nil` when the API has none for it.
            public let id: Location.ID?

            /// Creates a place; its name is trimmed and an empty one becomes `nil`.
            public init(name: String? = nil, id: Location.ID? = nil) {
                self.name = name?.nonBlank
                self.id = id
            }
        }

        /// The identity: two values with the same id are the same character. Names are not unique.
        public let id: ID
        /// The name.
        public let name: String
        /// Whether they live, when the server said so.
        public let status: Status?
        /// What they are, as in `Human`.
        public let species: String?
        /// What kind of their species they are.
        public let type: String?
        /// The gender, when the server said so.
        public let gender: Gender?
        /// Where they come from.
        public let origin: Place
        /// Where they were last seen.
        public let location: Place
        /// Where the picture is, when the server said so.
        public let image: WebAddress?
        /// The episodes they appear in, in the server's order.
        public let episodes: [Episode.ID]
        /// When the API took them in.
        public let created: Date?

        /// Creates a character; texts are trimmed and emptied ones become `nil`.
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
