import BrowseDomain
import Foundation
import Synchronization

/// Pictures in memory: those that were used last, up to a limit of bytes.
///
/// A large memory has parts, each with a lock and a share of the limit, so that those who look at once seldom wait for each
/// other. What leaves is then what was not used for longest of a part.
final class ImageMemory: Sendable {
    /// A picture, and how long it is good.
    struct Kept {
        let image: EncodedImage
        /// When the server sent it.
        let date: Date
        /// Until when it is shown without asking again.
        let expiry: Date

        /// Whether it need not be asked for again; a date to come is of a clock that was wrong, and tells nothing.
        func isFresh(at now: Date) -> Bool { date <= now && expiry > now }
    }

    private final class Part: Sendable {
        let kept: Mutex<LRUCache<ImageKey, Kept>>

        init(limit: Int) {
            kept = Mutex(LRUCache(limit: limit))
        }
    }

    private let parts: [Part]

    /// - Parameter limit: The most bytes of all files.
    init(limit: Int) {
        // Large enough for the largest pictures.
        let count = max(1, min(4, limit / (16 << 20)))
        parts = (0..<count).map { _ in Part(limit: limit / count) }
    }

    /// A picture, however old, which counts as used now.
    subscript(key: ImageKey) -> Kept? {
        part(of: key).kept.withLock { $0.value(for: key) }
    }

    func keep(_ image: Kept, for key: ImageKey) {
        part(of: key).kept.withLock { $0.insert(image, for: key, cost: image.image.data.count) }
    }

    /// Releases everything.
    func release() {
        for part in parts { part.kept.withLock { $0.evict(to: 0) } }
    }

    /// How many bytes of files are kept.
    var bytes: Int { parts.reduce(0) { $0 + $1.kept.withLock { $0.cost } } }

    private func part(of key: ImageKey) -> Part { parts[key.part(of: parts.count)] }
}
