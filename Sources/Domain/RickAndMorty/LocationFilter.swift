@_spi(Services) import BrowseDomain

extension RickAndMorty {
    /// A filter for locations.
    public struct LocationFilter: Filter {
        /// A part of the name.
        public var name: String
        /// A part of the type.
        public var type: String
        /// A part of the dimension.
        public var dimension: String

        /// Creates a filter.
        public init(name: String = "", type: String = "", dimension: String = "") {
            self.name = name
            self.type = type
            self.dimension = dimension
        }

        /// Creates a filter that matches every location.
        public init() { self.init(name: "") }

        /// The same filter with strings that have no surrounding white space.
        public var trimmed: Self {
            Self(name: name.trimmed, type: type.trimmed, dimension: dimension.trimmed)
        }
    }
}
