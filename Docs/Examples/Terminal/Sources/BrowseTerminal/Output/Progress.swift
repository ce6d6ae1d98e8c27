/// A progress line that is updated in place, on terminals only.
@MainActor
package final class Progress {
    private let sink: Sink
    private let isShown: Bool
    private var isOnScreen = false

    /// - Parameter canErase: Whether the terminal supports erasing a line.
    package init(_ sink: Sink, canErase: Bool) {
        self.sink = sink
        isShown = sink.isTerminal && canErase
    }

    /// Replaces the text.
    package func show(_ text: String) {
        guard isShown else { return }
        // A full line would wrap.
        let text = text.sanitized.cut(to: sink.columns() - 1)
        try? sink.write("\r\(text)\u{1B}[K")
        isOnScreen = true
    }

    /// Erases the line.
    package func clear() {
        guard isOnScreen else { return }
        try? sink.write("\r\u{1B}[K")
        isOnScreen = false
    }
}
