public import BrowseDomain

/// An image repository whose results a test sets as closures.
///
/// Use it for failures, delays, and to inspect calls; for data, use ``InMemoryImageRepository``. If ``onImage`` isn't set,
/// loads fail with a hint, and are issues in tests with the trait `.verifiesMocks`.
public struct ImageRepositoryDouble: ImageRepository {
    /// Performs ``image(for:)``.
    public var onImage: @Sendable (ImageRequest) async throws(BrowseError) -> EncodedImage
    /// Performs ``cachedImage(for:)``.
    public var onCachedImage: @Sendable (ImageRequest) -> EncodedImage?
    /// Receives ``forgetFailure(of:)``; does nothing by default.
    public var onForgetFailure: @Sendable (ImageRequest) -> Void
    /// Receives ``discard(_:)``; does nothing by default.
    public var onDiscard: @Sendable (ImageRequest) -> Void

    /// Creates a double.
    public init(
        onImage: @escaping @Sendable (ImageRequest) async throws(BrowseError) -> EncodedImage = {
            _ throws(BrowseError) in
            throw .notSetUp("onImage", of: "ImageRepositoryDouble")
        },
        onCachedImage: @escaping @Sendable (ImageRequest) -> EncodedImage? = { _ in nil },
        onForgetFailure: @escaping @Sendable (ImageRequest) -> Void = { _ in },
        onDiscard: @escaping @Sendable (ImageRequest) -> Void = { _ in }
    ) {
        self.onImage = onImage
        self.onCachedImage = onCachedImage
        self.onForgetFailure = onForgetFailure
        self.onDiscard = onDiscard
    }

    /// Returns a double whose loads fail.
    public static func failing(with error: BrowseError) -> ImageRepositoryDouble {
        ImageRepositoryDouble(onImage: { _ throws(BrowseError) in throw error })
    }

    /// A double whose loads suspend until their task is canceled, and then throw `.cancelled`.
    public static var never: ImageRepositoryDouble {
        ImageRepositoryDouble(onImage: { _ throws(BrowseError) in throw await .whenCancelled() })
    }

    /// Returns a double whose loads suspend until a test responds.
    public static func controlled(by responses: ControlledResponses<ImageRequest, EncodedImage>)
        -> ImageRepositoryDouble
    {
        ImageRepositoryDouble(onImage: { request throws(BrowseError) in try await responses.response(to: request) })
    }

    /// Calls ``onImage``.
    public func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage {
        try await onImage(request)
    }

    /// Calls ``onCachedImage``.
    public func cachedImage(for request: ImageRequest) -> EncodedImage? { onCachedImage(request) }

    /// Calls ``onForgetFailure``.
    public func forgetFailure(of request: ImageRequest) { onForgetFailure(request) }

    /// Calls ``onDiscard``.
    public func discard(_ request: ImageRequest) { onDiscard(request) }
}
