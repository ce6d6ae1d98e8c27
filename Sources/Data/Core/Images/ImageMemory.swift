import BrowseDomain
import Foundation
import Synchronization

/// An image, or the failure to load it, and its expiration.
struct Expiring<Value: Sendable>: Sendable {
    let value: Value
    /// The date of the server's response.
    let date: Date
    /// The date from which it must be requested again.
    let expiry: Date
    /// Whether the server couldn't be used when it expired before.
    var isOffline = false

    /// Whether it needs no request; a date in the future, from a wrong clock, isn't fresh.
    func isFresh(at now: Date) -> Bool { date <= now && expiry > now }
}

/// The most recently used images, up to a number of bytes.
///
/// A large memory consists of parts, each with its own lock, share of the limit, and order of eviction, so that concurrent
/// lookups rarely wait for each other.
final class ImageMemory: Sendable {
    typealias Entry = Expiring<EncodedImage>

    private final class Part: Sendable {
        let entries: Mutex<LRUCache<ImageKey, Entry>>

        init(limit: Int) {
            entries = Mutex(LRUCache(limit: limit))
        }
    }

    private let parts: [Part]

    /// - Parameter limit: The maximum size of all files in bytes.
    init(limit: Int) {
        // Each part must hold the largest image.
        let count = (limit / (16 << 20)).clamped(to: 1...4)
        parts = (0..<count).map { _ in Part(limit: limit / count) }
    }

    /// The image of a key, fresh or not; records its use.
    subscript(key: ImageKey) -> Entry? {
        part(for: key).entries.withLock { $0.value(for: key) }
    }

    func insert(_ image: Entry, for key: ImageKey) {
        part(for: key).entries.withLock { $0.insert(image, for: key, cost: image.value.data.count) }
    }

    func remove(_ key: ImageKey) {
        part(for: key).entries.withLock { $0.remove(key) }
    }

    func release() {
        for part in parts { part.entries.withLock { $0.evict(to: 0) } }
    }

    /// The size of all images in bytes of their files.
    var bytes: Int { parts.reduce(0) { $0 + $1.entries.withLock { $0.cost } } }

    private func part(for key: ImageKey) -> Part { parts[key.partIndex(partCount: parts.count)] }
}
