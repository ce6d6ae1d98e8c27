public import BrowseDomain
import Synchronization

/// An image repository in memory, for tests and previews.
public final class InMemoryImageRepository: ImageRepository {
    private struct State {
        var images: [WebAddress: EncodedImage]
        var invalidated: [ImageRequest] = []
        var discarded: [ImageRequest] = []
    }

    private let state: Mutex<State>
    private let stored: [WebAddress: EncodedImage]
    private let onCall: CallHook<ImageRequest, EncodedImage>?

    /// Creates a repository of images in one size each.
    ///
    /// - Parameters:
    ///   - images: The images that are cached in memory.
    ///   - stored: The expired images that are shown while others load.
    ///   - onCall: Runs before each load. Its answers aren't cached.
    public init(
        _ images: [WebAddress: EncodedImage] = [:],
        stored: [WebAddress: EncodedImage] = [:],
        onCall: CallHook<ImageRequest, EncodedImage>? = nil
    ) {
        state = Mutex(State(images: images))
        self.stored = stored
        self.onCall = onCall
    }

    /// The images that are cached in memory.
    public var images: [WebAddress: EncodedImage] {
        get { state.withLock { $0.images } }
        set { state.withLock { $0.images = newValue } }
    }

    /// The images that were passed to ``invalidate(_:)``, in order.
    public var invalidated: [ImageRequest] { state.withLock { $0.invalidated } }

    /// The images that were passed to ``discard(_:)``, in order.
    public var discarded: [ImageRequest] { state.withLock { $0.discarded } }

    /// Returns an image.
    ///
    /// - Throws: `.notFound` for an unknown URL, or `.cancelled`.
    public func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage {
        if let answer = try await onCall?(request) { return answer }
        guard !Task.isCancelled else { throw .cancelled }
        guard let image = images[request.address] else {
            throw .notFound(BrowseError.RequestInfo(endpoint: "InMemoryImageRepository.image(for:)"))
        }
        return image
    }

    /// Returns an image, or `nil` for an unknown URL.
    public func cachedImage(for request: ImageRequest) -> EncodedImage? { images[request.address] }

    /// Returns an image that is cached or stored.
    public func storedImage(for request: ImageRequest) async -> EncodedImage? {
        images[request.address] ?? stored[request.address]
    }

    /// Records the request; images don't expire, and failures aren't remembered.
    public func invalidate(_ request: ImageRequest) { state.withLock { $0.invalidated.append(request) } }

    /// Records the request; the images stay.
    public func discard(_ request: ImageRequest) { state.withLock { $0.discarded.append(request) } }
}
