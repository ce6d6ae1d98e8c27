/// A file's bytes, read without trust: what lies outside is `nil`.
struct ImageBytes {
    let bytes: UnsafeRawBufferPointer

    var count: Int { bytes.count }

    /// The byte at a position.
    func byte(_ offset: Int) -> UInt8? {
        offset >= 0 && offset < bytes.count ? bytes[offset] : nil
    }

    /// A number of up to four bytes, the highest first.
    func big(_ length: Int, at offset: Int) -> Int? {
        number(0..<length, at: offset)
    }

    /// A number of up to four bytes, the lowest first.
    func little(_ length: Int, at offset: Int) -> Int? {
        number((0..<length).reversed(), at: offset)
    }

    private func number(_ order: some RandomAccessCollection<Int>, at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - order.count else { return nil }
        // An Apple Watch's `Int` may have 32 bits only, one less than the largest number has.
        return Int(exactly: order.reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[offset + $1]) })
    }

    /// Whether these bytes stand at a position.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        text.withUTF8Buffer { text in
            guard offset >= 0, offset <= bytes.count - text.count else { return false }
            return text.indices.allSatisfy { text[$0] == bytes[offset + $0] }
        }
    }
}
