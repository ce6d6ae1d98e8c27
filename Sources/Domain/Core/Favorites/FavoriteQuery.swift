/// A filter and an order for favorites.
public struct FavoriteQuery: Hashable, Sendable {
    /// An order of favorites.
    public enum Order: Hashable, Sendable {
        /// The order in which favorites were added.
        case added
        /// By section and name, as ``FavoriteSortKey`` compares.
        case name
        /// By the kind's raw value, then by name.
        case kind
    }

    /// The kinds to include; an empty set includes all.
    public var kinds: Set<Favorite.Kind>
    /// Part of the name, ignoring case, diacritics, and surrounding white space; blank matches all.
    public var filter: String
    /// The order.
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
