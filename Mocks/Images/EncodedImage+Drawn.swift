public import BrowseDomain

extension EncodedImage {
    /// A small picture for a text, always the same; see ``DrawnImage``.
    ///
    /// - Parameters:
    ///   - text: Any text; an address, for example.
    ///   - side: Its width and height in pixels, 5 to 250.
    public static func drawn(for text: String, side: Int = 40) -> EncodedImage {
        let side = min(max(side, 5), 250)
        return EncodedImage(
            data: DrawnImage.png(for: text, side: side),
            format: .png,
            size: PixelSize(width: side, height: side)
        )
    }
}
