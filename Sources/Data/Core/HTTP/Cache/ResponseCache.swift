import BrowseDomain
public import Foundation

/// Stores responses in a SQLite database.
///
/// Each time that a request is sent, it waits for the cache at most 50 ms, and then continues as if nothing were cached, or fails
/// with `.notCached` if only the cache is allowed. The least recently used responses are evicted. An unusable or damaged file is
/// replaced by an empty one, and if the folder isn't writable, nothing is stored. Several processes may use one folder.
public final class ResponseCache: Sendable {
    private let memory = CacheMemory()
    private let storage: CacheQueue

    /// Creates a cache; the file is opened when it is first used.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file; a missing folder is created, accessible only to its owner.
    ///   - byteLimit: The approximate maximum size of the file and its log together in bytes; 0 or less stores nothing, and
    ///     creates no file. A response larger than 1/8 of the limit isn't stored. Limits below 1 MiB are less exact, because the
    ///     file grows in pages of 16 KiB.
    ///   - now: The current date.
    ///   - clock: Measures the waits of requests.
    public convenience init(
        folder: URL,
        byteLimit: Int = 64 << 20,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        // Well below the 50 ms of a request.
        self.init(folder: folder, byteLimit: byteLimit, now: now, clock: clock, lockTimeout: .milliseconds(25))
    }

    /// - Parameter lockTimeout: The maximum wait for another process's lock, in real time. Tests set a longer one: on a busy
    ///   machine, the holder of a lock may not run for a while.
    package init(
        folder: URL,
        byteLimit: Int = 64 << 20,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration>,
        lockTimeout: Duration
    ) {
        let store = CacheFile(
            folder: folder,
            byteLimit: byteLimit,
            memory: memory,
            now: now,
            clock: clock,
            lockTimeout: lockTimeout
        )
        storage = CacheQueue(store, clock: clock)
    }

    /// The size of all responses in bytes; 0 if the file can't be used.
    public var byteCount: Int { get async { await storage.size().bytes } }

    /// The number of stored responses; 0 if the file can't be used.
    public var count: Int { get async { await storage.size().count } }

    /// Removes all responses.
    public func removeAll() async { await erase(.everything) }

    /// Removes all responses to an account's requests; responses in flight aren't stored.
    ///
    /// When this returns, the bytes are erased from the file and its log. If another process prevents that, the whole file is
    /// deleted, and the system frees the bytes when that process closes it. If the file can't be deleted either, this cache
    /// returns nothing until the bytes are erased.
    ///
    /// - Parameter account: As in ``HTTPRequest/account``.
    public func removeAll(of account: String) async { await erase(.account(account)) }

    /// Erases responses between two new generations.
    ///
    /// The second invalidates reads that began after the first but ran before the erasure.
    private func erase(_ erasure: CacheErasure) async {
        memory.startGeneration(after: erasure)
        await storage.erase(erasure)
        memory.startGeneration(after: erasure)
    }
}

extension ResponseCache {
    /// The response to revalidate, and the generation of a request.
    struct Revalidation: Sendable {
        let validator: Validator?
        let generation: Int
    }

    /// Begins a request; the response to revalidate can be evicted at any time.
    ///
    /// - Parameter ignoresCache: Whether to revalidate nothing.
    func beginRevalidation(
        for key: CacheKey,
        _ request: HTTPRequest,
        ignoresCache: Bool = false,
        within allowance: CacheAllowance = CacheAllowance()
    ) async -> Revalidation {
        let generation = memory.generation(of: key.account)
        let none = Revalidation(validator: nil, generation: generation)
        guard !ignoresCache else { return none }
        switch memory.validator(for: key, request) {
        case .found(let validator): return Revalidation(validator: validator, generation: generation)
        case .absent: return none
        case .unknown: break
        }
        let found = await storage.validator(for: key, request, within: allowance)
        // The response may have been removed during the wait.
        guard let found, generation == memory.generation(of: key.account) else { return none }
        memory.insert(found)
        return Revalidation(validator: found, generation: generation)
    }

    /// Ends a revalidation with the header fields of a 304.
    ///
    /// - Returns: The confirmed response; `nil` if it was removed or evicted, or if the 304 is for another version.
    func finishRevalidation(
        _ validator: Validator,
        by confirmation: HTTPHeaders,
        within allowance: CacheAllowance = CacheAllowance()
    ) async -> CachedResponse? {
        guard validator.matches(confirmation) else { return nil }
        return await current(validator.key) {
            await storage.confirm(validator, by: confirmation, within: allowance)
        }
    }

    /// The cached response to a request; `nil` if there is none, its `Vary` doesn't match, or it is damaged.
    func response(
        for key: CacheKey,
        _ request: HTTPRequest,
        within allowance: CacheAllowance = CacheAllowance()
    ) async -> CachedResponse? {
        await current(key) { await storage.response(for: key, request, within: allowance) }
    }

    /// Returns the result of a read, unless the account's responses were removed meanwhile.
    private func current(_ key: CacheKey, _ read: () async -> CachedResponse?) async -> CachedResponse? {
        let generation = memory.generation(of: key.account)
        let response = await read()
        return generation == memory.generation(of: key.account) ? response : nil
    }

    /// The current generation of an account's responses.
    func generation(of account: String?) -> Int { memory.generation(of: account) }

    /// Stores a response.
    ///
    /// - Returns: Its stored size in bytes; `nil` if it wasn't stored in time.
    @discardableResult
    func commit(
        _ response: HTTPResponse,
        under key: CacheKey,
        _ variant: VaryKey,
        generation: Int,
        within allowance: CacheAllowance = CacheAllowance()
    ) async -> Int? {
        await storage.commit(response, under: key, variant, generation: generation, within: allowance)
    }

    /// Removes a response, without waiting.
    func remove(_ key: CacheKey) {
        memory.removeValidator(of: key)
        storage.remove(key)
    }
}
