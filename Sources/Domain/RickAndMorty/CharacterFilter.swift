extension RickAndMorty {
    /// A filter for characters, which must match all given values.
    ///
    /// Strings match parts of values, ignoring case and surrounding white space. Blank strings are ignored.
    public struct CharacterFilter: Hashable, Sendable {
        /// A part of the name.
        public let name: String?
        /// The status.
        public let status: Character.Status?
        /// A part of the species.
        public let species: String?
        /// A part of the subspecies.
        public let type: String?
        /// The gender.
        public let gender: Character.Gender?

        /// Creates a filter; `nil` matches every character.
        public init(
            name: String? = nil,
            status: Character.Status? = nil,
            species: String? = nil,
            type: String? = nil,
            gender: Character.Gender? = nil
        ) {
            self.name = name?.nonBlank
            self.status = status
            self.species = species?.nonBlank
            self.type = type?.nonBlank
            self.gender = gender
        }

        /// Whether the filter matches every character.
        public var isEmpty: Bool { self == CharacterFilter() }
    }
}
