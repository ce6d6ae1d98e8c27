extension RickAndMorty {
    /// A filter for episodes, which must match all given values.
    ///
    /// Strings match parts of values, ignoring case and surrounding white space. Blank strings are ignored.
    public struct EpisodeFilter: Hashable, Sendable {
        /// A part of the title.
        public let name: String?
        /// A part of the code, as in `S01` or `E05`.
        public let code: String?

        /// Creates a filter; `nil` matches every episode.
        public init(name: String? = nil, code: String? = nil) {
            self.name = name?.nonBlank
            self.code = code?.nonBlank
        }

        /// Whether the filter matches every episode.
        public var isEmpty: Bool { self == EpisodeFilter() }
    }
}
