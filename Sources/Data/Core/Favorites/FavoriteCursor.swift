import BrowseDomain

/// The sort key of the last row of a page; the next page starts after it, even if the row is
/// deleted.
enum FavoriteCursor {
    /// The sequence number.
    case added(Int64)
    /// The key in the order by name.
    case sorted(FavoriteSortKey)

    /// Parses a page cursor; `nil` if it's invalid or of another order.
    init?(_ cursor: PageCursor, in order: FavoriteQuery.Order) {
        switch order {
        case .added:
            let prefix = cursor.rawValue.prefix(6)
            let text = cursor.rawValue.dropFirst(6)
            guard prefix == "added ", let position = Int64(text) else { return nil }
            self = .added(position)
        case .name:
            guard let key = FavoriteSortKey(cursor) else { return nil }
            self = .sorted(key)
        }
    }

    /// Returns the page cursor after a stored favorite.
    static func page(after favorite: Favorite, in order: FavoriteQuery.Order) -> PageCursor? {
        switch order {
        case .added: favorite.sequenceNumber.map { PageCursor(rawValue: "added \($0)") }
        case .name: FavoriteSortKey(favorite).cursor
        }
    }

    /// The SQL condition for the rows after the cursor.
    func condition(_ bind: (Database.Value) -> String) -> String {
        switch self {
        case .added(let position): return "position > \(bind(.integer(position)))"
        case .sorted(let key):
            let values: [Database.Value] = [
                .integer(Int64(key.section.kind.rawValue)), .text(key.section.title), .text(key.foldedName),
                .text(key.id.kind.rawValue), .text(key.id.key),
            ]
            return "(\(FavoriteTable.nameOrder)) > (\(values.map { bind($0) }.joined(separator: ", ")))"
        }
    }
}
