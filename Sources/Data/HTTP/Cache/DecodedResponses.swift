import BrowseDomain
import Foundation
import Synchronization

/// The decoded values of cached responses, so that an unchanged response isn't decoded again.
///
/// Decoding takes more than half the processor time of a revalidation. Only values of named decodings are kept: another
/// ``DecodingID`` is never seen again.
final class DecodedResponses: Sendable {
    /// What a named decoding depends on.
    private struct Version: Hashable {
        let status: Int
        let url: URL
        let headers: HTTPHeaders
        let checksum: Int64

        init(_ response: CachedResponse) {
            status = response.status
            url = response.url
            headers = response.headers
            checksum = CachedResponse.checksum(of: [response.body])
        }
    }

    private struct Entry {
        let version: Version
        let values: SharedDecoding
    }

    private let entries: Mutex<LRUCache<CacheKey, Entry>>

    /// - Parameter limit: The maximum size of all decoded bodies in bytes.
    init(limit: Int) {
        entries = Mutex(LRUCache(limit: limit))
    }

    /// The decoded values of a response; initially none.
    func decoding(of response: CachedResponse, under key: CacheKey) -> SharedDecoding {
        let version = Version(response)
        let values = entries.withLock { entries in
            if let entry = entries.value(for: key), entry.version == version { return entry.values }
            let entry = Entry(version: version, values: SharedDecoding())
            entries.insert(entry, for: key, cost: max(1, response.body.count))
            return entry.values
        }
        return SharedDecoding(named: values)
    }

    func remove(_ key: CacheKey) { entries.withLock { $0.remove(key) } }

    func release() { entries.withLock { $0.evict(to: 0) } }
}
