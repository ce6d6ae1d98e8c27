import Foundation

/// A digest of a body that only this process can compute.
///
/// A server that knew the function could send two bodies with the same digest, and the values decoded from one would be returned for
/// the other. SipHash with a random key prevents that (J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", 2012).
struct BodyDigest: Hashable, Sendable {
    /// A random key.
    struct Key: Sendable {
        /// The hasher has a key of its own, except with the environment variable `SWIFT_DETERMINISTIC_HASHING`.
        fileprivate let words = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    }

    /// Two numbers, since an `Int` has 32 bits on watches.
    private let first, second: Int

    init(_ body: Data, _ key: Key) {
        var hasher = Hasher()
        hasher.combine(key.words.0)
        hasher.combine(key.words.1)
        body.withUnsafeBytes { hasher.combine(bytes: $0) }
        var other = hasher
        other.combine(1)
        first = hasher.finalize()
        second = other.finalize()
    }
}
