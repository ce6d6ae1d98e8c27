/// Loads images.
///
/// The task's ``LoadOptions`` apply:
///
/// ```swift
/// let avatar = ImageRequest(address, side: 80)
/// let image = try await LoadOptions(priority: .prefetch).load { () throws(BrowseError) in
///     try await images.image(for: avatar)
/// }
/// ```
public protocol ImageRepository: Sendable {
    /// Returns an image.
    ///
    /// - Throws: ``BrowseError``: `.unusableResponse` if the response isn't an image, or is too
    ///   large; `.refused` if the address isn't allowed; or the error of the request.
    func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage

    /// Returns an image from memory without suspending, so that reappearing rows show it at once.
    func cachedImage(for request: ImageRequest) -> EncodedImage?

    /// Returns an image from memory or disk, however old, to show while the current one is loading.
    func storedImage(for request: ImageRequest) async -> EncodedImage?

    /// Lets the next load ask the server, although the image is cached or has just failed to load.
    func invalidate(_ request: ImageRequest) async

    /// Removes an image that can't be decoded; its next load fails for a while, unless it's
    /// invalidated.
    func discard(_ request: ImageRequest) async

    /// Releases the images in memory that can be loaded again.
    func releaseMemory()

    /// Returns the size of the images on disk in bytes; `nil` if the disk hangs.
    func byteCount() async -> Int?

    /// Removes the images in memory and on disk that can be loaded again.
    func removeAll() async
}

extension ImageRepository {
    /// Returns `nil`; for repositories whose images don't expire.
    public func storedImage(for request: ImageRequest) async -> EncodedImage? { nil }

    /// Does nothing; for repositories whose images can't be loaded again.
    public func releaseMemory() {}

    /// Returns 0; for repositories without a disk.
    public func byteCount() async -> Int? { 0 }

    /// Releases the images in memory; for repositories without a disk.
    public func removeAll() async { releaseMemory() }
}
