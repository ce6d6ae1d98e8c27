import BrowseDomain
import Foundation

/// The cache's operations on a ``ResponseStore``, each within a request's allowance.
final class DistributedResponses: CacheStorage {
    private let store: any ResponseStore
    private let memory: CacheMemory
    private let responseLimit: Int
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let calls: RemoteCalls
    /// Pending erasures; the store isn't used until they are done.
    private let erasures: PendingErasures

    init(
        _ store: any ResponseStore,
        folder: URL?,
        memory: CacheMemory,
        byteLimit: Int,
        now: @escaping @Sendable () -> Date,
        clock: any Clock<Duration>
    ) {
        self.store = store
        self.memory = memory
        responseLimit = byteLimit / 8
        self.now = now
        self.clock = clock
        calls = RemoteCalls(clock: clock)
        erasures = PendingErasures(folder: folder)
        // Those that an earlier process couldn't do.
        if !erasures.all.isEmpty { Task { await settleErasures(within: .seconds(1)) } }
    }

    func size() async -> (count: Int, bytes: Int) { (0, 0) }

    func validator(for key: CacheKey, _ request: HTTPRequest, within allowance: CacheAllowance) async -> Validator? {
        let head = await call(within: allowance) { store throws(StorageFailure) in try await store.head(of: key.stored)
        }
        guard let data = head ?? nil, let head = StoredHead(data), head.variant.matches(request),
            let response = head.response(withBody: nil, under: key)
        else { return nil }
        let validator = Validator(key, head.variant, response)
        return validator.isUsable ? validator : nil
    }

    func response(for key: CacheKey, _ request: HTTPRequest, within allowance: CacheAllowance) async -> CachedResponse?
    {
        guard let found = await record(for: key, within: allowance), found.head.variant.matches(request) else {
            return nil
        }
        return found.response
    }

    /// The response that the server confirmed; the confirmation is stored without waiting.
    func confirm(_ validator: Validator, by headers: HTTPHeaders, within allowance: CacheAllowance) async
        -> CachedResponse?
    {
        let key = validator.key
        guard let (data, head, response) = await record(for: key, within: allowance),
            validator.identifies(response, head.variant)
        else {
            memory.update(nil, key, validator.variant)
            return nil
        }
        let confirmed = response.confirmed(by: headers, at: now())
        guard confirmed.mustReplace(response) else { return confirmed }
        memory.update(confirmed, key, head.variant)
        let new = StoredHead(confirmed, head.variant, under: key).data
        Task {
            await call(within: CacheAllowance()) { store throws(StorageFailure) in
                try await store.replaceHead(data, with: new, of: key.stored)
            }
        }
        return confirmed
    }

    func commit(
        _ response: HTTPResponse,
        under key: CacheKey,
        _ variant: VaryKey,
        generation: Int,
        within allowance: CacheAllowance
    ) async -> Int? {
        guard generation == memory.generation(of: key.account) else { return nil }
        let response = CachedResponse(response, date: now())
        let record = ResponseRecord(head: StoredHead(response, variant, under: key).data, body: response.body)
        let size = record.head.count + record.body.count + key.text.utf8.count
        guard size <= responseLimit else {
            remove(key)
            return nil
        }
        let isStored: Void? = await call(within: allowance) { store throws(StorageFailure) in
            try await store.store(record, for: key.stored)
        }
        // The account may have signed out while the response was stored.
        guard generation == memory.generation(of: key.account) else {
            remove(key)
            return nil
        }
        memory.update(isStored == nil ? nil : response, key, variant)
        return isStored == nil ? nil : size
    }

    func remove(_ key: CacheKey) {
        memory.removeValidator(of: key)
        Task {
            await call(within: CacheAllowance()) { store throws(StorageFailure) in try await store.remove(key.stored) }
        }
    }

    func erase(_ erasure: CacheErasure) async {
        erasures.insert(erasure)
        await settleErasures(within: .seconds(1))
        // The caller deletes the account's token next, after which nothing else would erase its responses.
        await erasures.save()
    }

    private func record(
        for key: CacheKey,
        within allowance: CacheAllowance
    ) async -> (data: Data, head: StoredHead, response: CachedResponse)? {
        let found = await call(within: allowance) { store throws(StorageFailure) in
            try await store.response(for: key.stored)
        }
        guard let record = found ?? nil else { return nil }
        guard let head = StoredHead(record.head), let response = head.response(withBody: record.body, under: key) else {
            remove(key)
            return nil
        }
        return (record.head, head, response)
    }

    /// Calls the store, after pending erasures; `nil` if that fails or takes too long.
    @discardableResult
    private func call<Value: Sendable>(
        within allowance: CacheAllowance,
        _ work: @escaping @Sendable (any ResponseStore) async throws(StorageFailure) -> Value
    ) async -> Value? {
        let (elapsed, limit) = (clock.stopwatch(), allowance.remaining)
        defer { allowance.spend(elapsed()) }
        guard await settleErasures(within: limit) else { return nil }
        return await calls.value(within: limit - elapsed()) { [store] () throws(StorageFailure) in
            try await work(store)
        }
    }

    /// Calls the store for the pending erasures; returns whether all are done.
    @discardableResult
    private func settleErasures(within limit: Duration) async -> Bool {
        let (all, elapsed) = (erasures.all, clock.stopwatch())
        guard !all.isEmpty else { return true }
        for (erasure, number) in all {
            let account: String? = if case .account(let account) = erasure { account } else { nil }
            let isDone: Void? = await calls.value(within: limit - elapsed()) { [store] () throws(StorageFailure) in
                try await store.removeAll(of: account)
            }
            guard isDone != nil else { return false }
            erasures.remove(erasure, number)
        }
        // Not awaited, since another process can hold the file's lock.
        Task { [erasures] in await erasures.save() }
        return true
    }
}

extension CacheKey {
    fileprivate var stored: ResponseKey { ResponseKey(text: text, account: account) }
}
