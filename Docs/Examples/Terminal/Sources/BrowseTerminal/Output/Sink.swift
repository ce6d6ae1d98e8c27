import Foundation

/// Where output goes: one of the process's streams, or a test's memory.
package struct Sink: Sendable {
    /// Why nothing more can be written.
    package enum Failure: Error, Hashable, Sendable {
        /// The reader went away.
        case closed
        /// The system's number for what went wrong, such as a full disk.
        case system(Int32)
    }

    /// Whether a person looks at it.
    package var isTerminal: Bool
    /// Whether it takes colors.
    package var hasColor: Bool
    /// How many columns a line may have; asked each time, since windows change.
    package var columns: @Sendable () -> Int
    /// Writes a text as it is.
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

    /// Writes lines, each with its end.
    package func print(_ lines: some Sequence<Line>) throws(Failure) {
        var text = ""
        for line in lines {
            text += line.rendered(inColor: hasColor)
            text += "\n"
            // A list may have a million rows.
            if text.utf8.count > 1 << 16 {
                try write(text)
                text = ""
            }
        }
        if !text.isEmpty { try write(text) }
    }
}

extension Sink {
    /// A stream of the process.
    package static func descriptor(_ descriptor: Int32) -> Sink {
        let isTerminal = isatty(descriptor) == 1
        return Sink(isTerminal: isTerminal, columns: { windowColumns(descriptor) }) { text throws(Failure) in
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

    /// The width of the window; that of `COLUMNS` or 80 when there is none.
    private static func windowColumns(_ descriptor: Int32) -> Int {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        let told = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        return told.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }

    /// Whoever made the stream may have made it non-blocking, for the tool too.
    private static func waitUntilWritable(_ descriptor: Int32) {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = Foundation.poll(&poll, 1, -1)
    }
}
