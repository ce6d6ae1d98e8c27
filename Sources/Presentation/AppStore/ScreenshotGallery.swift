public import BrowseDomain

/// The screenshots of an app, and the position of the current one.
public struct ScreenshotGallery: Hashable, Sendable {
    /// The addresses of the screenshots, in order.
    public let screenshots: [WebAddress]
    /// The position of the current screenshot; 0 if there are none.
    public let position: Int

    /// Creates a gallery, and clamps the position to the valid range.
    package init(_ screenshots: [WebAddress], at position: Int) {
        self.screenshots = screenshots
        self.position = max(0, min(position, screenshots.count - 1))
    }

    /// The current screenshot; `nil` if there are none.
    public var current: WebAddress? { screenshots.isEmpty ? nil : screenshots[position] }
}
