public import BrowseDomain

/// Loads pictures before they are seen, and stops loading those that will not be.
///
/// ```swift
/// let near = model.state.content.rows.images(around: visible, side: 96)
/// prefetcher.prefetch(near)
/// ```
///
/// It asks with the lowest priority, so that a picture that is seen goes first, and one that comes into sight goes on.
@MainActor
public final class ImagePrefetcher {
    private let images: any ImageRepository
    private var loads: [ImageRequest: Task<Void, Never>] = [:]

    /// Creates a prefetcher, one for each list.
    public init(images: any ImageRepository) {
        self.images = images
    }

    deinit {
        for load in loads.values { load.cancel() }
    }

    /// Loads these pictures, in this order, and stops loading all others; call it whenever the list has moved.
    public func prefetch(_ requests: [ImageRequest]) {
        let wanted = Set(requests)
        for (request, load) in loads where !wanted.contains(request) {
            load.cancel()
            loads[request] = nil
        }
        for request in requests where loads[request] == nil {
            // On the main actor, which keeps their order; the work itself is elsewhere.
            loads[request] = Task { [images] in
                guard !Task.isCancelled else { return }
                _ = try? await LoadOptions(priority: .prefetch).load { () throws(BrowseError) in
                    try await images.image(for: request)
                }
            }
        }
    }

    /// Stops loading.
    public func stop() {
        prefetch([])
    }
}
