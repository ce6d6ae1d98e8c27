import BrowseDomain

/// The format and size of an image file, read without decoding it.
///
/// The bytes are untrusted: readers only move forward, and never out of bounds.
struct ImageHeader: Hashable {
    /// The reason why bytes aren't a usable image.
    enum Problem: Error {
        /// They don't begin like a supported format.
        case unknownFormat
        /// They begin like a supported format, but a required part or the end is missing.
        case cutOff
    }

    let format: ImageFormat
    let size: PixelSize?

    /// Reads the header of an image file, and checks that the file is complete.
    init(_ bytes: ImageBytes) throws(Problem) {
        (format, size) = try Self.read(bytes)
    }

    private static func read(_ bytes: ImageBytes) throws(Problem) -> (ImageFormat, PixelSize?) {
        // Compared in halves, because the first four bytes exceed a 32-bit `Int`.
        if bytes.big(2, at: 0) == 0x8950, bytes.big(2, at: 2) == 0x4E47, bytes.big(4, at: 4) == 0x0D0A_1A0A {
            return (.png, try png(bytes))
        }
        if bytes.big(3, at: 0) == 0xFF_D8FF { return (.jpeg, try jpeg(bytes)) }
        if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) { return (.gif, try gif(bytes)) }
        if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) { return (.webP, try webP(bytes)) }
        if isHEIC(bytes) { return (.heic, try heic(bytes)) }
        throw .unknownFormat
    }
}

extension PixelSize {
    /// A size; `nil` if a side is missing or zero.
    init?(_ width: Int?, _ height: Int?) {
        guard let width, let height, width > 0, height > 0 else { return nil }
        self.init(width: width, height: height)
    }
}

extension ImageHeader {
    /// Reads the chunks of a PNG file from IHDR to IEND (W3C, "Portable Network Graphics", section 5).
    private static func png(_ bytes: ImageBytes) throws(Problem) -> PixelSize? {
        guard bytes.has("IHDR", at: 12) else { throw .cutOff }
        var offset = 8
        while let length = bytes.big(4, at: offset) {
            // 12 bytes for the chunk's length, type, and checksum.
            guard length <= bytes.count - offset - 12 else { break }
            if bytes.has("IEND", at: offset + 4) { return PixelSize(bytes.big(4, at: 16), bytes.big(4, at: 20)) }
            offset += length + 12
        }
        throw .cutOff
    }

    /// Reads the blocks of a GIF file up to the trailer (CompuServe, "GIF89a Specification").
    private static func gif(_ bytes: ImageBytes) throws(Problem) -> PixelSize? {
        var offset = 13 + colorTable(bytes.byte(10))
        while let kind = bytes.byte(offset) {
            switch kind {
            case 0x3B: return PixelSize(bytes.little(2, at: 6), bytes.little(2, at: 8))
            case 0x21: offset += 2
            case 0x2C: offset += 11 + colorTable(bytes.byte(offset + 9))
            default:
                // Padding between blocks, which decoders ignore.
                offset += 1
                continue
            }
            while let length = bytes.byte(offset), length > 0 { offset += Int(length) + 1 }
            offset += 1
        }
        throw .cutOff
    }

    /// The size of the color table that a block's flags announce, in bytes.
    private static func colorTable(_ flags: UInt8?) -> Int {
        guard let flags, flags & 0x80 != 0 else { return 0 }
        return 3 << (Int(flags & 7) + 1)
    }

    /// Reads the first RIFF chunk of a WebP file, which has the size in one of three formats (RFC 9649).
    private static func webP(_ bytes: ImageBytes) throws(Problem) -> PixelSize? {
        guard let length = bytes.little(4, at: 4), length >= 12, length <= bytes.count - 8 else { throw .cutOff }
        if bytes.has("VP8X", at: 12), let width = bytes.little(3, at: 24), let height = bytes.little(3, at: 27) {
            return PixelSize(width: width + 1, height: height + 1)
        }
        if bytes.has("VP8L", at: 12), bytes.byte(20) == 0x2F, let bits = bytes.little(4, at: 21) {
            return PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        }
        if bytes.has("VP8 ", at: 12), bytes.big(3, at: 23) == 0x9D_012A {
            return PixelSize(bytes.little(2, at: 26).map { $0 & 0x3FFF }, bytes.little(2, at: 28).map { $0 & 0x3FFF })
        }
        return nil
    }
}
