public import Observation
import Synchronization

/// A value protected by a lock; tasks can wait for changes without polling.
///
/// Use it in a test to collect reports of the code under test from any task, and wait with
/// ``waitUntil(within:fileID:filePath:line:_:)``:
///
/// ```swift
/// let log = Monitor<[String]>([])
/// let task = Task { log.withLock { $0.append("began") } }
/// try await waitUntil { log.value.contains("began") }
/// ```
///
/// Waiting tasks are resumed in the order in which they started waiting.
public final class Monitor<Value: Sendable>: Sendable, Observable {
    private struct Waiter {
        let id: Int
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Guarded {
        var value: Value
        /// The number of changes.
        var version = 0
        var waiters: [Waiter] = []
        var lastID = 0
    }

    private let guarded: Mutex<Guarded>
    /// The scope of the test that created it, for waits of other tasks.
    private weak let scope: TestScope?
    private let registrar = ObservationRegistrar()

    /// Creates a monitor of an initial value.
    public init(_ value: Value) {
        guarded = Mutex(Guarded(value: value))
        scope = TestScope.current
    }

    /// The current value. Observable, from any task.
    public var value: Value {
        registrar.access(self, keyPath: \.value)
        let (value, version) = guarded.withLock { ($0.value, $0.version) }
        MonitorReads.current?.add { [self] in guarded.withLock { $0.version == version } }
        return value
    }

    /// Changes the value, and resumes the tasks whose condition it meets.
    ///
    /// - Parameter change: Runs under the lock; it must not use this monitor.
    public func withLock<Result: Sendable>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        let (result, satisfied) = try guarded.withLock { guarded -> (Result, [Waiter]) in
            guarded.version += 1
            let result = try change(&guarded.value)
            let satisfied = guarded.waiters.filter { $0.condition(guarded.value) }
            if !satisfied.isEmpty {
                let ids = Set(satisfied.map(\.id))
                guarded.waiters.removeAll { ids.contains($0.id) }
            }
            return (result, satisfied)
        }
        for waiter in satisfied { waiter.continuation.resume() }
        // Notifies observers after the change, so that those on other threads read the new value.
        registrar.withMutation(of: self, keyPath: \.value) {}
        return result
    }

    /// Waits until the value meets a condition, or until the calling task is canceled.
    ///
    /// With the trait `.verifiesMocks`, the wait is an issue of a test that is canceled meanwhile.
    ///
    /// - Parameters:
    ///   - fileID: The file that the issue names.
    ///   - line: The line that the issue names.
    ///   - condition: Runs under the lock; it must not use this monitor.
    public func wait(
        fileID: String = #fileID,
        line: Int = #line,
        until condition: @escaping @Sendable (Value) -> Bool
    ) async {
        await wait(reminding: { _ in "the condition at \(fileID):\(line) wasn't met." }, until: condition)
    }

    /// Waits as ``wait(fileID:line:until:)`` does, with another sentence about the wait.
    func wait(
        reminding reminder: @escaping @Sendable (Value) -> String,
        until condition: @escaping @Sendable (Value) -> Bool
    ) async {
        let end = TestScope.current?.remind { [self] in
            let value = value
            return condition(value) ? nil : reminder(value)
        }
        await suspend(until: condition)
        end?()
    }

    /// Waits as ``wait(fileID:line:until:)`` does, for a wait that is named otherwise, or never.
    ///
    /// When the test is canceled, so is the waiting task, which the test may have started without
    /// canceling it.
    func suspend(until condition: @escaping @Sendable (Value) -> Bool) async {
        let id = guarded.withLock { guarded in
            guarded.lastID += 1
            return guarded.lastID
        }
        let end: @Sendable () -> Void = { [self] in
            let waiter = guarded.withLock { guarded in
                guarded.waiters.firstIndex { $0.id == id }.map { guarded.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
        let scope = TestScope.current ?? scope
        let wait = scope?.beginWait(end) ?? 0
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = guarded.withLock { guarded in
                    // Checked under the lock: an earlier cancellation is detected here, and a later
                    // one finds the waiter.
                    let isCanceled = Task.isCancelled || scope?.hasCanceled(wait) == true
                    guard !isCanceled, !condition(guarded.value) else { return true }
                    guarded.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            end()
        }
        scope?.endWait(wait)
        if scope?.hasCanceled(wait) == true { withUnsafeCurrentTask { $0?.cancel() } }
    }
}
