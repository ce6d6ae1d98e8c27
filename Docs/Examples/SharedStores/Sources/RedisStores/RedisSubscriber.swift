import CHiredis
import Foundation
import Synchronization

/// A thread that receives notifications of changes, and connects again when the connection ends.
///
/// All changes have one channel; a message is the changed key, and after a line break, its payload.
final class RedisSubscriber: Sendable {
    /// A notification.
    enum Event: Hashable, Sendable {
        /// Notifications are received from now on; earlier changes may have been missed.
        case connected
        /// The value of the key has changed.
        case changed(Data)
    }

    typealias Handler = @Sendable (Event) -> Void

    private struct State {
        var handlers: [String: [Int: Handler]] = [:]
        var lastNumber = 0
        var isConnected = false
        var isRunning = false
        var isStopped = false
    }

    /// The state that the thread shares, which doesn't retain the subscriber.
    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    let channel: String
    private let address: RedisAddress
    private let timeout: Duration
    private let shared = Shared()

    init(_ address: RedisAddress, channel: String, timeout: Duration) {
        self.address = address
        self.channel = channel
        self.timeout = timeout
    }

    deinit { shared.state.withLock { $0.isStopped = true } }

    /// Calls a handler for each event of a key, on the subscriber's thread or, for the first, on this one.
    ///
    /// - Returns: Ends the subscription.
    func subscribe(to key: String, _ handler: @escaping Handler) -> @Sendable () -> Void {
        let (number, isConnected, mustStart) = shared.state.withLock { state in
            state.lastNumber += 1
            state.handlers[key, default: [:]][state.lastNumber] = handler
            defer { state.isRunning = true }
            return (state.lastNumber, state.isConnected, !state.isRunning)
        }
        if mustStart { start() }
        if isConnected { handler(.connected) }
        return { [shared] in
            shared.state.withLock { state in
                state.handlers[key]?[number] = nil
                if state.handlers[key]?.isEmpty == true { state.handlers[key] = nil }
            }
        }
    }

    private func start() {
        Thread.detachNewThread { [shared, address, channel, timeout] in
            blockSignals()
            while !shared.state.withLock({ $0.isStopped }) {
                if let context = RedisSession.connect(to: address, timeout: timeout) {
                    Self.receive(context, channel, timeout, shared)
                    shared.state.withLock { $0.isConnected = false }
                    redisFree(context)
                }
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    }

    /// Receives notifications until the connection ends.
    private static func receive(
        _ context: UnsafeMutablePointer<redisContext>,
        _ channel: String,
        _ timeout: Duration,
        _ shared: Shared
    ) {
        guard write(["SUBSCRIBE", channel], to: context) else { return }
        var lastReply = ContinuousClock.now
        var hasPing = false
        while !shared.state.withLock({ $0.isStopped }) {
            // Polled, because a read that times out would end the connection.
            var descriptor = pollfd(fd: context.pointee.fd, events: Int16(POLLIN), revents: 0)
            if poll(&descriptor, 1, 200) > 0 {
                guard redisBufferRead(context) == REDIS_OK else { return }
                (lastReply, hasPing) = (.now, false)
            } else if lastReply.duration(to: .now) > .seconds(5) + timeout {
                // The server is gone without closing the connection.
                return
            } else if lastReply.duration(to: .now) > .seconds(5), !hasPing {
                hasPing = true
                guard write(["PING"], to: context) else { return }
            }
            while true {
                var raw: UnsafeMutableRawPointer?
                guard redisGetReplyFromReader(context, &raw) == REDIS_OK else { return }
                guard let raw else { break }
                let reply = RedisReply(raw.assumingMemoryBound(to: redisReply.self).pointee)
                freeReplyObject(raw)
                deliver(reply, shared)
            }
        }
    }

    private static func write(_ command: [String], to context: UnsafeMutablePointer<redisContext>) -> Bool {
        let isAppended = RedisSession.withArguments(command.map { Data($0.utf8) }) { count, pointers, lengths in
            redisAppendCommandArgv(context, count, pointers, lengths) == REDIS_OK
        }
        guard isAppended else { return false }
        var isDone: Int32 = 0
        while isDone == 0 {
            guard redisBufferWrite(context, &isDone) == REDIS_OK else { return false }
        }
        return true
    }

    private static func deliver(_ reply: RedisReply, _ shared: Shared) {
        guard let parts = reply.array, let kind = parts.first?.text else { return }
        switch kind {
        case "subscribe":
            let handlers = shared.state.withLock { state in
                state.isConnected = true
                return state.handlers.values.flatMap { Array($0.values) }
            }
            for handler in handlers { handler(.connected) }
        case "message":
            guard parts.count == 3, let message = parts[2].data else { return }
            let end = message.firstIndex(of: UInt8(ascii: "\n")) ?? message.endIndex
            let key = String(decoding: message[..<end], as: UTF8.self)
            let payload = Data(message[end...].dropFirst())
            let handlers = shared.state.withLock { Array(($0.handlers[key] ?? [:]).values) }
            for handler in handlers { handler(.changed(payload)) }
        default: break
        }
    }
}

/// Blocks all signals in the current thread, as Dispatch does in its own.
///
/// A write to a closed connection would raise SIGPIPE, which ends the process.
private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
}
