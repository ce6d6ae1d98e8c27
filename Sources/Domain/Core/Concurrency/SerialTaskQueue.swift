import Synchronization

/// Runs asynchronous work one piece at a time, in order of arrival.
///
/// An actor isn't enough: it runs other calls while one is suspended.
package final class SerialTaskQueue: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    package init() {}

    /// Runs work after all earlier work; canceling the caller doesn't cancel it.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = last.withLock { last in
            let task = Task { [before = last] in
                await before?.value
                return await work()
            }
            last = Task { _ = await task.value }
            return task
        }
        return await task.value
    }
}
