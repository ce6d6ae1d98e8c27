/// The address of an image, and the size in which it will be shown.
public struct ImageRequest: Hashable, Sendable {
    /// The image's address.
    public var address: WebAddress
    /// The longer side of the view, in pixels, not points; `nil` requests the original size.
    ///
    /// Servers that offer several sizes send a smaller image, which may still be larger than this.
    public var side: Int?

    /// Creates a request.
    public init(_ address: WebAddress, side: Int? = nil) {
        self.address = address
        self.side = side
    }
}
