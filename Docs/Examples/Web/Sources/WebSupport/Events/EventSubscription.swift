import Synchronization

/// One reader of an ``EventLog``.
public final class EventSubscription: Sendable {
    /// The next thing to write to a stream.
    enum Step: Hashable {
        /// Events, as encoded text.
        case text(String)
        /// Nothing happened during the interval.
        case heartbeat
        /// The visitor opened other streams.
        case replaced
        /// There are no further events, or some are missing, because the reader was slow for too long.
        case end
    }

    private let log: EventLog
    private let key: Int

    init(log: EventLog, key: Int) {
        self.log = log
        self.key = key
    }

    deinit {
        close()
    }

    /// Stops reading, and frees what the log stores for the reader.
    func close() {
        log.guarded.withLock { $0.readers.removeValue(forKey: key) }?.continuation?.resume()
    }

    /// Ends the stream. Browsers reconnect.
    public func end() {
        resume { $0.ending = .end }
    }

    /// Ends the stream because its visitor opened others.
    func replace() {
        resume { $0.ending = .replaced }
    }

    /// Requests a heartbeat.
    ///
    /// - Returns: `false` if the reader hasn't even read the previous one: it is stuck.
    func beat() -> Bool {
        var isStuck = false
        resume { reader in
            isStuck = reader.isBeatDue
            reader.isBeatDue = true
        }
        return !isStuck
    }

    /// Waits for the next step. Call it from one task at a time.
    ///
    /// - Returns: `.end` also when the task is canceled.
    func next() async -> Step {
        while true {
            if let step = log.guarded.withLock({ step(&$0) }) { return step }
            await wait()
        }
    }

    private func step(_ guarded: inout EventLog.Guarded) -> Step? {
        guard var reader = guarded.readers[key], !Task.isCancelled else { return .end }
        if let ending = reader.ending { return ending }
        if let first = reader.first.take() {
            guarded.readers[key] = reader
            return .text(first)
        }
        let missing = guarded.lastID - reader.position
        if missing == 0, guarded.isFinished { return .end }
        guard missing != 0 || reader.isBeatDue else { return nil }
        // A position after the last event is from another log, such as that of an earlier process.
        guard 0...guarded.texts.count ~= missing else { return .end }
        reader.position = guarded.lastID
        reader.isBeatDue = false
        guarded.readers[key] = reader
        return missing == 0 ? .heartbeat : .text(guarded.texts.suffix(missing).joined())
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let goesOn = log.guarded.withLock { guarded in
                    // Checked under the lock, so neither a change nor a cancellation is missed.
                    guard !isReady(guarded), !Task.isCancelled else { return true }
                    guarded.readers[key]?.continuation = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            resume { _ in }
        }
    }

    private func isReady(_ guarded: EventLog.Guarded) -> Bool {
        guard let reader = guarded.readers[key] else { return true }
        return reader.ending != nil || reader.first != nil || reader.isBeatDue || guarded.isFinished
            || reader.position != guarded.lastID
    }

    private func resume(_ change: (inout EventLog.Reader) -> Void) {
        let continuation = log.guarded.withLock { guarded -> CheckedContinuation<Void, Never>? in
            guard var reader = guarded.readers[key] else { return nil }
            change(&reader)
            defer { guarded.readers[key] = reader }
            return reader.continuation.take()
        }
        continuation?.resume()
    }
}
