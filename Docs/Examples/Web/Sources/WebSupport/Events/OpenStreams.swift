import Synchronization

/// Counts the open event streams, and limits those of a visitor.
///
/// Browsers open six HTTP/1.1 connections per server. If pages in six windows held a stream each, no other request would get
/// through, so a further stream ends the visitor's oldest one. That page opens a new one after a few seconds, so
/// many windows take turns.
public final class OpenStreams: Sendable {
    /// The current and past numbers of streams.
    public struct Counts: Hashable, Sendable {
        /// The streams that are open.
        public var open = 0
        /// The streams that were opened so far.
        public var opened = 0
        /// The streams that ended because their visitor opened further ones.
        public var replaced = 0
        /// The streams that ended because their readers were too slow.
        public var dropped = 0
        /// The streams that weren't opened because there were too many.
        public var refused = 0
    }

    private struct Guarded {
        var counts = Counts()
        /// The streams of each visitor, oldest first.
        var streams: [VisitorID: [EventSubscription]] = [:]
    }

    private let limit: Int
    private let limitPerVisitor: Int
    private let guarded = Mutex(Guarded())

    /// Creates an empty registry.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of streams of the server; each holds a descriptor.
    ///   - limitPerVisitor: The maximum number of streams of a visitor; less than the six connections of a browser.
    public init(limit: Int = 5000, limitPerVisitor: Int = 4) {
        self.limit = limit
        self.limitPerVisitor = limitPerVisitor
    }

    /// The numbers of streams.
    public var counts: Counts { guarded.withLock { $0.counts } }

    /// Whether another stream can be opened. If not, the refusal is counted.
    func hasRoom() -> Bool {
        guarded.withLock { guarded in
            guard guarded.counts.open >= limit else { return true }
            guarded.counts.refused += 1
            return false
        }
    }

    /// Adds a stream. Each one that was added must be removed.
    ///
    /// - Returns: `false` if the server has too many.
    func add(_ stream: EventSubscription, of visitor: VisitorID) -> Bool {
        let (isAdded, replaced) = guarded.withLock { guarded -> (Bool, EventSubscription?) in
            guard guarded.counts.open < limit else { return (false, nil) }
            var streams = guarded.streams[visitor, default: []]
            let replaced = streams.count >= limitPerVisitor ? streams.removeFirst() : nil
            streams.append(stream)
            guarded.streams[visitor] = streams
            guarded.counts.open += 1
            guarded.counts.opened += 1
            if replaced != nil { guarded.counts.replaced += 1 }
            return (true, replaced)
        }
        replaced?.replace()
        return isAdded
    }

    /// Removes a stream that has ended.
    func remove(_ stream: EventSubscription, of visitor: VisitorID, wasSlow: Bool = false) {
        guarded.withLock { guarded in
            guarded.counts.open -= 1
            if wasSlow { guarded.counts.dropped += 1 }
            guarded.streams[visitor]?.removeAll { $0 === stream }
            if guarded.streams[visitor]?.isEmpty == true { guarded.streams[visitor] = nil }
        }
    }
}
