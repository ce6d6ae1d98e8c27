import Foundation

/// An image on disk: its bytes, followed by a trailer with its date and a checksum.
///
/// With a header instead, the image's bytes would have to be copied.
struct ImageFile {
    let data: Data
    /// The date when the server sent it.
    let date: Date

    /// The size of the trailer in bytes.
    static var trailerLength: Int { 4 * 8 }
    /// "Browse02".
    private static var mark: UInt64 { 0x4272_6F77_7365_3032 }

    init(data: Data, date: Date) {
        self.data = data
        self.date = date
    }

    /// Decodes a file; `nil` if it is damaged.
    init?(_ file: Data) {
        let length = file.count - Self.trailerLength
        guard length >= 0 else { return nil }
        let image = file.prefix(length)
        let soundDate = file.withUnsafeBytes { bytes -> Date? in
            func word(_ index: Int) -> UInt64 {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: length + 8 * index, as: UInt64.self))
            }
            let date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: word(2)))
            return word(0) == Self.mark && word(1) == UInt64(length)
                && word(3) == Self.checksum(of: UnsafeRawBufferPointer(rebasing: bytes[..<length]), date) ? date : nil
        }
        guard let date = soundDate else { return nil }
        self.init(data: image, date: date)
    }

    var encoded: Data {
        let checksum = data.withUnsafeBytes { Self.checksum(of: $0, date) }
        let words = [Self.mark, UInt64(data.count), date.timeIntervalSinceReferenceDate.bitPattern, checksum]
        return words.reduce(into: data) { file, word in
            withUnsafeBytes(of: word.littleEndian) { file.append(contentsOf: $0) }
        }
    }

    /// Fletcher's checksum in four lanes of 64 bits, over blocks of 128 bytes.
    ///
    /// It detects damage by disks and interrupted writes, but not tampering, and not every change of order within a block.
    private static func checksum(of bytes: UnsafeRawBufferPointer, _ date: Date) -> UInt64 {
        var sum = SIMD4<UInt64>(repeating: date.timeIntervalSinceReferenceDate.bitPattern)
        var sums = SIMD4<UInt64>()
        func words(at offset: Int) -> SIMD4<UInt64> {
            bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
        }
        let blocks = bytes.count / 128
        for start in stride(from: 0, to: 128 * blocks, by: 128) {
            sum &+= (words(at: start) &+ words(at: start + 32)) &+ (words(at: start + 64) &+ words(at: start + 96))
            sums &+= sum
        }
        var result = UInt64(bytes.count)
        for word in [sum.x, sum.y, sum.z, sum.w, sums.x, sums.y, sums.z, sums.w] { result = mixed(result, word) }
        for byte in bytes[(128 * blocks)...] { result = mixed(result, UInt64(byte)) }
        return result
    }

    /// Mixes a word into the result, so that each of its bits affects all bits of the result.
    private static func mixed(_ result: UInt64, _ word: UInt64) -> UInt64 {
        let product = (result ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }
}
