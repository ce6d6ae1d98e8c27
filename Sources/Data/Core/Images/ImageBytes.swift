/// The bytes of an untrusted file; positions out of bounds return `nil`.
struct ImageBytes {
    let bytes: UnsafeRawBufferPointer

    var count: Int { bytes.count }

    func byte(_ offset: Int) -> UInt8? { offset >= 0 && offset < bytes.count ? bytes[offset] : nil }

    /// A big-endian number of up to four bytes, clamped to `Int`, which has 32 bits on some Apple
    /// Watches.
    func big(_ length: Int, at offset: Int) -> Int? { number(0..<length, at: offset) }

    /// A little-endian number of up to four bytes.
    func little(_ length: Int, at offset: Int) -> Int? { number((0..<length).reversed(), at: offset) }

    private func number(_ order: some RandomAccessCollection<Int>, at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - order.count else { return nil }
        return Int(clamping: order.reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[offset + $1]) })
    }

    /// Whether the file contains the given bytes at a position.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        text.withUTF8Buffer { text in
            guard offset >= 0, offset <= bytes.count - text.count else { return false }
            return text.indices.allSatisfy { text[$0] == bytes[offset + $0] }
        }
    }
}
