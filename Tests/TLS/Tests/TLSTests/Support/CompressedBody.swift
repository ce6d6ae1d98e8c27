/// Compressed bodies, small and hostile ones.
enum CompressedBody {
    /// A content coding, by its registered name.
    enum Coding: String, CaseIterable, Sendable {
        case gzip, deflate
        case brotli = "br"

        /// `{"answer":42}`.
        var answer: [UInt8] {
            switch self {
            case .gzip: bytes("1f8b0800000000000203ab564acc2b2e4f2d52b23231aa0500f565d9cc0d000000")
            case .deflate: bytes("789cab564acc2b2e4f2d52b23231aa0500209c046d")
            case .brotli: bytes("0b06807b22616e73776572223a34327d03")
            }
        }

        /// A few bytes that expand to at least 64 MiB.
        var bomb: [UInt8] {
            // One deflate block with codes where two zero bits repeat the previous byte 258 times (RFC 1951, section 3.2.7).
            let start = "edc0810000000080a0fda917a900"
            let zeros = [UInt8](repeating: 0, count: 128 * 1024)
            return switch self {
            case .gzip: bytes("1f8b08000000000000ff" + start) + zeros
            case .deflate: bytes("789c" + start) + zeros
            case .brotli:
                bytes(
                    "cfffff7ff82540e2b14020f7fe9ffffffff04b00c4610180eefd3fffffffe1970088c32200ddfb7ffeffffc3"
                        + "2f0110870500baf7ff03"
                )
            }
        }
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }
}
