/// A supported image format.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    /// Portable Network Graphics.
    case png
    /// Joint Photographic Experts Group (JPEG).
    case jpeg
    /// Graphics Interchange Format, animated or not.
    case gif
    /// WebP, animated or not.
    case webP
    /// High Efficiency Image File Format with HEVC images.
    case heic
    /// AV1 Image File Format, animated or not.
    case avif
    /// Windows bitmap.
    case bmp
    /// Windows icon, of one or more images.
    case ico
    /// Tagged Image File Format.
    case tiff
}
