import BrowseKit
import CoreGraphics
import Foundation
import ImageIO

/// An image that can be drawn.
@MainActor
final class DecodedImage {
    let image: CGImage
    let request: ImageRequest

    /// The images that were visible last, so that a row that reappears shows its image at once.
    private static let cache: NSCache<NSString, DecodedImage> = {
        let cache = NSCache<NSString, DecodedImage>()
        cache.totalCostLimit = 32 << 20
        return cache
    }()

    init(_ image: CGImage, of request: ImageRequest) {
        self.image = image
        self.request = request
    }

    static func cached(for request: ImageRequest) -> DecodedImage? {
        cache.object(forKey: key(of: request))
    }

    func cache() {
        Self.cache.setObject(self, forKey: Self.key(of: request), cost: image.bytesPerRow * image.height)
    }

    private static func key(of request: ImageRequest) -> NSString {
        "\(request.side ?? 0) \(request.cacheKey ?? request.address.rawValue)" as NSString
    }
}

extension EncodedImage {
    /// Decodes the image away from the main actor, where SwiftUI would decode it while it draws.
    ///
    /// - Parameter side: The longer side in pixels; larger images are scaled down, to 4,096 pixels at most.
    @concurrent
    func decoded(side: Int?) async -> sending CGImage? {
        // A small file can announce more pixels than fit in memory.
        if let size, Double(size.width) * Double(size.height) > 100_000_000 { return nil }
        guard let source = CGImageSourceCreateWithData(data as CFData, nil) else { return nil }
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceShouldCacheImmediately: true,
            kCGImageSourceThumbnailMaxPixelSize: min(side ?? 4_096, 4_096),
        ]
        return CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    }
}
