import Foundation

/// A destination of output: a stream of the process, or a test's memory.
package struct Sink: Sendable {
    /// An error of writing.
    package enum Failure: Error, Hashable, Sendable {
        /// The reader closed the stream.
        case closed
        /// The system's error code.
        case system(Int32)
    }

    /// Whether to write for a person instead of a program.
    package var isTerminal: Bool
    /// Whether to write colors.
    package var hasColor: Bool
    /// Returns the current width in columns.
    package var columns: @Sendable () -> Int
    /// Writes text unchanged.
    package var write: @Sendable (String) throws(Failure) -> Void

    package init(
        isTerminal: Bool,
        hasColor: Bool = false,
        columns: @escaping @Sendable () -> Int = { 80 },
        write: @escaping @Sendable (String) throws(Failure) -> Void
    ) {
        self.isTerminal = isTerminal
        self.hasColor = hasColor
        self.columns = columns
        self.write = write
    }

    /// Writes lines with line breaks.
    package func print(_ lines: some Sequence<Line>) throws(Failure) {
        var text = ""
        for line in lines {
            text += line.rendered(inColor: hasColor)
            text += "\n"
            // Bounds the memory of long lists.
            if text.utf8.count > 1 << 16 {
                try write(text)
                text = ""
            }
        }
        if !text.isEmpty { try write(text) }
    }
}

extension Sink {
    /// Returns a stream of the process.
    package static func descriptor(_ descriptor: Int32) -> Sink {
        let isTerminal = isatty(descriptor) == 1
        // A table in a file or a pipe isn't cut.
        let width = isTerminal ? 80 : .max
        return Sink(isTerminal: isTerminal, columns: { windowColumns(descriptor) ?? width }) { text throws(Failure) in
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                    continue
                }
                switch errno {
                case EINTR: continue
                case EAGAIN: waitUntilWritable(descriptor)
                case EPIPE: throw .closed
                case let code: throw .system(code)
                }
            }
        }
    }

    /// Returns the width of the window; without a window that of `COLUMNS`; `nil` without both.
    private static func windowColumns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        let variable = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        return variable.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Waits until a stream accepts data again, since another process may have made it non-blocking.
    private static func waitUntilWritable(_ descriptor: Int32) {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = Foundation.poll(&poll, 1, -1)
    }
}
