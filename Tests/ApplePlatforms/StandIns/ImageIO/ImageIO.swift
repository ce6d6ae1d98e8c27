// Declarations of Apple's ImageIO, from developer.apple.com/documentation/imageio.

public import CoreGraphics
public import Foundation

public class CGImageSource {
    init() { standIn() }
}

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? { standIn() }
public func CGImageSourceGetPrimaryImageIndex(_ isrc: CGImageSource) -> Int { standIn() }
public func CGImageSourceCreateThumbnailAtIndex(
    _ isrc: CGImageSource,
    _ index: Int,
    _ options: CFDictionary?
) -> CGImage? { standIn() }

public nonisolated(unsafe) let kCGImageSourceCreateThumbnailFromImageAlways: CFString = .init()
public nonisolated(unsafe) let kCGImageSourceCreateThumbnailWithTransform: CFString = .init()
public nonisolated(unsafe) let kCGImageSourceShouldCacheImmediately: CFString = .init()
public nonisolated(unsafe) let kCGImageSourceThumbnailMaxPixelSize: CFString = .init()

func standIn() -> Never { fatalError() }
