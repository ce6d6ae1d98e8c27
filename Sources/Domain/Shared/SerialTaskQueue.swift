import Synchronization

/// Runs asynchronous work one piece after the other, in the order in which it was begun.
///
/// An actor alone does not: it takes on the next call wherever the one before waits.
package final class SerialTaskQueue: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)
    /// Reports each piece of work as it is enqueued, so that a test can wait for it.
    package let enqueued = Broadcast<Void>()

    /// Nothing has begun.
    package init() {}

    /// Does work when all that was begun before is done, and waits for it; cancelling the caller does not stop it.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = last.withLock { last in
            let task = Task { [before = last] in
                await before?.value
                return await work()
            }
            last = Task { _ = await task.value }
            return task
        }
        enqueued.send(())
        return await task.value
    }
}
