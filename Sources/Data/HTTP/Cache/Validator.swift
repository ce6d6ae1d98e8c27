import BrowseDomain
import Foundation
import Synchronization

/// Identifies a version of a cached response, so that the server can confirm it.
struct Validator: Sendable {
    let key: CacheKey
    let variant: VaryKey
    let etag: String?
    let lastModified: String?
    let date: Date

    /// Whether the server can identify this version.
    var isUsable: Bool { etag != nil || lastModified != nil }

    /// Whether a 304 confirms this version rather than another one (RFC 9111, section 4.3.4).
    func matches(_ confirmation: HTTPHeaders) -> Bool {
        if let other = confirmation["ETag"] { return etag.map(Self.opaque) == Self.opaque(other) }
        guard etag == nil, let other = confirmation["Last-Modified"] else { return true }
        return other == lastModified
    }

    /// The tag without `W/`, which a weak comparison ignores (RFC 9110, section 8.8.3.2).
    private static func opaque(_ etag: String) -> Substring { etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...] }
}

extension Validator {
    init(_ key: CacheKey, _ variant: VaryKey, _ response: CachedResponse) {
        self.init(
            key: key,
            variant: variant,
            etag: response.headers["ETag"],
            lastModified: response.headers["Last-Modified"],
            date: response.date
        )
    }
}

/// The cache's state in memory: validators, and which responses may still be stored.
final class CacheMemory: Sendable {
    private struct State {
        /// Validators from the file, so that most requests don't wait for it. If another process has changed the file since,
        /// the server's 304 doesn't match, and the request is sent again.
        var validators = LRUCache<String, Validator>(limit: 1000)
        /// The hash values of the keys in the file, and possibly of others; `nil` if they are unknown.
        var storedKeys: Set<Int>?
        /// The number of revalidations in flight for each response.
        var pins: [String: Int] = [:]
        /// The number of each account's last removal; requests sent before it store nothing.
        var generations: [String?: Int] = [:]
        /// The number of the last removal of all responses.
        var commonGeneration = 0
        /// The number of removals.
        ///
        /// It never decreases: a forgotten account's generation isn't an earlier one.
        var lastGeneration = 0
    }

    /// The result of a lookup in memory.
    enum Lookup {
        /// The validator, which is now pinned.
        case found(Validator)
        /// The file has no response.
        case absent
        /// The file may have a response.
        case unknown
    }

    /// The maximum number of keys in the file to keep in memory.
    static let maxStoredKeys = 10_000
    /// The maximum number of accounts whose responses were removed to keep in memory.
    static let maxGenerations = 1000

    private let state = Mutex(State())

    /// The current generation of an account; responses requested in an earlier one aren't stored.
    func generation(of account: String?) -> Int {
        state.withLock { $0.generations[account] ?? $0.commonGeneration }
    }

    /// The number of accounts with a generation of their own.
    var generationCount: Int { state.withLock { $0.generations.count } }

    /// Starts a new generation of an account, or of all accounts.
    func startGeneration(of account: String??) {
        state.withLock { state in
            state.lastGeneration += 1
            // Beyond the limit, all accounts start a generation, so that responses in flight aren't stored.
            if let account, state.generations.count < Self.maxGenerations {
                state.generations[account] = state.lastGeneration
            } else {
                state.generations = [:]
                state.commonGeneration = state.lastGeneration
            }
            state.validators = LRUCache(limit: state.validators.limit)
        }
    }

    /// Looks up the validator for a request and pins it.
    func pinnedValidator(for key: CacheKey, _ request: HTTPRequest) -> Lookup {
        state.withLock { state in
            guard let validator = state.validators.value(for: key.text) else {
                return state.storedKeys?.contains(key.text.hashValue) == false ? .absent : .unknown
            }
            guard validator.variant.matches(request) else { return .unknown }
            state.pins[key.text, default: 0] += 1
            return .found(validator)
        }
    }

    /// Sets the hash values of the keys in the file; `nil` if they are unknown.
    func setStoredKeys(_ keys: Set<Int>?) { state.withLock { $0.storedKeys = keys } }

    /// Stores and pins a validator.
    func pin(_ validator: Validator) {
        state.withLock { state in
            state.validators.insert(validator, for: validator.key.text, cost: 1)
            state.pins[validator.key.text, default: 0] += 1
        }
    }

    /// Releases a pin.
    func unpin(_ validator: Validator) {
        state.withLock { state in
            let count = (state.pins[validator.key.text] ?? 0) - 1
            state.pins[validator.key.text] = count > 0 ? count : nil
        }
    }

    /// Stores the validator of a response; without a response, removes the validator.
    func update(_ response: CachedResponse?, _ key: CacheKey, _ variant: VaryKey) {
        state.withLock { state in
            if response != nil { state.storedKeys?.insert(key.text.hashValue) }
            if state.storedKeys?.count ?? 0 > Self.maxStoredKeys { state.storedKeys = nil }
            guard let validator = response.map({ Validator(key, variant, $0) }), validator.isUsable else {
                return state.validators.remove(key.text)
            }
            state.validators.insert(validator, for: key.text, cost: 1)
        }
    }

    func removeValidator(of key: CacheKey) { state.withLock { $0.validators.remove(key.text) } }

    /// Removes the validators and keys of a file that is replaced.
    func removeFile() {
        state.withLock { state in
            state.validators = LRUCache(limit: state.validators.limit)
            state.storedKeys = nil
        }
    }

    /// Removes the validator of a response that may be evicted; `false` if it is being revalidated.
    func evict(_ key: String) -> Bool {
        state.withLock { state in
            guard state.pins[key] == nil else { return false }
            state.validators.remove(key)
            state.storedKeys?.remove(key.hashValue)
            return true
        }
    }
}
