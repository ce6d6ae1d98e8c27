/// A line that is written over in place while something takes its time; nothing where nobody looks.
@MainActor
package final class Progress {
    private let sink: Sink
    private let isShown: Bool
    private var isOnScreen = false

    /// - Parameter canErase: Whether the terminal knows the sequence that erases a line.
    package init(_ sink: Sink, canErase: Bool) {
        self.sink = sink
        isShown = sink.isTerminal && canErase
    }

    /// Shows a text in place of the one before.
    package func show(_ text: String) {
        guard isShown else { return }
        // One column is left free: a full line would move on to the next.
        let text = text.harmless.cut(to: sink.columns() - 1)
        // Whoever cannot see the progress misses nothing else.
        try? sink.write("\r\(text)\u{1B}[K")
        isOnScreen = true
    }

    /// Takes the line off the screen.
    package func clear() {
        guard isOnScreen else { return }
        try? sink.write("\r\u{1B}[K")
        isOnScreen = false
    }
}
