import BrowseDomain
import Foundation
import Synchronization

/// An image with the date and version of the server's response.
struct CachedImage: Sendable {
    let image: EncodedImage
    /// The time at which the server last sent or confirmed the image.
    let date: Date
    /// The server's `ETag`; `nil` without one.
    let tag: String?
    /// Whether the server must be asked, however new the image is.
    var isInvalid = false

    fileprivate var bytes: Int { image.data.count + (tag?.utf8.count ?? 0) }
}

/// The most recently used images, up to a number of bytes.
final class ImageMemory: Sendable {
    private let images: Mutex<LRUCache<ImageKey, CachedImage>>

    /// - Parameter limit: The maximum size of all files in bytes.
    init(limit: Int) {
        images = Mutex(LRUCache(limit: limit))
    }

    /// The image of a key, fresh or not; reading records its use.
    subscript(key: ImageKey) -> CachedImage? {
        get { images.withLock { $0.value(for: key) } }
        set {
            images.withLock { images in
                images.remove(key)
                if let newValue { images.insert(newValue, for: key, cost: newValue.bytes) }
            }
        }
    }

    func release() { images.withLock { $0.removeAll() } }

    /// The size of all images in bytes.
    var bytes: Int { images.withLock { $0.cost } }
}
