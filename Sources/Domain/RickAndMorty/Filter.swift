import BrowseDomain

extension RickAndMorty {
    /// A filter for characters, episodes, or locations, which must match all given values.
    ///
    /// Strings match parts of values, ignoring case and surrounding white space. Blank strings are ignored.
    public protocol Filter: Hashable, Sendable {
        /// A part of the name.
        var name: String { get set }

        /// Creates a filter that matches everything.
        init()

        /// The same filter with strings that have no surrounding white space.
        var trimmed: Self { get }
    }
}

extension RickAndMorty.Filter {
    /// Whether the filter matches everything.
    package var isEmpty: Bool { trimmed == Self() }
}
