@_spi(Services) import BrowseDomain

extension RickAndMorty {
    /// A filter for characters.
    public struct CharacterFilter: Filter {
        /// A part of the name.
        public var name: String
        /// The status; `nil` is any.
        public var status: Character.Status?
        /// A part of the species.
        public var species: String
        /// A part of the subspecies.
        public var type: String
        /// The gender; `nil` is any.
        public var gender: Character.Gender?

        /// Creates a filter.
        public init(
            name: String = "",
            status: Character.Status? = nil,
            species: String = "",
            type: String = "",
            gender: Character.Gender? = nil
        ) {
            self.name = name
            self.status = status
            self.species = species
            self.type = type
            self.gender = gender
        }

        /// Creates a filter that matches every character.
        public init() { self.init(name: "") }

        /// The same filter with strings that have no surrounding white space.
        public var trimmed: Self {
            Self(name: name.trimmed, status: status, species: species.trimmed, type: type.trimmed, gender: gender)
        }
    }
}
