public import BrowseDomain

/// Pictures to leaf through, and which of them is in front.
public struct ScreenshotGallery: Hashable, Sendable {
    /// The pictures, in order.
    public let screenshots: [WebAddress]
    /// The picture in front: from 0 to the last, or 0 when there is none.
    public let position: Int

    /// Creates a gallery.
    ///
    /// - Parameters:
    ///   - screenshots: The pictures, in order.
    ///   - position: The one in front; a position before the first or behind the last counts as the nearest of them.
    public init(_ screenshots: [WebAddress], at position: Int) {
        self.screenshots = screenshots
        self.position = max(0, min(position, screenshots.count - 1))
    }

    /// The picture in front; `nil` when there is none.
    public var current: WebAddress? {
        screenshots.isEmpty ? nil : screenshots[position]
    }
}
