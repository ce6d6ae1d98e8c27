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
final class ImageMemory: Sendable {
    typealias Entry = Expiring<EncodedImage>

    private let entries: Mutex<LRUCache<ImageKey, Entry>>

    /// - Parameter limit: The maximum size of all files in bytes.
    init(limit: Int) {
        entries = Mutex(LRUCache(limit: limit))
    }

    /// The image of a key, fresh or not; records its use.
    subscript(key: ImageKey) -> Entry? { entries.withLock { $0.value(for: key) } }

    func insert(_ image: Entry, for key: ImageKey) {
        entries.withLock { $0.insert(image, for: key, cost: image.value.data.count) }
    }

    func remove(_ key: ImageKey) { entries.withLock { $0.remove(key) } }

    func release() { entries.withLock { $0.removeAll() } }

    /// The size of all images in bytes of their files.
    var bytes: Int { entries.withLock { $0.cost } }
}
