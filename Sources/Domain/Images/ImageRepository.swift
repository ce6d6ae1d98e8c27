/// Where pictures come from.
///
/// How soon one is wanted goes beside the call, as everywhere:
///
/// ```swift
/// let avatar = ImageRequest(address, side: 80)
/// let image = try await LoadOptions(priority: .prefetch).load { () throws(BrowseError) in
///     try await images.image(for: avatar)
/// }
/// ```
public protocol ImageRepository: Sendable {
    /// A picture.
    ///
    /// - Throws: `.unusableResponse` when what is there is no picture, is cut off or too large; `.refused` when the address is
    ///   not one that may be asked; `.cancelled` when the calling task is cancelled; or why it did not come.
    func image(for request: ImageRequest) async throws(BrowseError) -> EncodedImage

    /// The picture when it is at hand without any wait, so that a row that comes back shows it at once.
    func cachedImage(for request: ImageRequest) -> EncodedImage?

    /// Has the next load ask for the picture again, although the last one has just failed.
    func forgetFailure(of request: ImageRequest)

    /// Releases the images in memory that can be loaded again.
    func releaseMemory()
}

extension ImageRepository {
    /// Does nothing: for repositories whose images can't be loaded again.
    public func releaseMemory() {}
}
