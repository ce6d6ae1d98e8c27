import CHiredis
import Foundation

/// A connection that connects again when it is needed; confined to one thread.
///
/// hiredis blocks, and ends waits by the socket's timeouts. After a failure, commands fail immediately for a quarter of a second,
/// so that a server that doesn't respond doesn't delay everything that waits for the connection.
final class RedisSession {
    private static let pause = Duration.milliseconds(250)

    private let address: RedisAddress
    private let timeout: Duration
    private var context: UnsafeMutablePointer<redisContext>?
    private var failedAt: ContinuousClock.Instant?
    /// The digests of scripts that the server has loaded.
    private var digests: [String: Data] = [:]

    init(_ address: RedisAddress, timeout: Duration) {
        self.address = address
        self.timeout = timeout
    }

    deinit { close() }

    /// Sends a command, and waits for its reply.
    ///
    /// A command that finds its connection closed is repeated on a new one, so all commands must be repeatable.
    ///
    /// - Throws: `.unavailable`, or `.refused` for an error reply.
    func send(_ command: [Data]) throws(RedisFailure) -> RedisReply {
        let isReused = context != nil
        do throws(RedisFailure) {
            return try exchange(command)
        } catch .unavailable where isReused && failedAt == nil {
            return try exchange(command)
        }
    }

    /// Runs a script, by its digest if the server has loaded it.
    func run(_ script: String, keys: [String], _ arguments: [Data]) throws(RedisFailure) -> RedisReply {
        let rest = [Data("\(keys.count)".utf8)] + keys.map { Data($0.utf8) } + arguments
        if let digest = digests[script] {
            do throws(RedisFailure) {
                return try send([Data("EVALSHA".utf8), digest] + rest)
            } catch .refused(let text) where text.hasPrefix("NOSCRIPT") {
                // The server was restarted.
            }
        } else if let digest = try send([Data("SCRIPT".utf8), Data("LOAD".utf8), Data(script.utf8)]).data {
            digests[script] = digest
        }
        return try send([Data("EVAL".utf8), Data(script.utf8)] + rest)
    }

    func close() {
        if let context { redisFree(context) }
        context = nil
    }

    private func exchange(_ command: [Data]) throws(RedisFailure) -> RedisReply {
        let context = try connected()
        guard let reply = Self.reply(to: command, on: context) else {
            // A timeout says that the server is slow; an end of the connection only that it was restarted.
            let isTimeout = context.pointee.err == REDIS_ERR_IO && (errno == EAGAIN || errno == EWOULDBLOCK)
            close()
            if isTimeout { failedAt = .now }
            throw .unavailable
        }
        if case .error(let text) = reply { throw .refused(text) }
        return reply
    }

    private func connected() throws(RedisFailure) -> UnsafeMutablePointer<redisContext> {
        if let context { return context }
        if let failedAt, failedAt.duration(to: .now) < Self.pause { throw .unavailable }
        let new = RedisSession.connect(to: address, timeout: timeout)
        guard let new else {
            failedAt = .now
            throw .unavailable
        }
        (context, failedAt) = (new, nil)
        return new
    }

    /// Connects, with the timeout for each exchange; `nil` if that fails.
    static func connect(to address: RedisAddress, timeout: Duration) -> UnsafeMutablePointer<redisContext>? {
        let limit = timeval(
            tv_sec: Int(timeout.components.seconds),
            tv_usec: Int(timeout.components.attoseconds / 1_000_000_000_000)
        )
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
        let words = ["AUTH", address.user, password].compactMap(\.self)
        return reply(to: words.map { Data($0.utf8) }, on: context) == .status("OK")
    }

    /// Sends a command; `nil` if the connection ends or the wait times out.
    static func reply(to command: [Data], on context: UnsafeMutablePointer<redisContext>) -> RedisReply? {
        withArguments(command) { count, pointers, lengths in
            guard let reply = redisCommandArgv(context, count, pointers, lengths) else { return nil }
            defer { freeReplyObject(reply) }
            return RedisReply(reply.assumingMemoryBound(to: redisReply.self).pointee)
        }
    }

    /// Calls a closure with a command as C arrays.
    static func withArguments<Result>(
        _ command: [Data],
        _ body: (Int32, UnsafeMutablePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int>?) -> Result
    ) -> Result {
        let lengths = command.map(\.count)
        return command.reduce(into: [UInt8]()) { $0 += $1 }.withUnsafeBytes { bytes in
            var offset = 0
            var pointers = lengths.map { length -> UnsafePointer<CChar>? in
                defer { offset += length }
                return bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
            }
            return body(Int32(command.count), &pointers, lengths)
        }
    }
}
