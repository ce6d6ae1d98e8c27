import Synchronization

/// Writes whole lines from any task.
final class LineWriter: Sendable {
    private let sink: Mutex<Sink>

    init(_ sink: Sink) {
        self.sink = Mutex(sink)
    }

    /// Writes a line, ignoring failures.
    func print(_ line: Line) {
        sink.withLock { try? $0.print([line]) }
    }
}
