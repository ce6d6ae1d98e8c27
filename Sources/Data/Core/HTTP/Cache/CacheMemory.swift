import Synchronization

/// The cache's state in memory: validators, and which responses may still be stored.
final class CacheMemory: Sendable {
    private struct State {
        /// Validators from the file, so that most requests don't wait for it. If another process has changed the file since,
        /// the server's 304 doesn't match, and the request is sent again.
        var validators = LRUCache<String, Validator>(limit: 1000)
        /// The hash values of the keys in the file, and possibly of others; `nil` if they are unknown.
        var storedKeys: Set<Int>?
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
    func startGeneration(after erasure: CacheErasure) {
        state.withLock { state in
            state.lastGeneration += 1
            // Beyond the limit, all accounts start a generation, so that responses in flight aren't stored.
            if case .account(let account) = erasure, state.generations.count < Self.maxGenerations {
                state.generations[account] = state.lastGeneration
            } else {
                state.generations = [:]
                state.commonGeneration = state.lastGeneration
            }
            state.validators = LRUCache(limit: state.validators.limit)
        }
    }

    func validator(for key: CacheKey, _ request: HTTPRequest) -> Lookup {
        state.withLock { state in
            guard let validator = state.validators.value(for: key.text) else {
                return state.storedKeys?.contains(key.text.hashValue) == false ? .absent : .unknown
            }
            return validator.variant.matches(request) ? .found(validator) : .unknown
        }
    }

    /// Sets the hash values of the keys in the file; `nil` if they are unknown.
    func setStoredKeys(_ keys: Set<Int>?) { state.withLock { $0.storedKeys = keys } }

    /// Stores a validator that was read from the file.
    func insert(_ validator: Validator) {
        state.withLock { $0.validators.insert(validator, for: validator.key.text, cost: 1) }
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

    /// Removes the validator and the key of a response that is evicted.
    func evict(_ key: String) {
        state.withLock { state in
            state.validators.remove(key)
            state.storedKeys?.remove(key.hashValue)
        }
    }
}
