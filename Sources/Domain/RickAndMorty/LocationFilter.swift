extension RickAndMorty {
    /// A filter for locations, which must match all given values.
    ///
    /// Strings match parts of values, ignoring case and surrounding white space. Blank strings are ignored.
    public struct LocationFilter: Hashable, Sendable {
        /// A part of the name.
        public let name: String?
        /// A part of the type.
        public let type: String?
        /// A part of the dimension.
        public let dimension: String?

        /// Creates a filter; `nil` matches every location.
        public init(name: String? = nil, type: String? = nil, dimension: String? = nil) {
            self.name = name?.nonBlank
            self.type = type?.nonBlank
            self.dimension = dimension?.nonBlank
        }

        /// Whether the filter matches every location.
        public var isEmpty: Bool { self == LocationFilter() }
    }
}
