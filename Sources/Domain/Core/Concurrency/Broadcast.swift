import Synchronization

/// Sends values to any number of streams, all in the same order.
///
/// A broadcast can replay a value: later streams start with it.
public final class Broadcast<Value: Sendable>: Sendable {
    private struct Listeners {
        var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
        var count = 0
        var replayed: Value?
        var isFinished = false
    }

    private let listeners: Mutex<Listeners>

    /// Creates a broadcast without streams.
    ///
    /// - Parameter value: The value that streams start with, until another value is replayed.
    public init(replaying value: Value? = nil) {
        listeners = Mutex(Listeners(replayed: value))
    }

    deinit { finish() }

    /// Ends all streams, as deallocation does; later ones end after the replayed value.
    public func finish() {
        let ending = listeners.withLock { listeners in
            listeners.isFinished = true
            defer { listeners.continuations = [:] }
            return listeners.continuations
        }
        // Outside the lock: `onTermination` acquires it.
        for listener in ending.values { listener.finish() }
    }

    /// Whether any stream is active.
    package var hasListeners: Bool { listeners.withLock { !$0.continuations.isEmpty } }

    /// The value that later streams start with.
    package var replayed: Value? { listeners.withLock { $0.replayed } }

    /// Returns a stream of the replayed value and later ones, which ends with the broadcast.
    ///
    /// - Parameter policy: The buffering policy while the consumer is busy.
    public func stream(_ policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded) -> AsyncStream<Value> {
        let (stream, listener) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
        let number = listeners.withLock { listeners -> Int? in
            if let replayed = listeners.replayed { listener.yield(replayed) }
            listeners.count += 1
            if !listeners.isFinished { listeners.continuations[listeners.count] = listener }
            return listeners.isFinished ? nil : listeners.count
        }
        guard let number else {
            listener.finish()
            return stream
        }
        listener.onTermination = { [weak self] _ in
            guard let self else { return }
            // Never waits for the lock: cancellation holds a lock of the listener's task, which
            // sending a value acquires.
            let isRemoved = listeners.withLockIfAvailable { listeners in
                listeners.continuations[number] = nil
                return true
            }
            if isRemoved != true { Task { self.listeners.withLock { $0.continuations[number] = nil } } }
        }
        return stream
    }

    /// Lets later streams start without a value.
    package func endReplay() { listeners.withLock { $0.replayed = nil } }

    /// Sends a value to all streams.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - isReplayed: Whether later streams start with this value.
    public func send(_ value: Value, isReplayed: Bool = false) {
        // Under the lock, so that all streams have the same order.
        listeners.withLock { listeners in
            if isReplayed { listeners.replayed = value }
            for listener in listeners.continuations.values { listener.yield(value) }
        }
    }
}
