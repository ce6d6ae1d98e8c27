import BrowseKit
import Foundation
import Synchronization

/// A connection to a Redis server for commands, and another one for notifications.
///
/// Commands run in order, on a thread of their own, because hiredis blocks. Waits are limited: a command fails after a second in the
/// queue and a second for each exchange. Reads of a visitor's data fail after a quarter of a second, and then at once for a second, so
/// that a page isn't delayed by all of them.
public final class RedisClient: Sendable {
    /// The connection for commands.
    let connection: RedisConnection
    /// The number of failures, and until when reads fail at once after one.
    private let failures = Mutex((count: 0, pause: ContinuousClock.now))
    let subscriber: RedisSubscriber
    /// The address of the server.
    public let address: RedisAddress
    /// The longest wait for a reply.
    public let timeout: Duration
    /// The longest wait for a value that is only read.
    public let readTimeout: Duration
    /// The prefix of all keys.
    let prefix: String

    /// Creates a client, which connects when it is first used.
    ///
    /// - Parameters:
    ///   - address: The server.
    ///   - prefix: The prefix of all keys, which separates applications that share a server.
    ///   - timeout: The longest wait for a reply.
    ///   - readTimeout: The longest wait for a value that is only read.
    public init(
        _ address: RedisAddress,
        prefix: String = "browsekit:",
        timeout: Duration = .seconds(1),
        readTimeout: Duration = .milliseconds(250)
    ) {
        self.address = address
        self.prefix = prefix
        self.timeout = timeout
        self.readTimeout = readTimeout
        connection = RedisConnection(address, timeout: timeout)
        subscriber = RedisSubscriber(address, channel: prefix + "changes", timeout: timeout)
    }

    /// The number of commands so far that failed because the server was away or full.
    public var failureCount: Int { failures.withLock(\.count) }

    /// Returns whether the server responds to `PING`.
    public func isAvailable() async -> Bool {
        await reply(to: "PING") == .status("PONG")
    }

    /// Returns what the server reports about itself, such as `maxmemory_policy`; `nil` if it can't be reached.
    ///
    /// It's read from `INFO`, because managed servers often forbid `CONFIG`.
    func information() async -> [Substring: Substring]? {
        let pairs = await reply(to: "INFO")?.text?.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ":", maxSplits: 1)
        }
        return pairs.map { Dictionary($0.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 } }
    }

    private func reply(to command: String) async -> RedisReply? {
        try? await connection.run(within: readTimeout) { session throws(RedisFailure) in
            try session.send([Data(command.utf8)])
        }
    }

    /// Sends a command for a key, which is added as its first argument.
    func send(
        _ name: String,
        _ key: String,
        _ arguments: [Data] = [],
        isRead: Bool = false
    ) async throws(RedisFailure) -> RedisReply {
        let command = [Data(name.utf8), Data(key.utf8)] + arguments
        return try await perform(isRead) { session throws(RedisFailure) in try session.send(command) }
    }

    /// Runs a script.
    func run(
        _ script: String,
        keys: [String],
        _ arguments: [Data] = [],
        isRead: Bool = false
    ) async throws(RedisFailure) -> RedisReply {
        try await perform(isRead) { session throws(RedisFailure) in
            try session.run(script, keys: keys, arguments)
        }
    }

    private func perform(
        _ isRead: Bool,
        _ body: @escaping @Sendable (RedisSession) throws(RedisFailure) -> RedisReply
    ) async throws(RedisFailure) -> RedisReply {
        if isRead, failures.withLock({ .now < $0.pause }) { throw .unavailable }
        do throws(RedisFailure) {
            return try await connection.run(within: isRead ? readTimeout : nil, body)
        } catch {
            guard error != .cancelled, error.storageFailure.reason == .unavailable else { throw error }
            failures.withLock { failures in
                failures.count += 1
                // An error reply, such as that of a full server, delays nothing.
                if isRead, error == .unavailable { failures.pause = .now + .seconds(1) }
            }
            throw error
        }
    }
}

extension RedisClient {
    /// A change of a value.
    enum Change: Hashable, Sendable {
        case keep
        case set(Data)
        case delete
    }

    /// Replaces a value if it hasn't changed, extends the lifetime of all keys, and notifies subscribers.
    private static let replace = """
        local value = redis.call('GET', KEYS[1])
        if (value or '') ~= ARGV[1] then return 0 end
        if ARGV[2] == '' then
            redis.call('DEL', KEYS[1])
        else
            redis.call('SET', KEYS[1], ARGV[2])
            for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[3]) end
        end
        if ARGV[4] ~= '' then redis.call('PUBLISH', ARGV[4], KEYS[1]) end
        return 1
        """

    /// Changes a value with optimistic concurrency: reads it, and replaces it if it's still the same.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - others: Keys that are deleted at the same time, if the value is replaced.
    ///   - lifetime: The time until the value is deleted.
    ///   - notifies: Whether subscribers are notified.
    ///   - change: Takes the value, and returns the change; called again after a conflict. Stored values are never empty.
    func update(
        _ key: String,
        with others: [String] = [],
        lifetime: Duration,
        notifies: Bool = false,
        _ change: (Data?) -> Change
    ) async throws(RedisFailure) {
        while true {
            let old = try await send("GET", key).data
            let new: Data
            switch change(old) {
            case .keep: return
            case .set(let data): new = data
            case .delete: new = Data()
            }
            if old == nil, new.isEmpty { return }
            let reply = try await run(
                Self.replace,
                keys: [key] + others,
                [
                    old ?? Data(), new, lifetime.milliseconds,
                    Data((notifies ? subscriber.channel : "").utf8),
                ]
            )
            if reply == .integer(1) { return }
        }
    }
}

extension Duration {
    /// The milliseconds as an argument of a command, at least 1.
    var milliseconds: Data {
        Data("\(max(1, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000))".utf8)
    }
}
