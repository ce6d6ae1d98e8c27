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
    /// - Throws: ``BrowseError``: `.unusableResponse` if the response isn't an image, or is truncated or too large; `.refused`
    ///   if the address isn't allowed; or the error of the request.
    func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage

    /// Returns an image from memory without waiting, so that a row that reappears shows it at once.
    func cachedImage(for request: ImageRequest) -> EncodedImage?

    /// Allows the next load to request an image again right after a failure.
    func forgetFailure(of request: ImageRequest)

    /// Releases the images in memory that can be loaded again.
    func releaseMemory()
}

extension ImageRepository {
    /// Does nothing; for repositories whose images can't be loaded again.
    public func releaseMemory() {}
}
