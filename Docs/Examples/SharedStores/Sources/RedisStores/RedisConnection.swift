import BrowseKit
import CHiredis
import Foundation

/// A connection that connects again when it is needed; confined to one queue.
///
/// hiredis blocks, and ends waits by the socket's timeouts. After a failure, commands fail immediately for half a second, so that a
/// server that doesn't respond delays a page once.
final class RedisConnection {
    private static let pause = Duration.milliseconds(500)

    private let address: RedisAddress
    private let timeout: Duration
    private var context: UnsafeMutablePointer<redisContext>?
    private var failedAt: ContinuousClock.Instant?

    init(_ address: RedisAddress, timeout: Duration) {
        self.address = address
        self.timeout = timeout
    }

    deinit { close() }

    /// Sends a command, and waits for its reply.
    ///
    /// A command that finds its connection closed is repeated on a new one, so all commands must be repeatable.
    func send(_ words: [any RedisWord]) throws(BrowseError) -> RedisReply {
        let isReused = context != nil
        var reply = exchange(words)
        if reply == nil, isReused, failedAt == nil { reply = exchange(words) }
        guard let reply else { throw .redis(.unavailable) }
        if case .error(let text) = reply {
            // After a failover, the address leads to another server, but this connection stays with the former one.
            if RedisReply.code(of: text) == "READONLY" { close() }
            throw .redis(reply: text)
        }
        return reply
    }

    private func exchange(_ words: [any RedisWord]) -> RedisReply? {
        guard let context = connected() else { return nil }
        if let reply = Self.reply(to: words, on: context) { return reply }
        // A timeout says that the server is slow; an end of the connection only that it was restarted.
        if context.pointee.err == REDIS_ERR_IO, errno == EAGAIN || errno == EWOULDBLOCK { failedAt = .now }
        close()
        return nil
    }

    private func connected() -> UnsafeMutablePointer<redisContext>? {
        if let context { return context }
        if let failedAt, failedAt.duration(to: .now) < Self.pause { return nil }
        context = Self.connect(to: address, timeout: timeout)
        failedAt = context == nil ? .now : nil
        return context
    }

    private func close() {
        if let context { redisFree(context) }
        context = nil
    }

    /// Connects, with the timeout for each exchange; `nil` if that fails.
    static func connect(to address: RedisAddress, timeout: Duration) -> UnsafeMutablePointer<redisContext>? {
        // A write to a closed connection fails, and doesn't end the process.
        _ = signal(SIGPIPE, SIG_IGN)
        let (seconds, attoseconds) = timeout.components
        let limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        guard let context = redisConnectWithTimeout(address.host, Int32(address.port), limit) else { return nil }
        let isConnected =
            context.pointee.err == 0 && redisSetTimeout(context, limit) == REDIS_OK && authenticate(context, address)
        guard isConnected else {
            redisFree(context)
            return nil
        }
        // Child processes mustn't keep the connection open.
        _ = fcntl(context.pointee.fd, F_SETFD, FD_CLOEXEC)
        return context
    }

    private static func authenticate(_ context: UnsafeMutablePointer<redisContext>, _ address: RedisAddress) -> Bool {
        guard let password = address.password else { return true }
        return reply(to: ["AUTH", address.user, password].compactMap(\.self), on: context)?.text == "OK"
    }

    /// Sends a command; `nil` if the connection ends or the wait times out.
    static func reply(to words: [any RedisWord], on context: UnsafeMutablePointer<redisContext>) -> RedisReply? {
        let words = words.map(\.bytes)
        let lengths = words.map(\.count)
        return Data(words.joined()).withUnsafeBytes { bytes in
            var offset = 0
            var pointers = lengths.map { length -> UnsafePointer<CChar>? in
                defer { offset += length }
                return bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
            }
            return redisCommandArgv(context, Int32(words.count), &pointers, lengths).map(take)
        }
    }

    /// Waits for a notification; `nil` if the connection ends.
    static func notification(on context: UnsafeMutablePointer<redisContext>) -> RedisReply? {
        var reply: UnsafeMutableRawPointer?
        return redisGetReply(context, &reply) == REDIS_OK ? reply.map(take) : nil
    }

    private static func take(_ reply: UnsafeMutableRawPointer) -> RedisReply {
        defer { freeReplyObject(reply) }
        return RedisReply(reply.assumingMemoryBound(to: redisReply.self).pointee)
    }
}
