extension RickAndMorty {
    /// A filter for characters, episodes, or locations, which must match all given values.
    ///
    /// Strings match parts of values, ignoring case. They are sent as a `TypedText` with straight
    /// quotes, like those of the API. Blank strings are ignored.
    public protocol Filter: Hashable, Sendable {
        /// A part of the name.
        var name: String { get set }

        /// Creates a filter that matches everything.
        init()
    }

    /// A filter for characters.
    public struct CharacterFilter: Filter {
        /// A part of the name.
        public var name: String = ""
        /// The status; `nil` is any.
        public var status: Character.Status?
        /// A part of the species.
        public var species: String = ""
        /// A part of the subspecies.
        public var type: String = ""
        /// The gender; `nil` is any.
        public var gender: Character.Gender?

        /// Creates a filter that matches every character.
        public init() {}
    }

    /// A filter for episodes.
    public struct EpisodeFilter: Filter {
        /// A part of the title.
        public var name: String = ""
        /// A part of the code, as in `S01` or `E05`.
        public var code: String = ""

        /// Creates a filter that matches every episode.
        public init() {}
    }

    /// A filter for locations.
    public struct LocationFilter: Filter {
        /// A part of the name.
        public var name: String = ""
        /// A part of the type.
        public var type: String = ""
        /// A part of the dimension.
        public var dimension: String = ""

        /// Creates a filter that matches every location.
        public init() {}
    }
}

extension RickAndMorty.Filter {
    /// Creates a filter, and changes it.
    public init(_ change: (inout Self) -> Void) {
        self.init()
        change(&self)
    }
}
