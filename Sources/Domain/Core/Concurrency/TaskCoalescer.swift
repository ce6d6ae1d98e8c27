import Synchronization

/// Runs equal work once for all callers that want its result at the same time.
///
/// Each key has a ``CoalescedLoad``.
package final class TaskCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package typealias Work = @Sendable (CoalescedPriority) async throws(BrowseError) -> Value

    private typealias Entry = (load: CoalescedLoad, result: OneShot<Result<Value, BrowseError>>)

    private let entries = Mutex<[Key: Entry]>([:])

    package init() {}

    /// Returns the result of the work in flight for a key, or starts one.
    ///
    /// The work runs with the task-local values of the caller that started it, and with the highest
    /// priority of all callers.
    package func value(
        for key: Key,
        _ options: LoadOptions = LoadOptions(),
        willJoin: () -> Void = {},
        _ work: @escaping Work
    ) async throws(BrowseError) -> Value {
        guard !Task.isCancelled else { throw .cancelled }
        let caller = CoalescedLoad.Caller()
        let (entry, isFirst) = entries.withLock { entries in
            if let entry = entries[key], entry.load.join(caller, options) { return (entry, false) }
            let entry = Self.entry(for: work)
            _ = entry.load.join(caller, options)
            entries[key] = entry
            return (entry, true)
        }
        if isFirst { entry.load.start() } else { willJoin() }
        await entry.load.wait(for: caller)
        entries.withLock { entries in
            // Abandoned work may have been replaced.
            if entries[key]?.load === entry.load, !entry.load.canBeJoined { entries[key] = nil }
        }
        return try (entry.result.resolved ?? .failure(.cancelled)).get()
    }

    /// Lets no later caller join the work in flight for some keys.
    package func endJoining(of isIncluded: (Key) -> Bool) {
        entries.withLock { entries in entries = entries.filter { !isIncluded($0.key) } }
    }

    private static func entry(for work: @escaping Work) -> Entry {
        let (priority, result) = (CoalescedPriority(.prefetch), OneShot<Result<Value, BrowseError>>())
        let load = CoalescedLoad(priority: priority) {
            let value = await Result.of { () throws(BrowseError) in try await work(priority) }
            result.resolve(value)
        }
        return (load, result)
    }
}
