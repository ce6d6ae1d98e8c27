/// The kinds of picture that are accepted.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
    /// Portable Network Graphics.
    case png
    /// JPEG.
    case jpeg
    /// Graphics Interchange Format, moving or not.
    case gif
    /// WebP, moving or not.
    case webP
    /// High Efficiency Image File Format, with pictures coded as HEVC.
    case heic
}
