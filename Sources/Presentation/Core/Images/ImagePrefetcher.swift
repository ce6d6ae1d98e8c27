public import BrowseDomain

/// Loads images of rows that are about to become visible.
///
/// ```swift
/// let near = model.state.content.rows.images(around: visible, side: 96)
/// prefetcher.prefetch(near)
/// ```
///
/// Its loads have the lowest priority. A visible view that requests the same image raises it.
@MainActor
public final class ImagePrefetcher {
    private let images: any ImageRepository
    private var loads: [ImageRequest: Task<Void, Never>] = [:]

    /// Creates a prefetcher for one list.
    package init(images: any ImageRepository) { self.images = images }

    deinit {
        for load in loads.values { load.cancel() }
    }

    /// Loads these images, in this order, and cancels all other loads. Call it whenever the list
    /// scrolls.
    public func prefetch(_ requests: [ImageRequest]) {
        let wanted = Set(requests)
        for (request, load) in loads where !wanted.contains(request) {
            load.cancel()
            loads[request] = nil
        }
        for request in requests where loads[request] == nil && images.cachedImage(for: request) == nil {
            // Tasks of the main actor start in order; the work runs elsewhere.
            loads[request] = Task { [weak self, images] in
                guard !Task.isCancelled else { return }
                _ = try? await LoadOptions(priority: .prefetch).load { () throws(BrowseError) in
                    try await images.image(for: request)
                }
                // A canceled load was removed before, and another one may have begun.
                if !Task.isCancelled { self?.loads[request] = nil }
            }
        }
    }
}

extension Rows where Element: FavoriteRow {
    /// Returns the images of the visible rows and those near them, in the order in which to load
    /// them.
    ///
    /// - Parameters:
    ///   - visible: The positions of the visible rows, clamped to the list.
    ///   - distance: The number of rows before and after them.
    ///   - side: The longer side of an image on screen, in pixels; see `ImageRequest`.
    public func images(around visible: Range<Int>, distance: Int = 20, side: Int? = nil) -> [ImageRequest] {
        let visible = visible.clamped(to: startIndex..<endIndex)
        let distance = Swift.max(0, distance)
        let positions =
            Array(visible) + Array(self[visible.upperBound...].indices.prefix(distance))
            + self[..<visible.lowerBound].indices.suffix(distance).reversed()
        return positions.compactMap { position in
            self[position].favorite.image.map { ImageRequest($0, side: side) }
        }
    }
}
