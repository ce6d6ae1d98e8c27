import Foundation

/// A small pool of connections to a Redis server.
///
/// Each connection has its own thread, because hiredis blocks; Swift's thread pool is never blocked. Commands for one key use
/// the same connection, so they run in order. Waits are limited: a command fails after a second in the queue and a second for
/// each exchange.
public final class RedisClient: Sendable {
    private let connections: [RedisConnection]
    let subscriber: RedisSubscriber
    /// The prefix of all keys.
    let prefix: String

    /// Creates a client, which connects when it is first used.
    ///
    /// - Parameters:
    ///   - address: The server.
    ///   - prefix: The prefix of all keys, which separates applications that share a server.
    ///   - connectionCount: The number of connections, at least 1; one more receives notifications.
    ///   - timeout: The longest wait for a reply.
    public init(
        _ address: RedisAddress,
        prefix: String = "browsekit:",
        connectionCount: Int = 4,
        timeout: Duration = .seconds(1)
    ) {
        self.prefix = prefix
        connections = (0..<max(1, connectionCount)).map { _ in RedisConnection(address, timeout: timeout) }
        subscriber = RedisSubscriber(address, channel: prefix + "changes", timeout: timeout)
    }

    /// Waits until the server responds to `PING`.
    ///
    /// - Returns: Whether it does.
    public func isAvailable() async -> Bool {
        let reply = try? await connection(for: "").run { session throws(RedisFailure) in
            try session.send([Data("PING".utf8)])
        }
        return reply == .status("PONG")
    }

    /// The connection for a key.
    func connection(for key: String) -> RedisConnection {
        // Not `hashValue`, whose random seed differs between processes: debugging is easier if it's the same.
        let hash = key.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return connections[Int(hash % UInt32(connections.count))]
    }

    /// Sends a command for a key, which is added as its first argument.
    func send(_ name: String, _ key: String, _ arguments: [Data] = []) async throws(RedisFailure) -> RedisReply {
        let command = [Data(name.utf8), Data(key.utf8)] + arguments
        return try await connection(for: key).run { session throws(RedisFailure) in try session.send(command) }
    }

    /// Runs a script; the first key selects the connection.
    func run(_ script: String, keys: [String], _ arguments: [Data] = []) async throws(RedisFailure) -> RedisReply {
        try await connection(for: keys.first ?? "").run { session throws(RedisFailure) in
            try session.run(script, keys: keys, arguments)
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

    /// Replaces a value if it hasn't changed, and notifies subscribers.
    private static let replace = """
        local value = redis.call('GET', KEYS[1])
        if (value or '') ~= ARGV[1] then return 0 end
        if ARGV[2] == '' then
            redis.call('DEL', KEYS[1])
        elseif ARGV[3] == '0' then
            redis.call('SET', KEYS[1], ARGV[2])
        else
            redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
        end
        if ARGV[4] ~= '' then redis.call('PUBLISH', ARGV[4], KEYS[1]) end
        return 1
        """

    /// Changes a value with optimistic concurrency: reads it, and replaces it if it's still the same.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - lifetime: The time until the value is deleted; `nil` keeps it.
    ///   - notifies: Whether subscribers are notified.
    ///   - change: Takes the value, and returns the change; called again after a conflict. Stored values are never empty.
    func update(
        _ key: String,
        lifetime: Duration? = nil,
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
            let milliseconds = lifetime.map { max(1, $0.components.seconds * 1000) } ?? 0
            let reply = try await run(
                Self.replace,
                keys: [key],
                [
                    old ?? Data(), new, Data("\(milliseconds)".utf8),
                    Data((notifies ? subscriber.channel : "").utf8),
                ]
            )
            if reply == .integer(1) { return }
        }
    }
}
