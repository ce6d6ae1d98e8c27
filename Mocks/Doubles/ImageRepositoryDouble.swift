public import BrowseDomain

/// An image repository whose answers a test writes as closures.
///
/// Use ``InMemoryImageRepository`` when the pictures are what matters; use this one to fail, to come late, or to look at what
/// is asked for. Without ``onImage`` every load throws an error that says which one to set; without the other two nothing is
/// at hand, and no failure is remembered.
public struct ImageRepositoryDouble: ImageRepository {
    /// Answers ``image(for:)``.
    public var onImage: @Sendable (ImageRequest) async throws(BrowseError) -> EncodedImage
    /// Answers ``cachedImage(for:)``.
    public var onCachedImage: @Sendable (ImageRequest) -> EncodedImage?
    /// Is told of ``forgetFailure(of:)``.
    public var onForgetFailure: @Sendable (ImageRequest) -> Void

    /// Creates a double from its closures.
    public init(
        onImage: @escaping @Sendable (ImageRequest) async throws(BrowseError) -> EncodedImage = {
            _ throws(BrowseError) in
            throw .notSetUp("onImage", of: "ImageRepositoryDouble")
        },
        onCachedImage: @escaping @Sendable (ImageRequest) -> EncodedImage? = { _ in nil },
        onForgetFailure: @escaping @Sendable (ImageRequest) -> Void = { _ in }
    ) {
        self.onImage = onImage
        self.onCachedImage = onCachedImage
        self.onForgetFailure = onForgetFailure
    }

    /// Answers every load with an error.
    public static func failing(with error: BrowseError) -> ImageRepositoryDouble {
        ImageRepositoryDouble(onImage: { _ throws(BrowseError) in throw error })
    }

    /// Never answers; a load ends with `.cancelled` when its task is cancelled.
    public static var never: ImageRepositoryDouble {
        ImageRepositoryDouble(onImage: { _ throws(BrowseError) in throw await .whenCancelled() })
    }

    /// Answers when the test lets the picture go.
    public static func held(_ responses: ControlledResponses<ImageRequest, EncodedImage>) -> ImageRepositoryDouble {
        ImageRepositoryDouble(onImage: { request throws(BrowseError) in try await responses.response(to: request) })
    }

    /// What ``onImage`` answers.
    public func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage {
        try await onImage(request)
    }

    /// What ``onCachedImage`` answers.
    public func cachedImage(for request: ImageRequest) -> EncodedImage? { onCachedImage(request) }

    /// Tells ``onForgetFailure``.
    public func forgetFailure(of request: ImageRequest) { onForgetFailure(request) }
}
