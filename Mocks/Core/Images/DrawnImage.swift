public import Foundation

/// Small PNG images that are generated from a text; the same text gives the same image.
///
/// They are symmetric patterns of five by five squares.
public enum DrawnImage {
    /// Generates the image of a text.
    ///
    /// - Parameters:
    ///   - text: Any text, such as a URL.
    ///   - side: The width and height in pixels, clamped to 5 through 250.
    public static func png(for text: String, side: Int = 40) -> Data {
        let side = min(max(side, 5), 250)
        let number = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        let color = (0..<3).map { UInt8(truncatingIfNeeded: number >> (40 + 8 * $0)) }
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // 8 bits per pixel, which are an index into the palette.
        file.appendChunk("IHDR", bytes(UInt32(side)) + bytes(UInt32(side)) + [8, 3, 0, 0, 0])
        file.appendChunk("PLTE", [240, 240, 240] + color)
        file.appendChunk("IDAT", stored(pixels(number, side: side)))
        file.appendChunk("IEND", [])
        return file
    }

    /// The rows, each starting with 0 for "not filtered".
    private static func pixels(_ number: UInt64, side: Int) -> [UInt8] {
        let rows = (0..<5).map { row -> [UInt8] in
            [0]
                + (0..<side).map { x -> UInt8 in
                    let column = min(x * 5 / side, 4 - x * 5 / side)
                    return UInt8(truncatingIfNeeded: number >> (column * 5 + row) & 1)
                }
        }
        return (0..<side).flatMap { rows[$0 * 5 / side] }
    }

    /// Wraps bytes in zlib's format without compression (RFC 1950 and RFC 1951, section 3.2.4).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt16(bytes.count)
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        // A single, final block: its length, and the length's one's complement.
        var block: [UInt8] = [0x78, 0x01, 1]
        for word in [length, ~length] { block += [UInt8(word & 0xFF), UInt8(word >> 8)] }
        return block + bytes + Self.bytes(b << 16 | a)
    }

    fileprivate static func bytes(_ word: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
}

extension Data {
    /// The table of the checksum.
    private static let remainders = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }

    /// Appends a chunk of a PNG file: length, name, content, and checksum.
    ///
    /// See W3C, "Portable Network Graphics", section 5.3.
    fileprivate mutating func appendChunk(_ name: String, _ content: [UInt8]) {
        let named = Array(name.utf8) + content
        var checksum: UInt32 = .max
        for byte in named {
            checksum = checksum >> 8 ^ Self.remainders[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)]
        }
        append(contentsOf: DrawnImage.bytes(UInt32(content.count)) + named + DrawnImage.bytes(~checksum))
    }
}
