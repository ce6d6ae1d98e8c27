import BrowseMocks

extension LoopbackResponse {
    /// Returns the status line and header of a JSON response.
    static func head(_ fields: String..., contentType: String = "application/json") -> Step {
        .text("HTTP/1.1 200 OK\r\nContent-Type: \(contentType)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    /// Returns a JSON response.
    static func json(bytes: [UInt8]) -> LoopbackResponse {
        LoopbackResponse(headers: [("Content-Type", "application/json")], body: bytes)
    }

    /// Gzip data of 512 KB that expands to 512 MB.
    ///
    /// One block of dynamic Huffman codes (RFC 1951, section 3.2.7) that encode "repeat the previous byte 258 times" as two zero
    /// bits. The header defines the codes; any number of zeros can follow.
    static var gzipBomb: LoopbackResponse {
        var bits = BitWriter()
        bits.write(1, 1)  // The last block,
        bits.write(2, 2)  // with codes of its own:
        bits.write(29, 5)  // 286 for bytes and lengths,
        bits.write(0, 5)  // 1 for distances,
        bits.write(14, 4)  // 18 for the lengths of those codes, in the order 16, 17, 18, 0, 8, ... 2, 14, 1.
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1] {
            bits.write([18: 1, 1: 2, 2: 2][symbol] ?? 0, 3)
        }
        // So "18" is 0, "1" is 10 and "2" is 11. Byte 0 has two bits, the end (256) two, length 258 (285) one.
        bits.writeCode(0b11, 2)
        for count in [138, 117] {
            bits.writeCode(0, 1)
            bits.write(count - 11, 7)
        }
        bits.writeCode(0b11, 2)
        bits.writeCode(0, 1)
        bits.write(28 - 11, 7)
        bits.writeCode(0b10, 2)
        bits.writeCode(0b10, 2)  // Distance 1 has one bit.
        bits.writeCode(0b10, 2)  // The first byte: 0.
        let start: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + bits.bytes
        let zeros = 512 * 1024
        return LoopbackResponse(steps: [
            head("Content-Encoding: gzip", "Content-Length: \(start.count + zeros)"), .bytes(start),
            .repeated([0], count: zeros),
        ])
    }
}

/// A bit writer for deflate: numbers from the lowest bit on, and codes from the highest.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func write(_ value: Int, _ bits: Int) {
        for bit in 0..<bits {
            if count % 8 == 0 { bytes.append(0) }
            bytes[count / 8] |= UInt8((value >> bit) & 1) << (count % 8)
            count += 1
        }
    }

    mutating func writeCode(_ code: Int, _ bits: Int) {
        for bit in (0..<bits).reversed() { write((code >> bit) & 1, 1) }
    }
}
