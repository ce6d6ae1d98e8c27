/// A section of favorites that are sorted by name, and the positions of its rows.
public struct FavoriteSection: Equatable, Sendable {
    /// The title: the uppercase letter, `0–9`, or `#`.
    public let title: String
    /// The positions of its rows.
    public let positions: Range<Int>
}

extension [FavoriteSection] {
    /// Finds the sections of titles in the order ``FavoriteQuery/Order/name``.
    ///
    /// A binary search finds the end of each section, so it's fast enough to repeat for each page
    /// of a long list.
    package init(count: Int, title: (Int) -> String) {
        self = []
        var start = 0
        while start < count {
            let section = FavoriteSectionKey(of: title(start))
            let end = (start + 1..<count).partitioningIndex { FavoriteSectionKey(of: title($0)) != section }
            append(FavoriteSection(title: section.title, positions: start..<end))
            start = end
        }
    }
}
