/// The address of an image, and the size in which it will be shown.
public struct ImageRequest: Hashable, Sendable {
    /// The image's address.
    public var address: WebAddress
    /// The longer side of the view, in pixels, not points; `nil` requests the original size.
    ///
    /// If the server's sizes are known, the smallest that isn't smaller than this is requested, or else the largest.
    public var side: Int?

    /// Creates a request.
    public init(_ address: WebAddress, side: Int? = nil) {
        self.address = address
        self.side = side
    }
}
