import Crypto
public import Foundation

/// Digests of content, for entity tags.
public enum Digest {
    /// Returns the first half of the SHA-256 digest as hexadecimal digits.
    public static func text(of data: Data) -> String {
        SHA256.hash(data: data).prefix(16).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        .joined()
    }
}
