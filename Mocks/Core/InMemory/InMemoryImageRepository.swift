public import BrowseDomain

/// An image repository in memory, for tests and previews; all images are cached.
public struct InMemoryImageRepository: ImageRepository {
    private let images: [WebAddress: EncodedImage]

    /// Creates a repository of images in one size each.
    public init(_ images: [WebAddress: EncodedImage]) {
        self.images = images
    }

    /// Returns an image.
    ///
    /// - Throws: `.notFound` for an unknown URL, or `.cancelled`.
    public func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage {
        guard !Task.isCancelled else { throw .cancelled }
        guard let image = images[request.address] else {
            throw .notFound(BrowseError.RequestInfo(endpoint: "InMemoryImageRepository.image(for:)"))
        }
        return image
    }

    /// Returns an image, or `nil` for an unknown URL.
    public func cachedImage(for request: ImageRequest) -> EncodedImage? { images[request.address] }

    /// Does nothing; images don't expire, and failures aren't remembered.
    public func invalidate(_ request: ImageRequest) {}

    /// Does nothing; the images stay.
    public func discard(_ request: ImageRequest) {}
}
