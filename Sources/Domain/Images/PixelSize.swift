/// How large a picture is.
public struct PixelSize: Hashable, Sendable {
    /// From left to right, in pixels.
    public let width: Int
    /// From top to bottom, in pixels.
    public let height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}
