public import BrowseDomain

extension Rows where Element: FavoriteRow {
    /// The pictures of the rows that are visible and of those near them, in the order in which they should come.
    ///
    /// - Parameters:
    ///   - visible: The positions that are visible; those outside of the list are left out.
    ///   - distance: How many rows are near, before and behind.
    ///   - side: The longer side of a picture as it is shown, in pixels; see `ImageRequest`.
    public func images(around visible: Range<Int>, distance: Int = 20, side: Int? = nil) -> [ImageRequest] {
        positions(around: visible, distance: distance).compactMap { position in
            self[position].favorite.image.map { ImageRequest($0, side: side) }
        }
    }
}

extension ScreenshotGallery {
    /// The picture in front and those next to it, in the order in which they should come.
    ///
    /// - Parameter distance: How many are near, before and behind.
    public func images(distance: Int = 2) -> [ImageRequest] {
        screenshots.positions(around: position..<position + 1, distance: distance).map { ImageRequest(screenshots[$0]) }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The positions of a range, then those behind it, then those before it, the nearest first.
    fileprivate func positions(around visible: Range<Int>, distance: Int) -> [Int] {
        let visible = visible.clamped(to: startIndex..<endIndex)
        let distance = Swift.max(0, distance)
        return Array(visible) + Array(self[visible.upperBound...].indices.prefix(distance))
            + self[..<visible.lowerBound].indices.suffix(distance).reversed()
    }
}
