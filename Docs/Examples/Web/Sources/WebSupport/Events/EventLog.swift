import Synchronization

/// The latest events of one page, for all streams that show it.
///
/// A stream reads from a position, so a browser that reconnects continues where it was. The log is bounded: the stream of a
/// reader that falls behind the oldest event ends, and starts again with the current content. Readers have no
/// buffers of their own, so a slow one costs nothing.
public final class EventLog: Sendable {
    struct Reader {
        /// The id of the last event that was read.
        var position: Int
        var isBeatDue = false
        /// The text before the events.
        var first: String?
        /// The last step, once the stream was told to end.
        var ending: EventSubscription.Step?
        var continuation: CheckedContinuation<Void, Never>?
    }

    struct Guarded {
        /// The texts of the latest events. Their ids are consecutive and end with the last one.
        var texts: [String] = []
        var byteCount = 0
        var lastID = 0
        var isFinished = false
        var readers: [Int: Reader] = [:]
        var lastReader = 0

        /// Returns the tasks to resume, each once.
        mutating func takeContinuations() -> [CheckedContinuation<Void, Never>] {
            readers.keys.compactMap { key in
                defer { readers[key]?.continuation = nil }
                return readers[key]?.continuation
            }
        }
    }

    private let name: String
    private let limit: Int
    private let byteLimit: Int
    let guarded = Mutex(Guarded())

    /// Creates an empty log.
    ///
    /// - Parameters:
    ///   - name: Distinguishes the ids of its events from those of other logs, also in other processes.
    ///   - limit: The maximum number of events.
    ///   - byteLimit: The maximum size of their text, in bytes. The newest event stays even if it exceeds the limit.
    public init(name: String = RandomID.make(), limit: Int = 256, byteLimit: Int = 128 * 1024) {
        self.name = name
        self.limit = max(1, limit)
        self.byteLimit = byteLimit
    }

    /// The number of the last event; 0 without one. A page that is rendered now contains everything up to it.
    public var lastID: Int { guarded.withLock { $0.lastID } }

    /// Returns the id of an event, which identifies the log, too.
    public func id(of number: Int) -> String { "\(name).\(number)" }

    /// Returns the number of an id; `nil` if it's from another log, or an event after it is gone.
    public func number(of id: String) -> Int? {
        guard id.hasPrefix(name + "."), let number = Int(id.dropFirst(name.count + 1)) else { return nil }
        return guarded.withLock { ($0.lastID - $0.texts.count...$0.lastID).contains(number) } ? number : nil
    }

    /// The number of streams that read the log.
    public var readerCount: Int { guarded.withLock { $0.readers.count } }

    /// Adds an event, and wakes the readers. After ``finish()``, it has no effect.
    public func append(name: String, data: String) {
        let waiting = guarded.withLock { guarded in
            guard !guarded.isFinished else { return [CheckedContinuation<Void, Never>]() }
            guarded.lastID += 1
            let text = ServerSentEvent(id: id(of: guarded.lastID), name: name, data: data).encoded
            guarded.texts.append(text)
            guarded.byteCount += text.utf8.count
            while guarded.texts.count > limit || (guarded.byteCount > byteLimit && guarded.texts.count > 1) {
                guarded.byteCount -= guarded.texts.removeFirst().utf8.count
            }
            return guarded.takeContinuations()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Ends all streams once they have read the events before, for a page that is released.
    public func finish() {
        let waiting = guarded.withLock { guarded in
            guarded.isFinished = true
            return guarded.takeContinuations()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Starts to read after an event.
    ///
    /// - Parameters:
    ///   - number: The number of the last event that the reader has; `nil` starts with the next event.
    ///   - first: A text for this reader only, before the events.
    public func subscribe(after number: Int? = nil, first: String? = nil) -> EventSubscription {
        let key = guarded.withLock { guarded in
            guarded.lastReader += 1
            guarded.readers[guarded.lastReader] = Reader(position: max(-1, number ?? guarded.lastID), first: first)
            return guarded.lastReader
        }
        return EventSubscription(log: self, key: key)
    }
}
