import Synchronization

/// Hands values to any number of listeners: all of them hear each, in one order.
///
/// A value can be kept, so that whoever begins to listen later hears it first.
package final class Broadcast<Value: Sendable>: Sendable {
    private struct Listeners {
        var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
        var count = 0
        var replayed: Value?
        var isFinished = false
    }

    private let listeners: Mutex<Listeners>

    /// Nobody listens yet.
    ///
    /// - Parameter value: What listeners hear first, until another value is kept.
    package init(replaying value: Value? = nil) {
        listeners = Mutex(Listeners(replayed: value))
    }

    deinit {
        finish()
    }

    /// Ends all streams; later ones end after the latest value.
    package func finish() {
        let ending = listeners.withLock { listeners in
            listeners.isFinished = true
            defer { listeners.continuations = [:] }
            return listeners.continuations
        }
        // Outside of the lock: a listener that ends calls back into it.
        for listener in ending.values { listener.finish() }
    }

    /// Whether anybody listens.
    package var hasListeners: Bool { listeners.withLock { !$0.continuations.isEmpty } }

    /// What is kept.
    package var replayed: Value? { listeners.withLock { $0.replayed } }

    /// The values from now on; it ends when the broadcast goes away.
    ///
    /// - Parameters:
    ///   - policy: What happens to values while the listener is busy.
    ///   - first: What the listener hears first; unless given, what is kept.
    package func stream(
        _ policy: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
        startingWith first: Value? = nil
    ) -> AsyncStream<Value> {
        let (stream, listener) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
        let number = listeners.withLock { listeners -> Int? in
            if let first = first ?? listeners.replayed { listener.yield(first) }
            listeners.count += 1
            if !listeners.isFinished { listeners.continuations[listeners.count] = listener }
            return listeners.isFinished ? nil : listeners.count
        }
        guard let number else {
            listener.finish()
            return stream
        }
        listener.onTermination = { [weak self] _ in
            _ = self?.listeners.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    /// Tells every listener.
    ///
    /// - Parameters:
    ///   - value: What they hear.
    ///   - isReplayed: Whether those who come later hear it first.
    package func send(_ value: Value, isReplayed: Bool = false) {
        // Under the lock, so that all hear in one order.
        listeners.withLock { listeners in
            if isReplayed { listeners.replayed = value }
            for listener in listeners.continuations.values { listener.yield(value) }
        }
    }
}
