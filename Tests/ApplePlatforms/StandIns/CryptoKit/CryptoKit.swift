// Declarations of Apple's CryptoKit module, from developer.apple.com/documentation/cryptokit.

public import Foundation

public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable where Element == UInt8 {
    static var byteCount: Int { get }
}

public protocol HashFunction: Sendable {
    associatedtype Digest: CryptoKit.Digest
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

extension HashFunction {
    public static func hash<D: DataProtocol>(data: D) -> Digest { fatalError() }
    public mutating func update<D: DataProtocol>(data: D) { fatalError() }
}

public struct SHA256Digest: Digest {
    public static var byteCount: Int { fatalError() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
    public var description: String { fatalError() }
    public static func == (left: SHA256Digest, right: SHA256Digest) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) { fatalError() }
}

public struct SHA256: HashFunction {
    public typealias Digest = SHA256Digest
    public init() { fatalError() }
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) { fatalError() }
    public func finalize() -> SHA256Digest { fatalError() }
}
