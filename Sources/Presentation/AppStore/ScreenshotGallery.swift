public import BrowseDomain
@_spi(Services) import BrowsePresentation

/// The screenshots of an app, and the position of the current one.
public struct ScreenshotGallery: Hashable, Sendable {
    /// The addresses of the screenshots, in order.
    public let screenshots: [WebAddress]
    /// The position of the current screenshot; 0 if there are none.
    public let position: Int

    /// Creates a gallery, and clamps the position to the valid range.
    public init(_ screenshots: [WebAddress], at position: Int) {
        self.screenshots = screenshots
        self.position = max(0, min(position, screenshots.count - 1))
    }

    /// The current screenshot; `nil` if there are none.
    public var current: WebAddress? { screenshots.isEmpty ? nil : screenshots[position] }
}

extension ScreenshotGallery {
    /// Returns the current screenshot and those near it, in the order in which to load them.
    ///
    /// - Parameter distance: The number of screenshots before and after it.
    package func images(distance: Int = 2) -> [ImageRequest] {
        screenshots.positions(around: position..<position + 1, distance: distance).map { ImageRequest(screenshots[$0]) }
    }
}
