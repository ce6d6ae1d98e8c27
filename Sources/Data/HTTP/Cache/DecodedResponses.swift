import BrowseDomain
import Foundation
import Synchronization

/// The decoded values of cached responses, so that an unchanged response isn't decoded again.
///
/// Decoding takes more than half the processor time of a revalidation. Only values of named decodings are cached,
/// because no later endpoint has an equal ``DecodingID`` without a name.
final class DecodedResponses: Sendable {
    /// What a named decoding depends on.
    private struct Version: Hashable, Sendable {
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

    private struct Entry: Sendable {
        let version: Version
        let account: String?
        let values: SharedDecoding
    }

    /// The cost of an entry in addition to its body: its key, header fields, and objects.
    static let overhead = 4096

    private let entries: Mutex<LRUCache<CacheKey, Entry>>

    /// - Parameter limit: The maximum size of all decoded bodies in bytes, each with ``overhead``.
    init(limit: Int) {
        entries = Mutex(LRUCache(limit: limit))
    }

    /// The decoded values of a response; initially none.
    func decoding(of response: CachedResponse, under key: CacheKey) -> SharedDecoding {
        let version = Version(response)
        let known = entries.withLock { $0.value(for: key) }
        if let known, known.version == version { return SharedDecoding(named: known.values) }
        let entry = Entry(version: version, account: key.account, values: SharedDecoding())
        let cost = response.body.count + Self.overhead
        change { entries in
            var removed = entries.value(for: key).map { [$0] } ?? []
            entries.remove(key)
            guard cost <= entries.limit else { return removed }
            while entries.cost > entries.limit - cost, let oldest = entries.removeOldest() { removed.append(oldest) }
            entries.insert(entry, for: key, cost: cost)
            return removed
        }
        return SharedDecoding(named: entry.values)
    }

    func remove(_ key: CacheKey) {
        change { entries in
            defer { entries.remove(key) }
            return entries.value(for: key).map { [$0] } ?? []
        }
    }

    /// Releases the values of an account's responses.
    func removeAll(of account: String) {
        change { entries in
            var removed: [Entry] = []
            entries.removeAll { entry in
                guard entry.account == account else { return false }
                removed.append(entry)
                return true
            }
            return removed
        }
    }

    /// Releases all values.
    func removeAll() {
        change { entries in
            var removed: [Entry] = []
            while let oldest = entries.removeOldest() { removed.append(oldest) }
            return removed
        }
    }

    /// Changes the entries under the lock, and releases the removed ones after it.
    ///
    /// The values are the user's, and their `deinit` can use the cache.
    ///
    /// - Parameter change: Returns the removed entries.
    private func change(_ change: (inout LRUCache<CacheKey, Entry>) -> [Entry]) {
        let removed = entries.withLock { change(&$0) }
        // The optimizer would otherwise release them under the lock, where their last use is.
        withExtendedLifetime(removed) {}
    }
}
