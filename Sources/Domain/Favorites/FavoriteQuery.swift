/// Which favorites are wanted, and in which order.
public struct FavoriteQuery: Hashable, Sendable {
    /// How favorites are ordered.
    public enum Order: Hashable, Sendable {
        /// The one that was added first comes first.
        case added
        /// By section and name, as ``FavoriteSortKey`` compares.
        case name
        /// By kind, in the order of the kinds' raw values, then by name.
        case kind
    }

    /// The kinds that are wanted; none given means all.
    public var kinds: Set<Favorite.Kind>
    /// Part of the name, regardless of case, diacritics, and white space around it; a blank filter matches every name.
    public var filter: String
    /// How they are ordered.
    public var order: Order

    /// Asks for favorites; without arguments for all of them, in the order of adding.
    public init(kinds: Set<Favorite.Kind> = [], filter: String = "", order: Order = .added) {
        self.kinds = kinds
        self.filter = filter
        self.order = order
    }

    /// Whether a favorite is one of those that are wanted.
    public func includes(_ favorite: Favorite) -> Bool {
        guard kinds.isEmpty || kinds.contains(favorite.kind) else { return false }
        return filter.isEmpty || TextMatch(filter).matches(favorite.title)
    }
}
