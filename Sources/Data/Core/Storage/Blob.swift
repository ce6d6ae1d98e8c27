import Foundation

/// The contents of a cache file: a body, and data about it.
///
/// The file consists of the body, the key, the head, and a trailer with a checksum. The body comes
/// first, so that it's read without being copied.
struct Blob {
    /// The date of the contents.
    let date: Date
    /// A description of the body.
    var head = Data()
    let body: Data

    /// "Browse07".
    private static var mark: UInt64 { 0x4272_6F77_7365_3037 }
    /// The mark, the date, the sizes of the three parts, and the checksum.
    private static var wordCount: Int { 6 }

    /// The size of a file in bytes.
    static func size(body: Int, head: Int = 0, key: String) -> Int {
        body.addingClamped(head + key.utf8.count + 8 * wordCount)
    }

    /// The bytes of the file after the body.
    func tail(key: String) -> Data {
        var tail = Data(key.utf8)
        tail.append(head)
        func append(_ word: UInt64) { withUnsafeBytes(of: word.littleEndian) { tail.append(contentsOf: $0) } }
        append(Self.mark)
        append(date.timeIntervalSinceReferenceDate.bitPattern)
        for count in [body.count, key.utf8.count, head.count] { append(UInt64(count)) }
        let sum = tail.withUnsafeBytes { Self.checksum(of: $0, 0) }
        append(body.withUnsafeBytes { Self.checksum(of: $0, sum) })
        return tail
    }

    /// A checksum of the words, and of the bytes after the last one.
    ///
    /// It detects damage by disks and interrupted writes, but not tampering.
    static func checksum(of bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
        var result = mixed(seed, UInt64(bytes.count))
        let end = bytes.count & ~7
        for start in stride(from: 0, to: end, by: 8) {
            result = mixed(result, bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        for byte in bytes[end...] { result = mixed(result, UInt64(byte)) }
        return result
    }

    /// Mixes a word into the result, so that each of its bits affects all bits of the result.
    private static func mixed(_ result: UInt64, _ word: UInt64) -> UInt64 {
        let product = (result ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }
}

extension Blob {
    /// Decodes a file; `nil` if it is damaged or has another key.
    init?(_ file: Data, key: String) {
        let blob = file.withUnsafeBytes { bytes -> (date: Date, bodyLength: Int, headLength: Int)? in
            let end = bytes.count - 8 * Self.wordCount
            guard end >= 0 else { return nil }
            func word(_ index: Int) -> UInt64 {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end + 8 * index, as: UInt64.self))
            }
            func tail(_ start: Int) -> UnsafeRawBufferPointer { .init(rebasing: bytes[start..<end + 40]) }
            guard word(0) == Self.mark, let body = Int(exactly: word(2)), let head = Int(exactly: word(4)),
                let keyLength = Int(exactly: word(3)), keyLength == key.utf8.count, body <= end,
                head == end - body - keyLength,
                bytes[body..<body + keyLength].elementsEqual(key.utf8),
                word(5) == Self.checksum(of: .init(rebasing: bytes[..<body]), Self.checksum(of: tail(body), 0))
            else { return nil }
            return (Date(timeIntervalSinceReferenceDate: Double(bitPattern: word(1))), body, head)
        }
        guard let blob, blob.date.timeIntervalSinceReferenceDate.isFinite else { return nil }
        let end = file.endIndex - 8 * Self.wordCount
        self.init(date: blob.date, head: file[end - blob.headLength..<end], body: file.prefix(blob.bodyLength))
    }
}
