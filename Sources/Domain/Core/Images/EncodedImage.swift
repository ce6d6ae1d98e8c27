public import Foundation

/// An image file for the front end to decode.
public struct EncodedImage: Hashable, Sendable {
    /// The file's bytes.
    public let data: Data
    /// The format, according to the file's first bytes.
    public let format: ImageFormat
    /// The size as displayed, according to the file's header; `nil` if it can't be read.
    public let size: PixelSize?

    /// Creates an encoded image.
    public init(data: Data, format: ImageFormat, size: PixelSize?) {
        self.data = data
        self.format = format
        self.size = size
    }
}
