import BrowseDomain
import Synchronization

/// Sends equal concurrent reads once; waiters cancel independently.
///
/// Reads are equal if they differ at most in priority.
struct RequestDeduplication: HTTPMiddleware {
    /// Called when a read joins another, which can raise the priority of a request that waits.
    var didJoin: @Sendable () -> Void = {}
    private let work = TaskCoalescer<HTTPClient.Request, HTTPClient.Response>()

    func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError) -> HTTPClient.Response {
        // Requests of an unknown account could be anybody's.
        guard request.method == .get, request.body == nil, !request.isAuthorized || request.account?.isEmpty == false
        else { return try await next(request) }
        var key = request
        key.options.priority = .visible
        key.options.sharedPriority = nil
        return try await work.value(for: key, request.options) {
            ExchangeTrace.note(.joined)
            didJoin()
        } _: { priority throws(BrowseError) in
            var shared = request
            shared.options.sharedPriority = priority
            return try await next(shared)
        }
    }
}

/// Runs equal work once for all callers that want its result at the same time.
///
/// Callers cancel independently. When the last one cancels, so does the work, and a later caller starts it again.
final class TaskCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Work in a task of its own. Its waiters and its priority's callers are the same.
    typealias Work = @Sendable (CoalescedPriority) async throws(BrowseError) -> Value

    private typealias Answer = OneShot<Result<Value, BrowseError>>

    private struct Entry {
        /// The priority, which also identifies the work.
        let priority = CoalescedPriority(.prefetch)
        var task: Task<Void, Never>?
        var waiters: [Answer] = []
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// The number of tasks in flight.
    var count: Int { entries.withLock { $0.count } }

    /// Returns the result of the task in flight for a key, or starts one.
    ///
    /// - Parameters:
    ///   - key: The key, which is the same for equal work.
    ///   - options: The caller's options, with its priority.
    ///   - willJoin: Called if a task is in flight already.
    ///   - work: Runs with the task-local values of the caller that started it, and with the highest priority of all callers.
    /// - Throws: The error of the work, or `.cancelled` if the calling task is canceled.
    func value(
        for key: Key,
        _ options: LoadOptions = LoadOptions(),
        willJoin: () -> Void = {},
        _ work: @escaping Work
    ) async throws(BrowseError) -> Value {
        let answer = Answer()
        let result = await withTaskCancellationHandler {
            switch join(key, answer, options) {
            case (let priority?, isFirst: true): start(work, for: key, priority)
            case (_?, isFirst: false): willJoin()
            case (nil, _): break
            }
            return await answer.value
        } onCancel: {
            cancel(answer, key)
        }
        return try result.get()
    }

    /// Adds a waiter to the work of a key, which may be new; returns `nil` if the calling task is canceled.
    private func join(_ key: Key, _ answer: Answer, _ options: LoadOptions) -> (CoalescedPriority?, isFirst: Bool) {
        entries.withLock { entries in
            // An earlier cancellation found no waiter to remove; a later one finds it.
            guard !Task.isCancelled else { return (nil, false) }
            let isFirst = entries[key] == nil
            var entry = entries[key] ?? Entry()
            entry.waiters.append(answer)
            entry.priority.add(answer, options)
            entries[key] = entry
            return (entry.priority, isFirst)
        }
    }

    private func start(_ work: @escaping Work, for key: Key, _ priority: CoalescedPriority) {
        let task = Task {
            finish(key, priority, await Result.of { () throws(BrowseError) in try await work(priority) })
        }
        let isWanted = entries.withLock { entries in
            guard entries[key]?.priority === priority else { return false }
            entries[key]?.task = task
            return true
        }
        // The only caller canceled before the task was stored, or the work has finished already.
        if !isWanted { task.cancel() }
    }

    private func cancel(_ answer: Answer, _ key: Key) {
        let task = entries.withLock { entries -> Task<Void, Never>? in
            guard var entry = entries[key], let index = entry.waiters.firstIndex(where: { $0 === answer }) else {
                return nil
            }
            entry.waiters.remove(at: index)
            entry.priority.remove(answer)
            entries[key] = entry.waiters.isEmpty ? nil : entry
            return entry.waiters.isEmpty ? entry.task : nil
        }
        task?.cancel()
        answer.resolve(.failure(.cancelled))
    }

    /// Resumes the waiters of the work with a priority object; canceled work may have been replaced.
    private func finish(_ key: Key, _ priority: CoalescedPriority, _ result: Result<Value, BrowseError>) {
        let waiters = entries.withLock { entries -> [Answer] in
            guard entries[key]?.priority === priority else { return [] }
            return entries.removeValue(forKey: key)?.waiters ?? []
        }
        for waiter in waiters { waiter.resolve(result) }
    }
}
