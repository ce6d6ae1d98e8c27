/// A filter and an order for favorites.
public struct FavoriteQuery: Hashable, Sendable {
    /// An order of favorites.
    public enum Order: Hashable, Sendable {
        /// Sorts favorites in the order in which they were added.
        case added
        /// Sorts favorites by section and name, as ``FavoriteSortKey`` compares them.
        case name
        /// Sorts favorites by kind in a display order, and then by name.
        ///
        /// A list of favorites adds the kinds of the app that aren't listed, in the order of their titles.
        case kind(KindOrder = KindOrder())

        /// The order of kinds; `nil` if kinds aren't compared first.
        public var kinds: KindOrder? {
            if case .kind(let kinds) = self { kinds } else { nil }
        }
    }

    /// A display order of kinds: first those it lists, then all others by the bytes of their raw values.
    public struct KindOrder: Hashable, Sendable, ExpressibleByArrayLiteral {
        /// The listed kinds, without duplicates.
        public let kinds: [Favorite.Kind]
        private let ranks: [Favorite.Kind: Int]

        /// Creates an order; later duplicates of a kind are ignored.
        public init(_ kinds: [Favorite.Kind]) {
            var ranks: [Favorite.Kind: Int] = [:]
            self.kinds = kinds.filter { kind in
                guard ranks[kind] == nil else { return false }
                ranks[kind] = ranks.count
                return true
            }
            self.ranks = ranks
        }

        /// Creates an order from a literal.
        public init(arrayLiteral kinds: Favorite.Kind...) {
            self.init(kinds)
        }

        /// Returns whether a kind comes before another.
        public func precedes(_ left: Favorite.Kind, _ right: Favorite.Kind) -> Bool {
            let (leftRank, rightRank) = (rank(of: left), rank(of: right))
            return leftRank == rightRank
                ? left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8) : leftRank < rightRank
        }

        /// The position of a kind; all kinds that aren't listed have the last one.
        func rank(of kind: Favorite.Kind) -> Int { ranks[kind] ?? kinds.count }
    }

    /// The kinds to include; an empty set includes all.
    public var kinds: Set<Favorite.Kind>
    /// Part of the name, ignoring case, diacritics, and surrounding white space; blank matches all.
    public var filter: String
    /// The order of the favorites.
    public var order: Order

    /// Creates a query; by default for all favorites, in the order they were added.
    public init(kinds: Set<Favorite.Kind> = [], filter: String = "", order: Order = .added) {
        self.kinds = kinds
        self.filter = filter
        self.order = order
    }

    /// Returns whether the query includes a favorite.
    public func includes(_ favorite: Favorite) -> Bool {
        guard kinds.isEmpty || kinds.contains(favorite.kind) else { return false }
        return filter.isEmpty || TextMatch(filter).matches(favorite.title)
    }
}
