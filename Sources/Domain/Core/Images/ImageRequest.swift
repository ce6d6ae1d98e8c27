/// The address of an image, and the size in which it will be shown.
public struct ImageRequest: Hashable, Sendable {
    /// The image's address.
    public var address: WebAddress
    /// The longer side of the view, in pixels, not points; `nil` requests the original size.
    ///
    /// If the server's sizes are known, the smallest that isn't smaller than this is requested, or
    /// else the largest.
    public var side: Int?
    /// Identifies the image in memory and on disk; `nil` uses the address.
    ///
    /// Set it if the address of an image changes but the image doesn't, such as with a signature
    /// that expires.
    public var cacheKey: String?

    /// Creates a request.
    public init(_ address: WebAddress, side: Int? = nil, cacheKey: String? = nil) {
        self.address = address
        self.side = side
        self.cacheKey = cacheKey
    }
}
