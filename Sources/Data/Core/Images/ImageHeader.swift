import BrowseDomain

/// The format and size of an image file, read without decoding it.
///
/// Whether the rest of the file is usable, only a decoder can judge. The bytes are untrusted:
/// readers only move forward, and never out of bounds.
struct ImageHeader: Hashable {
    let format: ImageFormat
    /// The size as displayed; `nil` if the header doesn't contain it.
    let size: PixelSize?

    /// Reads the header of a file; `nil` if it doesn't begin like an image.
    init?(_ bytes: ImageBytes) {
        if bytes.byte(0) == 0x89, bytes.has("PNG\r\n\u{1A}\n", at: 1) {
            // Apple's own kind of PNG has a chunk before the header.
            let sides = bytes.has("\0\0\0\u{4}CgBI", at: 8) ? 32 : 16
            guard bytes.has("IHDR", at: sides - 4), bytes.big(4, at: sides) != 0, bytes.big(4, at: sides + 4) != 0
            else { return nil }
            // EXIF data (PNG, third edition) before the picture is found by its name. As in
            // Chromium, none behind it counts.
            let name = bytes.bytes.indices.first { bytes.has("IDAT", at: $0) || bytes.has("eXIf", at: $0) } ?? 0
            let isTurned = bytes.has("eXIf", at: name) && Self.tiff(bytes, at: name + 4).isTurned
            (format, size) = (.png, PixelSize(bytes.big(4, at: sides), bytes.big(4, at: sides + 4), isTurned: isTurned))
        } else if bytes.big(3, at: 0) == 0xFF_D8FF {
            (format, size) = (.jpeg, Self.jpeg(bytes))
        } else if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) {
            (format, size) = (.gif, Self.gif(bytes))
        } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
            (format, size) = (.webP, Self.webP(bytes))
        } else if bytes.has("BM", at: 0), let length = bytes.little(4, at: 14), (12...124).contains(length) {
            (format, size) = (.bmp, Self.bitmap(bytes, at: 14))
        } else if bytes.has("\0\0\u{1}\0", at: 0), let count = bytes.little(2, at: 4), (1...255).contains(count) {
            (format, size) = (.ico, Self.icon(bytes, of: count))
        } else if bytes.has("II*\0", at: 0) || bytes.has("MM\0*", at: 0) {
            (format, size) = (.tiff, Self.tiff(bytes, at: 0).size)
        } else if let format = Self.formatOfBrands(bytes) {
            (self.format, size) = (format, Self.largestItem(bytes))
        } else {
            return nil
        }
    }
}

extension PixelSize {
    /// A size; `nil` if a side is missing or zero.
    init?(_ width: Int?, _ height: Int?, isTurned: Bool = false) {
        guard let width, let height, width > 0, height > 0 else { return nil }
        if isTurned { self.init(width: height, height: width) } else { self.init(width: width, height: height) }
    }

    fileprivate var area: Double { Double(width) * Double(height) }
}

extension ImageHeader {
    /// Reads the segments of a JPEG file up to the frame header (ITU-T T.81, annex B).
    private static func jpeg(_ bytes: ImageBytes) -> PixelSize? {
        var offset = 2
        var isTurned: Bool?
        while let byte = bytes.byte(offset), let marker = bytes.byte(offset + 1) {
            guard byte == 0xFF, marker > 0x01, marker != 0xFF, !(0xD0...0xD8).contains(marker) else {
                // Fill bytes, markers without a segment, and stray bytes that some encoders leave
                // between segments.
                offset += 1
                continue
            }
            switch marker {
            // A frame header of any process; the three other markers in this range start tables.
            case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
                return PixelSize(bytes.big(2, at: offset + 7), bytes.big(2, at: offset + 5), isTurned: isTurned == true)
            case 0xE1 where isTurned == nil && bytes.has("Exif\0\0", at: offset + 4):
                isTurned = tiff(bytes, at: offset + 10).isTurned
            default: break
            }
            guard let length = bytes.big(2, at: offset + 2) else { return nil }
            // Decoders take a length that is too short for the shortest.
            offset += 2 + max(2, length)
        }
        return nil
    }

    /// The screen of a GIF file (GIF89a, section 18), or the extent of its first frame if that's
    /// larger.
    private static func gif(_ bytes: ImageBytes) -> PixelSize? {
        func number(_ offset: Int) -> Int { bytes.little(2, at: offset) ?? 0 }
        var frame = 13
        if let flags = bytes.byte(10), flags & 0x80 != 0 { frame += 6 << Int(flags & 7) }
        while bytes.byte(frame) == 0x21 {
            // Skips the blocks of an extension.
            frame += 2
            while let length = bytes.byte(frame), length > 0 { frame += 1 + Int(length) }
            frame += 1
        }
        if bytes.byte(frame) != 0x2C { frame = bytes.count }
        return PixelSize(
            max(number(6), number(frame + 1) + number(frame + 5)),
            max(number(8), number(frame + 3) + number(frame + 7))
        )
    }

    /// The bytes of a whole number of TIFF by its type.
    private static let lengths = [1: 1, 3: 2, 4: 4, 8: 2, 9: 4]

    /// Reads the first directory of a TIFF file, or of a photo's EXIF data (TIFF 6.0, section 2).
    private static func tiff(_ bytes: ImageBytes, at start: Int) -> (size: PixelSize?, isTurned: Bool) {
        let isLittle = bytes.has("II", at: start)
        func number(_ length: Int, at offset: Int) -> Int? {
            isLittle ? bytes.little(length, at: start + offset) : bytes.big(length, at: start + offset)
        }
        guard let directory = number(4, at: 4), directory < bytes.count, let count = number(2, at: directory) else {
            return (nil, false)
        }
        var (width, height, orientation): (Int?, Int?, Int?)
        for offset in stride(from: directory + 2, to: directory + 2 + 12 * count, by: 12) {
            let length = lengths[number(2, at: offset + 2) ?? 0]
            // A number of another type is elsewhere, and counts as too large.
            let value = length.map { number($0, at: offset + 8) } ?? Int(Int32.max)
            switch number(2, at: offset) {
            // Of two, decoders take the first.
            case 0x100: width = width ?? value
            case 0x101: height = height ?? value
            case 0x112: orientation = value
            default: break
            }
        }
        let isTurned = (5...8).contains(orientation ?? 1)
        return (PixelSize(width, height, isTurned: isTurned), isTurned)
    }

    /// Reads the first RIFF chunk of a WebP file, which has the size in one of three formats (RFC
    /// 9649).
    private static func webP(_ bytes: ImageBytes) -> PixelSize? {
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

    /// Reads the header of a bitmap, whose height is negative if the first row is at the top.
    private static func bitmap(_ bytes: ImageBytes, at offset: Int) -> PixelSize? {
        if bytes.little(4, at: offset) == 12 {
            return PixelSize(bytes.little(2, at: offset + 4), bytes.little(2, at: offset + 6))
        }
        let height = bytes.little(4, at: offset + 8).map { Int(clamping: Int32(truncatingIfNeeded: $0).magnitude) }
        return PixelSize(bytes.little(4, at: offset + 4), height)
    }

    /// The largest image of an icon: PNG files, and bitmaps whose height includes that of a mask.
    private static func icon(_ bytes: ImageBytes, of count: Int) -> PixelSize? {
        (0..<count).compactMap { index -> PixelSize? in
            guard let offset = bytes.little(4, at: 18 + 16 * index), offset < bytes.count else { return nil }
            if bytes.has("PNG", at: offset + 1) {
                return PixelSize(bytes.big(4, at: offset + 16), bytes.big(4, at: offset + 20))
            }
            return bitmap(bytes, at: offset).flatMap { PixelSize($0.width, $0.height / 2) }
        }
        .max { $0.area < $1.area }
    }

    /// The format of a file with a brand of HEVC (ISO/IEC 23008-12, annex B) or AV1 images.
    private static func formatOfBrands(_ bytes: ImageBytes) -> ImageFormat? {
        guard bytes.has("ftyp", at: 4), let length = bytes.big(4, at: 0) else { return nil }
        // The major brand and, after the version, the compatible brands.
        let offsets = [8] + stride(from: 16, to: min(length, 128), by: 4)
        func has(_ brands: [StaticString]) -> Bool {
            offsets.contains { offset in brands.contains { bytes.has($0, at: offset) } }
        }
        if has(["avif", "avis"]) { return .avif }
        return has(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]) ? .heic : nil
    }

    /// The size of the largest image in a HEIC or AVIF file, before cropping.
    ///
    /// The others are its tiles and thumbnails. Size and rotation (ISO/IEC 23008-12, section 6.5),
    /// and the size of a moving image (ISO/IEC 14496-12, section 8.3.2), are found by the first
    /// bytes of their boxes.
    private static func largestItem(_ bytes: ImageBytes) -> PixelSize? {
        var largest: PixelSize?
        var isTurned = false
        for name in bytes.bytes.indices
        where bytes.bytes[name] == UInt8(ascii: "i") || bytes.bytes[name] == UInt8(ascii: "t") {
            // A box can have its length behind the name, and be longer than what it contains.
            let start = name + (bytes.big(4, at: name - 4) == 1 ? 8 : 0)
            var size: PixelSize?
            if bytes.has("ispe\0", at: name) {
                size = PixelSize(bytes.big(4, at: start + 8), bytes.big(4, at: start + 12))
            } else if bytes.has("tkhd\0", at: name) || bytes.has("tkhd\u{1}", at: name) {
                // The whole parts of two numbers, which follow dates of two lengths.
                let sides = start + (bytes.byte(start + 4) == 0 ? 80 : 92)
                size = PixelSize(bytes.big(2, at: sides), bytes.big(2, at: sides + 4))
            } else if bytes.has("\0\0\0\u{9}irot", at: name - 4), let angle = bytes.byte(name + 4) {
                isTurned = angle & 1 == 1
            }
            if let size, size.area > largest?.area ?? 0 { largest = size }
        }
        return largest.flatMap { PixelSize($0.width, $0.height, isTurned: isTurned) }
    }
}
