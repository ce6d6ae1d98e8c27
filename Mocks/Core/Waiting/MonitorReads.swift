import Synchronization

/// The monitors that a condition has read.
///
/// An observer is registered only after the condition was evaluated. Changes from another thread in
/// between aren't reported to it, but change the version of the monitor.
final class MonitorReads: Sendable {
    /// The reads that ``Monitor/value`` adds to.
    @TaskLocal static var current: MonitorReads?

    private let checks = Mutex<[@Sendable () -> Bool]>([])

    /// Adds a read; `isCurrent` returns whether the monitor is unchanged.
    func add(_ isCurrent: @escaping @Sendable () -> Bool) {
        checks.withLock { $0.append(isCurrent) }
    }

    /// Whether no monitor has changed after it was read.
    var areCurrent: Bool {
        checks.withLock { $0 }.allSatisfy { $0() }
    }
}
