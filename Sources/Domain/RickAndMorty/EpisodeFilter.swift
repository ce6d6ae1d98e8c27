extension RickAndMorty {
    /// Which episodes are wanted: those that fit everything that is given.
    ///
    /// Texts are parts of what is looked for, in any case; white space at their ends does not count, and a blank one is
    /// none.
    public struct EpisodeFilter: Hashable, Sendable {
        /// A part of the title.
        public let name: String?
        /// A part of the code, as in `S01` or `E05`.
        public let code: String?

        /// Creates a filter; what is not given lets every episode pass.
        public init(name: String? = nil, code: String? = nil) {
            self.name = name?.nonBlank
            self.code = code?.nonBlank
        }

        /// Whether every episode passes.
        public var isEmpty: Bool { self == EpisodeFilter() }
    }
}
