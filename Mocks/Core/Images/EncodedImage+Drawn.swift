public import BrowseDomain

extension EncodedImage {
    /// Generates a small image from a text, always the same one; see ``DrawnImage``.
    ///
    /// - Parameters:
    ///   - text: Any text, such as a URL.
    ///   - side: The width and height in pixels, 5 to 250.
    public static func drawn(for text: String, side: Int = 40) -> EncodedImage {
        let side = min(max(side, 5), 250)
        return EncodedImage(
            data: DrawnImage.png(for: text, side: side),
            format: .png,
            size: PixelSize(width: side, height: side)
        )
    }
}
