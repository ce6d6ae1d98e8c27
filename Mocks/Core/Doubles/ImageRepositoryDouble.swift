public import BrowseDomain

/// An image repository whose results a test sets as closures; see ``RepositoryDouble``.
public struct ImageRepositoryDouble: ImageRepository, RepositoryDouble {
    /// Performs ``image(for:)``.
    public var onImage: @Sendable (ImageRequest) async throws(BrowseError) -> EncodedImage
    /// Performs ``cachedImage(for:)``; no image is cached by default.
    public var onCachedImage: @Sendable (ImageRequest) -> EncodedImage? = { _ in nil }
    /// Performs ``storedImage(for:)``; no image is stored by default.
    public var onStoredImage: @Sendable (ImageRequest) async -> EncodedImage? = { _ in nil }
    /// Receives ``invalidate(_:)``; does nothing by default.
    public var onInvalidate: @Sendable (ImageRequest) -> Void = { _ in }
    /// Receives ``discard(_:)``; does nothing by default.
    public var onDiscard: @Sendable (ImageRequest) -> Void = { _ in }
    /// Receives ``releaseMemory()``; does nothing by default.
    public var onReleaseMemory: @Sendable () -> Void = {}

    /// Creates a double whose loads throw.
    public init(throwing error: DoubleFailure) {
        onImage = { _ throws(BrowseError) in throw await error("onImage", 1) }
    }

    /// Creates a double.
    public init(onImage: @escaping @Sendable (ImageRequest) async throws(BrowseError) -> EncodedImage) {
        self.onImage = onImage
    }

    /// Creates a double that forwards calls.
    public init(over repository: any ImageRepository) {
        onImage = { request throws(BrowseError) in try await repository.image(for: request) }
        onCachedImage = { repository.cachedImage(for: $0) }
        onStoredImage = { await repository.storedImage(for: $0) }
        onInvalidate = { repository.invalidate($0) }
        onDiscard = { repository.discard($0) }
        onReleaseMemory = { repository.releaseMemory() }
    }

    /// Returns a double whose loads suspend until a test responds.
    public static func controlled(by responses: ControlledResponses<ImageRequest, EncodedImage>) -> Self {
        Self(onImage: { request throws(BrowseError) in try await responses.response(to: request) })
    }

    /// Calls ``onImage``.
    public func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage {
        try await onImage(request)
    }

    /// Calls ``onCachedImage``.
    public func cachedImage(for request: ImageRequest) -> EncodedImage? { onCachedImage(request) }

    /// Calls ``onStoredImage``.
    public func storedImage(for request: ImageRequest) async -> EncodedImage? { await onStoredImage(request) }

    /// Calls ``onInvalidate``.
    public func invalidate(_ request: ImageRequest) { onInvalidate(request) }

    /// Calls ``onDiscard``.
    public func discard(_ request: ImageRequest) { onDiscard(request) }

    /// Calls ``onReleaseMemory``.
    public func releaseMemory() { onReleaseMemory() }
}
