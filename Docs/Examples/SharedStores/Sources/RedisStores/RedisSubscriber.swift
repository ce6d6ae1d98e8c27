import CHiredis
import Foundation
import Synchronization

/// Receives notifications of changes on a thread, and connects again when the connection ends.
///
/// All changes have one channel. A message is the topic, and for some, a line break and the sender.
final class RedisSubscriber: Sendable {
    private struct Listener {
        let sender: String?
        let change: AsyncStream<Void>.Continuation
    }

    private struct State {
        var listeners: [String: [Int: Listener]] = [:]
        var count = 0
        var isConnected = false
    }

    let channel: String
    private let address: RedisAddress
    private let timeout: Duration
    private let state = Mutex(State())

    init(_ address: RedisAddress, channel: String, timeout: Duration) {
        self.address = address
        self.channel = channel
        self.timeout = timeout
    }

    /// Returns the changes of a topic, except by a sender.
    ///
    /// Several that arrive before one is handled are one. Without a sender, the stream also has an element whenever notifications start, because changes may have been missed.
    func changes(of topic: String, except sender: String? = nil) -> AsyncStream<Void> {
        let (stream, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.count += 1
            state.listeners[topic, default: [:]][state.count] = Listener(sender: sender, change: change)
            if state.isConnected, sender == nil { change.yield() }
            return state.count
        }
        change.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                state.listeners[topic]?[number] = nil
                if state.listeners[topic]?.isEmpty == true { state.listeners[topic] = nil }
            }
        }
        if number == 1 { start() }
        return stream
    }

    /// Reports a change of a topic in this process only, except to its sender.
    func report(_ topic: String, from sender: String? = nil) {
        let listeners = state.withLock { Array($0.listeners[topic, default: [:]].values) }
        for listener in listeners where sender == nil || listener.sender != sender { listener.change.yield() }
    }

    /// Receives notifications, until the server or the connection ends without a subscriber.
    private func start() {
        DispatchQueue(label: "RedisSubscriber").async { [weak self, address, channel, timeout] in
            while self != nil {
                if let context = RedisConnection.connect(to: address, timeout: timeout) {
                    let reply = RedisConnection.reply(to: ["SUBSCRIBE", channel], on: context)
                    // Notifications come at any time. Without them, the system tests the connection.
                    if reply?.elements.isEmpty == false, redisSetTimeout(context, timeval()) == REDIS_OK {
                        redisEnableKeepAlive(context)
                        self?.setConnected(true)
                        while let reply = RedisConnection.notification(on: context), let self { self.deliver(reply) }
                        self?.setConnected(false)
                    }
                    redisFree(context)
                }
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    }

    private func setConnected(_ isConnected: Bool) {
        let listeners = state.withLock { state in
            state.isConnected = isConnected
            return isConnected ? state.listeners.values.flatMap(\.values) : []
        }
        // Without the lock: canceling a listener's task waits for it, and holds a lock of the task, which an element acquires.
        for listener in listeners where listener.sender == nil { listener.change.yield() }
    }

    private func deliver(_ reply: RedisReply) {
        let words = reply.elements.last?.text?.split(separator: "\n").map(String.init) ?? []
        if let topic = words.first { report(topic, from: words.dropFirst().first) }
    }
}
