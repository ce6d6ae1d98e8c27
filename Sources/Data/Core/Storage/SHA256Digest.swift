#if canImport(CryptoKit)
import CryptoKit
#endif
package import Foundation

/// SHA-256, by CryptoKit if available.
package enum SHA256Digest {
    /// Hashes text in UTF-8.
    package static func hash(_ text: String) -> Data {
        #if canImport(CryptoKit)
        Data(CryptoKit.SHA256.hash(data: Data(text.utf8)))
        #else
        Data(SHA256(Array(text.utf8)).digest)
        #endif
    }
}

#if !canImport(CryptoKit)
/// SHA-256 (FIPS 180-4), which neither Foundation nor SQLite has on Linux.
private struct SHA256 {
    private(set) var digest: [UInt8] = []

    init(_ message: [UInt8]) {
        var hash = Self.roots(of: Self.primes(8)) { $0.squareRoot() }
        for block in Self.padded(message) { Self.compress(block, into: &hash) }
        for word in hash { digest += (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    /// Pads the message and splits it into blocks of 64 bytes (section 5.1.1).
    private static func padded(_ message: [UInt8]) -> [ArraySlice<UInt8>] {
        var bytes = message + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        let length = UInt64(message.count) * 8
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) }
        return stride(from: 0, to: bytes.count, by: 64).map { bytes[$0..<$0 + 64] }
    }

    private static func compress(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
        var words = [UInt32](repeating: 0, count: 64)
        for (position, byte) in block.enumerated() { words[position / 4] = words[position / 4] << 8 | UInt32(byte) }
        for t in 16..<64 {
            let early = words[t - 15]
            let late = words[t - 2]
            let s0 = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let s1 = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            words[t] = words[t - 16] &+ s0 &+ words[t - 7] &+ s1
        }
        // The working variables a to h.
        var state = hash
        for t in 0..<64 {
            let (a, e) = (state[0], state[4])
            let choice = (e & state[5]) ^ (~e & state[6])
            let rotations = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = state.removeLast() &+ rotations &+ choice &+ constants[t] &+ words[t]
            let majority = (a & state[1]) ^ (a & state[2]) ^ (state[1] & state[2])
            state.insert(first &+ (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority, at: 0)
            state[4] &+= first
        }
        for (position, value) in state.enumerated() { hash[position] &+= value }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section
    /// 4.2.2).
    private static let constants = roots(of: primes(64)) { cbrt($0) }

    private static func roots(of primes: [Int], by root: (Double) -> Double) -> [UInt32] {
        primes.map { prime in
            let value = root(Double(prime))
            // Exact: the roots are below 16, where a Double has at least 49 fractional bits.
            return UInt32((value - value.rounded(.down)) * 4_294_967_296)
        }
    }

    private static func primes(_ count: Int) -> [Int] {
        Array((2...).lazy.filter { number in !(2..<number).contains { number % $0 == 0 } }.prefix(count))
    }
}
#endif
