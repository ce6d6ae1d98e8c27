public import BrowseDomain

/// Pictures that a test or a preview brings along, all of them at hand.
public struct InMemoryImageRepository: ImageRepository {
    private let images: [WebAddress: EncodedImage]

    /// Creates a repository of these pictures, each in one size.
    public init(_ images: [WebAddress: EncodedImage]) {
        self.images = images
    }

    /// A picture.
    ///
    /// - Throws: `.notFound` when there is none at the address, `.cancelled` when the calling task is cancelled.
    public func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage {
        guard !Task.isCancelled else { throw .cancelled }
        guard let image = images[request.address] else {
            throw .notFound(BrowseError.RequestInfo(endpoint: "InMemoryImageRepository.image(for:)"))
        }
        return image
    }

    /// The picture, if there is one at the address.
    public func cachedImage(for request: ImageRequest) -> EncodedImage? { images[request.address] }

    /// Does nothing: no failure is remembered.
    public func forgetFailure(of request: ImageRequest) {}
}
