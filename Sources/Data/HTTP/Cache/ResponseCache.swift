import BrowseDomain
public import Foundation

/// Stores responses in a SQLite database, up to a number of bytes; the least recently used are evicted first.
///
/// The cache may be discarded at any time: a file that can't be used is replaced by an empty one, a damaged row is removed,
/// and where nothing can be written nothing is stored. Requests never fail because of it, and wait for it for 50 ms at
/// most, all their waits together: one that gets no answer from the cache in time is sent as if nothing were cached.
/// Several processes may use one folder.
public final class ResponseCache: Sendable {
    private let memory = CacheMemory()
    private let queue: CacheQueue

    /// Creates a cache; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file; a missing folder is created for its owner alone.
    ///   - byteLimit: The size of the file and its log together in bytes; 0 or less stores nothing, and makes no file. A
    ///     response larger than an eighth of it isn't stored. Limits below 1 MiB are approximate, since the file grows
    ///     in pages of 8 KiB.
    ///   - now: The current time, from which ages are counted.
    ///   - clock: Measures how long requests wait.
    public convenience init(
        folder: URL,
        byteLimit: Int = 64 << 20,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        // Well below what a request may wait.
        self.init(folder: folder, byteLimit: byteLimit, now: now, clock: clock, lockTimeout: .milliseconds(25))
    }

    /// - Parameter lockTimeout: The longest wait for another process's lock, by the system's clock; tests that don't hold
    ///   locks wait longer, since a busy machine may stop the holder of a lock for a while.
    package init(
        folder: URL,
        byteLimit: Int = 64 << 20,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration>,
        lockTimeout: Duration
    ) {
        let store = ResponseStore(
            folder: folder,
            byteLimit: byteLimit,
            memory: memory,
            now: now,
            clock: clock,
            lockTimeout: lockTimeout
        )
        queue = CacheQueue(store, clock: clock)
    }

    /// The bytes of all responses together; 0 when the file can't be used.
    public var byteCount: Int { get async { await queue.result { $0.byteCount } } }

    /// The number of stored responses; 0 when the file can't be used.
    public var count: Int { get async { await queue.result { $0.count } } }

    /// Removes every response.
    public func removeAll() async {
        memory.startGeneration(of: nil)
        await queue.result { $0.erase(.everything) }
    }

    /// Removes every response to an account's requests, also those that are in flight.
    ///
    /// Their bytes are gone from the file and its log when this returns. If another process holds on to them, the file is
    /// deleted with everything in it, and the bytes are gone when that process lets go.
    ///
    /// - Parameter account: As in ``HTTPRequest/account``.
    public func removeAll(of account: String) async {
        memory.startGeneration(of: account)
        await queue.result { $0.erase(.account(account)) }
    }
}

extension ResponseCache {
    /// The start of a request: the response to revalidate, and the generation in which its own may be stored.
    struct Revalidation: Sendable {
        let validator: Validator?
        let generation: Int
    }

    /// Begins a request; the validator's response stays until ``finishRevalidation(_:by:within:)``.
    ///
    /// - Parameter ignoresCache: Whether nothing is to be revalidated.
    func beginRevalidation(
        for key: CacheKey,
        _ request: HTTPRequest,
        ignoresCache: Bool = false,
        within allowance: CacheAllowance = CacheAllowance()
    ) async -> Revalidation {
        let generation = memory.generation(of: key.account)
        guard !ignoresCache else { return Revalidation(validator: nil, generation: generation) }
        if let validator = memory.pinnedValidator(for: key, request) {
            return Revalidation(validator: validator, generation: generation)
        }
        let found: Validator? = await queue.answer(within: allowance) { store, answer in
            answer(store.validator(for: key, request))
        }
        // Removed meanwhile, it isn't to be asked about.
        guard let found, generation == memory.generation(of: key.account) else {
            return Revalidation(validator: nil, generation: generation)
        }
        memory.pin(found)
        return Revalidation(validator: found, generation: generation)
    }

    /// Ends what ``beginRevalidation(for:_:ignoresCache:within:)`` began.
    ///
    /// - Parameter confirmation: The header fields of the server's confirmation, if it has sent one.
    /// - Returns: The confirmed response; `nil` when it is no longer there, or when the server means another.
    func finishRevalidation(
        _ validator: Validator,
        by confirmation: HTTPHeaders?,
        within allowance: CacheAllowance = CacheAllowance()
    ) async -> CachedResponse? {
        defer { memory.unpin(validator) }
        guard let confirmation, validator.isMeant(by: confirmation) else { return nil }
        return await current(validator.key) {
            await queue.answer(within: allowance) { store, answer in
                store.confirm(validator, by: confirmation, answer)
            }
        }
    }

    /// The cached response to a request; `nil` when there is none, it varies, or it is damaged.
    func response(
        for key: CacheKey,
        _ request: HTTPRequest,
        within allowance: CacheAllowance = CacheAllowance()
    ) async -> CachedResponse? {
        await current(key) {
            await queue.answer(within: allowance) { store, answer in
                store.response(for: key, request, answer)
            }
        }
    }

    /// What a read returns, unless the account's responses were removed meanwhile.
    private func current(_ key: CacheKey, _ read: () async -> CachedResponse?) async -> CachedResponse? {
        let generation = memory.generation(of: key.account)
        let response = await read()
        return generation == memory.generation(of: key.account) ? response : nil
    }

    /// The generation in which responses to an account's requests may be stored now.
    func generation(of account: String?) -> Int { memory.generation(of: account) }

    /// Stores a response.
    ///
    /// - Returns: The number of bytes it takes; `nil` when it isn't stored, or not in time.
    @discardableResult
    func commit(
        _ response: HTTPResponse,
        under key: CacheKey,
        _ variant: VaryKey,
        generation: Int,
        within allowance: CacheAllowance = CacheAllowance()
    ) async -> Int? {
        await queue.answer(within: allowance) { store, answer in
            answer(store.commit(response, under: key, variant, generation: generation))
        }
    }

    /// Removes a response, without waiting for that.
    func remove(_ key: CacheKey) {
        memory.removeValidator(of: key)
        queue.enqueue { $0.remove(key) }
    }
}
