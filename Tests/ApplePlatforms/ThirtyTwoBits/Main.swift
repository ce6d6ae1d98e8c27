// Runs conversions of the SDK with a 32-bit `Int`. A trap or an unexpected result ends the run.

import BrowseDomain

@main
struct Main {
    static func main() {
        expect(Int.bitWidth == 32, "Int has 32 bits")
        storedNumbersAreClamped()
        imageHeadersAreRead()
        print("Conversions hold where Int has 32 bits.")
    }

    private static func expect(_ holds: Bool, _ what: StaticString) {
        if !holds { fatalError(what) }
    }

    private static func fatalError(_ what: StaticString) -> Never {
        print("Not so: ", terminator: "")
        print(what)
        Swift.fatalError()
    }

    private static func storedNumbersAreClamped() {
        expect(4_102_444_800.0.clampedToInt == .max, "the year 2100 is clamped")
        expect((-1.5).clampedToInt == -2, "seconds are rounded down")
        expect(Double.infinity.clampedToInt == .max, "infinity is clamped")
        expect(Double.nan.clampedToInt == 0, "NaN is zero")
    }

    private static func imageHeadersAreRead() {
        let chunks: [[UInt8]] = [
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
            [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 3, 0, 0, 0, 2, 8, 6, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82],
        ]
        let file = chunks.flatMap { $0 }
        let header = read(file)
        expect(header?.format == .png, "a PNG file is recognized")
        expect(header?.size?.width == 3 && header?.size?.height == 2, "its size is parsed")
        // Any four bytes can be a length, even one that doesn't fit into a 32-bit `Int`.
        for place in 8..<file.count {
            var damaged = file
            damaged[place] = 0xFF
            _ = read(damaged)
        }
        var random = Random()
        let starts: [[UInt8]] = [
            file, [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), Array("RIFF0000WEBPVP8L".utf8),
            [0, 0, 0, 24] + Array("ftypheic".utf8), Array("MM\0*".utf8), Array("BM".utf8), [0, 0, 1, 0],
        ]
        for start in starts {
            for _ in 0..<2_000 {
                var bytes =
                    start
                    + (0..<64).map { _ in random.next() & 1 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random.next()) }
                bytes[Int(random.next() % UInt64(bytes.count - 8)) + 8] = 0x80
                _ = read(bytes)
            }
        }
    }

    private static func read(_ file: [UInt8]) -> ImageHeader? {
        file.withUnsafeBytes { ImageHeader(ImageBytes(bytes: $0)) }
    }
}

/// Marsaglia's xorshift.
private struct Random {
    private var state: UInt64 = 88_172_645_463_325_252

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
