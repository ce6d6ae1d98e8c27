import Synchronization

/// Buffers the text for two streams until the result is known.
final class BufferedOutput: Sendable {
    private let output: Sink
    private let errors: Sink
    private let texts = Mutex<[(sink: Sink, text: String)]>([])

    init(output: Sink, errors: Sink) {
        self.output = output
        self.errors = errors
    }

    /// Replaces the output.
    var bufferedOutput: Sink { buffered(output) }
    /// Replaces the error output.
    var bufferedErrors: Sink { buffered(errors) }

    /// Writes the buffered text in its original order.
    func release() throws(Sink.Failure) {
        let texts = texts.withLock { texts in
            defer { texts = [] }
            return texts
        }
        for (sink, text) in texts { try sink.write(text) }
    }

    private func buffered(_ sink: Sink) -> Sink {
        var buffered = sink
        buffered.write = { [self] text throws(Sink.Failure) in texts.withLock { $0.append((sink, text)) } }
        return buffered
    }
}
