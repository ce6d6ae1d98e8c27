import BrowseDomain
import Foundation
import Synchronization

/// The decoded values of cached responses, so that an unchanged response isn't decoded again.
///
/// Decoding takes more than half the processor time of a revalidation. Only named decodings are cached:
/// an unnamed ``DecodingID`` equals only its copies, so nothing would find it again.
///
/// Values of new responses have a tenth of the space, so that responses that are never requested again don't evict others. They
/// keep the body, since a digest would take longer than storing the response, and most aren't requested again.
final class DecodedResponses: Sendable {
    /// What a named decoding depends on.
    private struct Version: Sendable {
        enum Body: Sendable {
            case bytes(Data)
            case digest(BodyDigest)
        }

        let status: Int
        let url: URL
        let headers: HTTPHeaders
        let body: Body

        init(_ response: CachedResponse, _ body: Body) {
            status = response.status
            url = response.url
            headers = response.headers
            self.body = body
        }

        func isVersion(of response: CachedResponse, _ digest: BodyDigest) -> Bool {
            guard status == response.status, url == response.url, headers == response.headers else { return false }
            return switch body {
            case .bytes(let bytes): bytes == response.body
            case .digest(let known): known == digest
            }
        }
    }

    private struct Entry: Sendable {
        let version: Version
        let account: String?
        let values: CoalescedDecoding
        let cost: Int

        init(_ response: CachedResponse, _ body: Version.Body, under key: CacheKey, _ values: CoalescedDecoding) {
            version = Version(response, body)
            account = key.account
            self.values = values
            cost = response.body.count + DecodedResponses.overhead
        }
    }

    private struct Entries {
        /// Values of responses that were requested again.
        var reused: LRUCache<CacheKey, Entry>
        /// Values of new responses.
        var new: LRUCache<CacheKey, Entry>

        init(limit: Int) {
            new = LRUCache(limit: limit / 10)
            reused = LRUCache(limit: limit - limit / 10)
        }

        /// Removes and returns the entry of a key, which is in at most one of the caches.
        mutating func take(_ key: CacheKey) -> Entry? { reused.take(key) ?? new.take(key) }
    }

    /// The cost of an entry in addition to its body: its key, header fields, and objects.
    static let overhead = 4096

    private let entries: Mutex<Entries>
    private let digestKey = BodyDigest.Key()

    /// - Parameter limit: The maximum size of all decoded bodies in bytes, each with ``overhead``.
    init(limit: Int) {
        entries = Mutex(Entries(limit: limit))
    }

    /// The decoded values of a response that is requested again; none if another version was decoded.
    func decoding(of response: CachedResponse, under key: CacheKey) -> CoalescedDecoding {
        let digest = BodyDigest(response.body, digestKey)
        var values = CoalescedDecoding()
        change { entries in
            if let known = entries.reused.value(for: key), known.version.isVersion(of: response, digest) {
                values = known.values
                return []
            }
            let old = entries.take(key)
            if let old, old.version.isVersion(of: response, digest) { values = old.values }
            let entry = Entry(response, .digest(digest), under: key, values)
            return [old].compactMap(\.self) + entries.reused.makeRoomAndInsert(entry, for: key, cost: entry.cost)
        }
        return CoalescedDecoding(named: values)
    }

    /// Caches the values decoded from a new response.
    func insert(_ values: CoalescedDecoding, of response: CachedResponse, under key: CacheKey) {
        let entry = Entry(response, .bytes(response.body), under: key, values)
        change { entries in
            [entries.take(key)].compactMap(\.self) + entries.new.makeRoomAndInsert(entry, for: key, cost: entry.cost)
        }
    }

    func remove(_ key: CacheKey) { change { [$0.take(key)].compactMap(\.self) } }

    /// Releases the values of an account's responses.
    func removeAll(of account: String) {
        change { entries in
            entries.reused.takeAll { $0.account == account } + entries.new.takeAll { $0.account == account }
        }
    }

    /// Releases all values.
    func removeAll() { change { $0.reused.takeOldest(to: 0) + $0.new.takeOldest(to: 0) } }

    /// Changes the entries under the lock, and releases the removed ones after it.
    ///
    /// The values are the user's, and their `deinit` can use the cache.
    ///
    /// - Parameter change: Returns the removed entries.
    private func change(_ change: (inout Entries) -> [Entry]) {
        let removed = entries.withLock { change(&$0) }
        // The optimizer would otherwise release them under the lock, where their last use is.
        withExtendedLifetime(removed) {}
    }
}

/// Operations that return the removed values.
extension LRUCache {
    fileprivate mutating func take(_ key: Key) -> Value? {
        defer { remove(key) }
        return value(for: key)
    }

    fileprivate mutating func takeAll(where condition: (Value) -> Bool) -> [Value] {
        var taken: [Value] = []
        removeAll { value in
            guard condition(value) else { return false }
            taken.append(value)
            return true
        }
        return taken
    }

    fileprivate mutating func takeOldest(to cost: Int) -> [Value] {
        var taken: [Value] = []
        while self.cost > cost, let oldest = removeOldest() { taken.append(oldest) }
        return taken
    }

    /// Inserts a value, unless its cost exceeds the limit.
    fileprivate mutating func makeRoomAndInsert(_ value: Value, for key: Key, cost: Int) -> [Value] {
        guard cost <= limit else { return [] }
        defer { insert(value, for: key, cost: cost) }
        return takeOldest(to: limit - cost)
    }
}
