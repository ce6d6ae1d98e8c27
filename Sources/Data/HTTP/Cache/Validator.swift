import BrowseDomain
import Foundation
import Synchronization

/// A cached response that the server can be asked about.
struct Validator: Sendable {
    let key: CacheKey
    let variant: VaryKey
    let etag: String?
    let lastModified: String?
    let date: Date

    /// Whether the server can tell this version from others.
    var canBeAskedAbout: Bool { etag != nil || lastModified != nil }

    /// Whether a confirmation is one of this response, and not of another that the server had or has (RFC 9111, section
    /// 4.3.4).
    func isMeant(by confirmation: HTTPHeaders) -> Bool {
        if let other = confirmation["ETag"] { return etag.map(Self.opaque) == Self.opaque(other) }
        guard etag == nil, let other = confirmation["Last-Modified"] else { return true }
        return other == lastModified
    }

    /// Weak or strong is all the same to this question (RFC 9110, section 8.8.3.2).
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

/// The part of the cache that needs no look into the file: validators, and which responses may still be stored.
final class CacheMemory: Sendable {
    private struct State {
        /// The file's validators as this process last saw them, so that most requests need not wait for the file. Another
        /// process may have changed them: then the server's answer doesn't match, and the request is sent again.
        var validators = LRUCache<String, Validator>(limit: 1000)
        /// The responses that are being revalidated, and how often.
        var pins: [String: Int] = [:]
        /// How often an account's responses, and all responses, were removed: older requests store nothing.
        var generations: [String?: Int] = [:]
        var clearings = 0
    }

    private let state = Mutex(State())

    /// The generation of an account's responses; one that was requested in an earlier generation isn't stored.
    func generation(of account: String?) -> Int {
        state.withLock { $0.generations[account, default: 0] + $0.clearings }
    }

    /// Begins a new generation of an account's responses, or of all.
    func startGeneration(of account: String??) {
        state.withLock { state in
            if let account { state.generations[account, default: 0] += 1 } else { state.clearings += 1 }
            state.validators = LRUCache(limit: state.validators.limit)
        }
    }

    /// Pins the validator of a request's response, if it is in memory.
    func pinnedValidator(for key: CacheKey, _ request: HTTPRequest) -> Validator? {
        state.withLock { state in
            guard let validator = state.validators.value(for: key.text), validator.variant.matches(request) else {
                return nil
            }
            state.pins[key.text, default: 0] += 1
            return validator
        }
    }

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

    /// Stores the validator of a response, or removes the one of a key without a response.
    func update(_ response: CachedResponse?, _ key: CacheKey, _ variant: VaryKey) {
        state.withLock { state in
            guard let validator = response.map({ Validator(key, variant, $0) }), validator.canBeAskedAbout else {
                return state.validators.remove(key.text)
            }
            state.validators.insert(validator, for: key.text, cost: 1)
        }
    }

    func removeValidator(of key: CacheKey) { state.withLock { $0.validators.remove(key.text) } }

    func removeValidators() {
        state.withLock { $0.validators = LRUCache(limit: $0.validators.limit) }
    }

    /// Whether a response may be evicted because it isn't being revalidated; its validator is removed in the same step.
    func evict(_ key: String) -> Bool {
        state.withLock { state in
            guard state.pins[key] == nil else { return false }
            state.validators.remove(key)
            return true
        }
    }
}
