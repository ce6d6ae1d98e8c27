extension RickAndMorty {
    /// Which characters are wanted: those that fit everything that is given.
    ///
    /// Texts are parts of what is looked for, in any case; white space at their ends does not count, and a blank one is
    /// none.
    public struct CharacterFilter: Hashable, Sendable {
        /// A part of the name.
        public let name: String?
        /// Whether they live.
        public let status: Character.Status?
        /// A part of the species.
        public let species: String?
        /// A part of the type.
        public let type: String?
        /// The gender.
        public let gender: Character.Gender?

        /// Creates a filter; what is not given lets everybody pass.
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

        /// Whether everybody passes.
        public var isEmpty: Bool { self == CharacterFilter() }
    }
}
