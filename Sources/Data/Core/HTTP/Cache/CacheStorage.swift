/// Responses that are erased from all storage.
enum CacheErasure: Codable, Hashable, Sendable {
    case account(String)
    case everything
}

/// The storage of ``ResponseCache``: its file, or a store that processes share.
///
/// A request waits for each operation within its allowance; `nil` also means that the storage wasn't ready in time.
protocol CacheStorage: Sendable {
    /// The number of stored responses and their size in bytes; zero if they can't be counted.
    func size() async -> (count: Int, bytes: Int)

    /// The validator for a request; `nil` if no stored response can be revalidated.
    func validator(for key: CacheKey, _ request: HTTPRequest, within allowance: CacheAllowance) async -> Validator?

    /// The response to a request; `nil` if there is none, its `Vary` doesn't match, or it is damaged.
    func response(for key: CacheKey, _ request: HTTPRequest, within allowance: CacheAllowance) async -> CachedResponse?

    /// The response that the server confirmed; its confirmation is stored.
    func confirm(
        _ validator: Validator,
        by headers: HTTPHeaders,
        within allowance: CacheAllowance
    ) async -> CachedResponse?

    /// Stores a response; returns its size in bytes.
    func commit(
        _ response: HTTPResponse,
        under key: CacheKey,
        _ variant: VaryKey,
        generation: Int,
        within allowance: CacheAllowance
    ) async -> Int?

    /// Removes a response, without waiting.
    func remove(_ key: CacheKey)

    /// Erases responses, now or before the storage is next used.
    func erase(_ erasure: CacheErasure) async
}

extension CacheQueue: CacheStorage {
    func size() async -> (count: Int, bytes: Int) { await result { $0.size } }

    func validator(for key: CacheKey, _ request: HTTPRequest, within allowance: CacheAllowance) async -> Validator? {
        await answer(within: allowance) { store, answer in answer(store.validator(for: key, request)) }
    }

    func response(for key: CacheKey, _ request: HTTPRequest, within allowance: CacheAllowance) async -> CachedResponse?
    {
        await answer(within: allowance) { store, answer in store.response(for: key, request, answer) }
    }

    func confirm(
        _ validator: Validator,
        by headers: HTTPHeaders,
        within allowance: CacheAllowance
    ) async -> CachedResponse? {
        await answer(within: allowance) { store, answer in store.confirm(validator, by: headers, answer) }
    }

    func commit(
        _ response: HTTPResponse,
        under key: CacheKey,
        _ variant: VaryKey,
        generation: Int,
        within allowance: CacheAllowance
    ) async -> Int? {
        await answer(within: allowance) { store, answer in
            answer(store.commit(response, under: key, variant, generation: generation))
        }
    }

    func remove(_ key: CacheKey) { enqueue { $0.remove(key) } }

    func erase(_ erasure: CacheErasure) async { _ = await result { $0.erase(erasure) } }
}
