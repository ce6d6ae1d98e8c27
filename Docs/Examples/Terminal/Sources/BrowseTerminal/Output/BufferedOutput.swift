import Synchronization

/// Holds what is written to two streams until it is known whether it is wanted.
final class HeldOutput: Sendable {
    private let output: Sink
    private let errors: Sink
    private let texts = Mutex<[(sink: Sink, text: String)]>([])

    init(output: Sink, errors: Sink) {
        self.output = output
        self.errors = errors
    }

    /// In place of the output.
    var heldOutput: Sink { held(output) }
    /// In place of the error output.
    var heldErrors: Sink { held(errors) }

    /// Writes everything, in the order in which it came.
    func release() throws(Sink.Failure) {
        let texts = texts.withLock { texts in
            defer { texts = [] }
            return texts
        }
        for (sink, text) in texts { try sink.write(text) }
    }

    private func held(_ sink: Sink) -> Sink {
        var held = sink
        held.write = { [self] text throws(Sink.Failure) in texts.withLock { $0.append((sink, text)) } }
        return held
    }
}
