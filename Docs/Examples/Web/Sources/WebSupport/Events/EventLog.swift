import Synchronization

/// The latest events of one page, for all streams that show it.
///
/// A stream reads from a position, so a browser that reconnects continues where it was. The log is bounded: a reader that falls
/// behind the oldest event gets ``EventSubscription/Step/gap``, and has to load the page again. Readers have no buffers of their
/// own, so a slow one costs nothing.
public final class EventLog: Sendable {
    struct Reader {
        /// The id of the last event that was read.
        var position: Int
        var isBeatDue = false
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

    private let limit: Int
    private let byteLimit: Int
    let guarded = Mutex(Guarded())

    /// Creates an empty log.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of events.
    ///   - byteLimit: The maximum size of their text, in bytes. The newest event stays even if it exceeds the limit.
    public init(limit: Int = 256, byteLimit: Int = 128 * 1024) {
        self.limit = max(1, limit)
        self.byteLimit = byteLimit
    }

    /// The id of the last event; 0 without one. A page that is rendered now contains everything up to it.
    public var lastID: Int { guarded.withLock { $0.lastID } }

    /// The number of streams that read the log.
    public var readerCount: Int { guarded.withLock { $0.readers.count } }

    /// Adds an event, and wakes the readers. After ``finish()``, it has no effect.
    public func append(name: String, data: String) {
        let waiting = guarded.withLock { guarded in
            guard !guarded.isFinished else { return [CheckedContinuation<Void, Never>]() }
            guarded.lastID += 1
            let text = ServerSentEvent(id: guarded.lastID, name: name, data: data).encoded
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
    /// - Parameter id: The id of the last event that the reader has; `nil` starts with the next event. It may be any number,
    ///   since browsers send it.
    public func subscribe(after id: Int? = nil) -> EventSubscription {
        let key = guarded.withLock { guarded in
            guarded.lastReader += 1
            guarded.readers[guarded.lastReader] = Reader(position: max(-1, id ?? guarded.lastID))
            return guarded.lastReader
        }
        return EventSubscription(log: self, key: key)
    }
}
