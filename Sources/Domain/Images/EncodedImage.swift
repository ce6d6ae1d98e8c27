#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A picture as it came: the bytes of a file, for the front end to decode.
public struct EncodedImage: Hashable, Sendable {
    /// The file's bytes.
    public let data: Data
    /// What kind of file it is, as its first bytes tell.
    public let format: ImageFormat
    /// How large the picture is, as the file says; `nil` when it does not in a way that is understood.
    public let size: PixelSize?

    /// Describes a file.
    public init(data: Data, format: ImageFormat, size: PixelSize?) {
        self.data = data
        self.format = format
        self.size = size
    }
}
