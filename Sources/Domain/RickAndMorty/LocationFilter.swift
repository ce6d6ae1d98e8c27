extension RickAndMorty {
    /// Which locations are wanted: those that fit everything that is given.
    ///
    /// Texts are parts of what is looked for, in any case; white space at their ends does not count, and a blank one is
    /// none.
    public struct LocationFilter: Hashable, Sendable {
        /// A part of the name.
        public let name: String?
        /// A part of the type.
        public let type: String?
        /// A part of the dimension.
        public let dimension: String?

        /// Creates a filter; what is not given lets every location pass.
        public init(name: String? = nil, type: String? = nil, dimension: String? = nil) {
            self.name = name?.nonBlank
            self.type = type?.nonBlank
            self.dimension = dimension?.nonBlank
        }

        /// Whether every location passes.
        public var isEmpty: Bool { self == LocationFilter() }
    }
}
