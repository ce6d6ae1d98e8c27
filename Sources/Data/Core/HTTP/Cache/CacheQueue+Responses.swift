import BrowseDomain

/// Responses that are erased from all storage.
enum CacheErasure: Hashable, Sendable {
    case account(String)
    case everything
}

/// The operations of ``ResponseCache``.
///
/// A request waits for each within its allowance; `nil` also means that the file wasn't ready in time.
extension CacheQueue {
    /// The number of stored responses and their size in bytes; zero if they can't be counted.
    func size() async -> (count: Int, bytes: Int) { await result { $0.size } }

    /// The validator for a request; `nil` if no stored response can be revalidated.
    func validator(for key: CacheKey, _ request: HTTPRequest, within allowance: CacheAllowance) async -> Validator? {
        await answer(within: allowance) { store, answer in answer(store.validator(for: key, request)) }
    }

    /// The response to a request; `nil` if there is none, its `Vary` doesn't match, or it is damaged.
    func response(for key: CacheKey, _ request: HTTPRequest, within allowance: CacheAllowance) async -> CachedResponse?
    {
        await answer(within: allowance) { store, answer in store.response(for: key, request, answer) }
    }

    /// The response that the server confirmed; its confirmation is stored.
    func confirm(
        _ validator: Validator,
        by headers: HTTPHeaders,
        within allowance: CacheAllowance
    ) async -> CachedResponse? {
        await answer(within: allowance) { store, answer in store.confirm(validator, by: headers, answer) }
    }

    /// Stores a response; returns its size in bytes.
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

    /// Removes a response, without waiting.
    func remove(_ key: CacheKey) { enqueue { $0.remove(key) } }

    /// Erases responses, now or before the file is next used.
    func erase(_ erasure: CacheErasure) async { _ = await result { $0.erase(erasure) } }
}
