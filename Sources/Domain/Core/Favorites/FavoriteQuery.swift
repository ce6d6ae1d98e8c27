/// A filter and an order for favorites.
public struct FavoriteQuery: Hashable, Sendable {
    /// An order of favorites.
    public enum Order: Hashable, Sendable {
        /// Sorts favorites in the order in which they were added.
        case added
        /// Sorts favorites by section and name, as ``FavoriteSortKey`` compares them.
        case name
    }

    /// The kinds to include; an empty set includes all.
    public var kinds: Set<Favorite.Kind>
    /// Part of the name, as ``TypedText/isPart(of:)`` finds it; blank matches all.
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
        return filter.isEmpty || TypedText(filter).isPart(of: favorite.title)
    }
}
