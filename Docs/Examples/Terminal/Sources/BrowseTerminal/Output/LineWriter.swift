import Synchronization

/// Writes lines that come from any task, each as a whole.
final class LineWriter: Sendable {
    private let sink: Mutex<Sink>

    init(_ sink: Sink) {
        self.sink = Mutex(sink)
    }

    /// Writes a line; that it cannot be written is no reason to end.
    func print(_ line: Line) {
        sink.withLock { try? $0.print([line]) }
    }
}
