/// A picture that is wanted: where it is, and how large it will be shown.
public struct ImageRequest: Hashable, Sendable {
    /// Where the picture is.
    public var address: WebAddress
    /// The longer side of the place that it is shown in, in pixels, not points; `nil` asks for the picture as it is.
    ///
    /// Some servers, such as that of GitHub's avatars, send a smaller picture then. It may still be larger than this.
    public var side: Int?

    /// Asks for a picture.
    public init(_ address: WebAddress, side: Int? = nil) {
        self.address = address
        self.side = side
    }
}
