/// The position of a favorite in the order by name.
///
/// Favorites are ordered by section, then by lowercase name in composed form (NFC) without accents
/// and invisible characters, then by kind and key. Strings are compared by their UTF-8 bytes, as
/// SQLite compares them.
public struct FavoriteSortKey: Comparable, Sendable {
    package let section: FavoriteSectionKey
    /// The lowercase name in composed form (NFC), without accents and invisible characters.
    package let foldedName: String
    /// The identity, which orders favorites with equal names.
    package let id: Favorite.ID

    /// Creates the key of a favorite.
    public init(_ favorite: Favorite) {
        self.init(name: favorite.title, id: favorite.id)
    }

    init(name: String, id: Favorite.ID) {
        section = FavoriteSectionKey(of: name)
        foldedName = name.foldedForSorting
        self.id = id
    }

    /// Compares bytes, like the sort order.
    public static func == (left: FavoriteSortKey, right: FavoriteSortKey) -> Bool {
        left.id == right.id && left.foldedName.utf8.elementsEqual(right.foldedName.utf8)
    }

    /// Returns whether a favorite comes before another.
    public static func < (left: FavoriteSortKey, right: FavoriteSortKey) -> Bool {
        let leftID = left.id
        let rightID = right.id
        let leftKind = left.section.kind.rawValue
        let rightKind = right.section.kind.rawValue
        guard leftKind == rightKind else { return leftKind < rightKind }
        let texts = [
            (left.section.title, right.section.title), (left.foldedName, right.foldedName),
            (leftID.kind.rawValue, rightID.kind.rawValue), (leftID.key, rightID.key),
        ]
        let difference = texts.first { !$0.utf8.elementsEqual($1.utf8) }
        return difference.map { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? false
    }
}
