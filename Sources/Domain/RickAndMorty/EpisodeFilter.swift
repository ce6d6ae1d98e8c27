@_spi(Services) import BrowseDomain

extension RickAndMorty {
    /// A filter for episodes.
    public struct EpisodeFilter: Filter {
        /// A part of the title.
        public var name: String
        /// A part of the code, as in `S01` or `E05`.
        public var code: String

        /// Creates a filter.
        public init(name: String = "", code: String = "") {
            self.name = name
            self.code = code
        }

        /// Creates a filter that matches every episode.
        public init() { self.init(name: "") }

        /// The same filter with strings that have no surrounding white space.
        public var trimmed: Self { Self(name: name.trimmed, code: code.trimmed) }
    }
}
