import BrowseDomain

extension ImageHeader {
    /// Reads the segments of a JPEG file: a frame header, a scan, and an end marker (ITU-T T.81, annex B).
    static func jpeg(_ bytes: ImageBytes) throws(Problem) -> PixelSize? {
        var offset = 2
        var size: PixelSize?
        while let byte = bytes.byte(offset), let marker = bytes.byte(offset + 1) {
            guard byte == 0xFF, marker != 0xFF else {
                // Fill bytes, and stray bytes that some encoders leave between segments.
                offset += 1
                continue
            }
            switch marker {
            case 0x00, 0x01, 0xD0...0xD8:
                offset += 2
                continue
            case 0xD9: throw .cutOff
            case 0xDA:
                guard hasEnd(bytes, after: offset) else { throw .cutOff }
                return size
            // A frame header of any process; the three other markers in this range start tables.
            case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
                size = size ?? PixelSize(bytes.big(2, at: offset + 7), bytes.big(2, at: offset + 5))
            default: break
            }
            guard let length = bytes.big(2, at: offset + 2), length >= 2 else { throw .cutOff }
            offset += 2 + length
        }
        throw .cutOff
    }

    /// Whether there is an end marker after a position.
    ///
    /// Searches backward, because few bytes follow the marker, if any.
    private static func hasEnd(_ bytes: ImageBytes, after start: Int) -> Bool {
        stride(from: bytes.count - 2, to: start, by: -1).contains { bytes.big(2, at: $0) == 0xFFD9 }
    }
}
