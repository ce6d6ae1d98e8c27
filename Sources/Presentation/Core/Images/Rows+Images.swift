public import BrowseDomain

extension Rows where Element: FavoriteRow {
    /// Returns the images of the visible rows and those near them, in the order in which to load them.
    ///
    /// - Parameters:
    ///   - visible: The positions of the visible rows, clamped to the list.
    ///   - distance: The number of rows before and after them.
    ///   - side: The longer side of an image on screen, in pixels; see `ImageRequest`.
    public func images(around visible: Range<Int>, distance: Int = 20, side: Int? = nil) -> [ImageRequest] {
        positions(around: visible, distance: distance).compactMap { position in
            self[position].favorite.image.map { ImageRequest($0, side: side) }
        }
    }
}

extension RandomAccessCollection where Index == Int {
    /// Returns the positions of a range, then those after it, then those before it, the nearest first.
    @_spi(Services) public func positions(around visible: Range<Int>, distance: Int) -> [Int] {
        let visible = visible.clamped(to: startIndex..<endIndex)
        let distance = Swift.max(0, distance)
        return Array(visible) + Array(self[visible.upperBound...].indices.prefix(distance))
            + self[..<visible.lowerBound].indices.suffix(distance).reversed()
    }
}
