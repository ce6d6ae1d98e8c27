import BrowseKit
import Foundation

/// A connection to a Redis server for commands, and another one for notifications.
///
/// Commands run in order, on a queue of their own, because hiredis blocks. A command fails after its timeout in the queue, and after
/// the timeout for its exchange. Once sent, it isn't canceled: a command can't be taken back.
public final class RedisClient: Sendable {
    /// The address of the server.
    public let address: RedisAddress
    /// The longest wait for a reply.
    public let timeout: Duration
    let subscriber: RedisSubscriber
    /// The prefix of all keys.
    private let prefix: String
    private let queue = DispatchQueue(label: "RedisClient")
    /// Only closures on the queue use it.
    private nonisolated(unsafe) let connection: RedisConnection

    /// Creates a client, which connects when it is first used.
    ///
    /// - Parameters:
    ///   - address: The server.
    ///   - prefix: The prefix of all keys, which separates applications that share a server.
    ///   - timeout: The longest wait for a reply.
    public init(_ address: RedisAddress, prefix: String = "browsekit:", timeout: Duration = .milliseconds(500)) {
        self.address = address
        self.prefix = prefix
        self.timeout = timeout
        connection = RedisConnection(address, timeout: timeout)
        subscriber = RedisSubscriber(address, channel: prefix + "changes", timeout: timeout)
    }

    /// Returns whether the server responds to `PING`.
    public func isAvailable() async -> Bool { (try? await send(["PING"]) { $0.text == "PONG" }) ?? false }

    /// Returns whether the user may notify other processes, which an empty message without a topic tests.
    func isNotifying() async -> Bool {
        (try? await send(["PUBLISH", subscriber.channel, ""]) { _ in true }) ?? false
    }

    /// Returns what the server reports about itself, such as `maxmemory_policy`; `nil` if it can't be reached.
    ///
    /// It's read from `INFO`, because managed servers often forbid `CONFIG`.
    func information() async -> [Substring: Substring]? {
        let pairs = try? await send(["INFO"]) { reply in
            (reply.text ?? "").split(whereSeparator: \.isNewline).map { $0.split(separator: ":", maxSplits: 1) }
        }
        return pairs.map { Dictionary($0.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 } }
    }

    /// Sends a command after those before it; the closure takes the replies in their order.
    func send<Value: Sendable>(
        _ words: [any RedisWord],
        _ receive: @escaping @Sendable (RedisReply) throws(BrowseError) -> Value
    ) async throws(BrowseError) -> Value {
        let deadline = ContinuousClock.now + timeout
        let result: Result<Value, BrowseError> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                let result = Result { () throws(BrowseError) in
                    guard .now < deadline else { throw .redis(.unavailable) }
                    return try receive(connection.send(words))
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    /// Sends a command after those before it, without waiting.
    func enqueue(_ words: [any RedisWord]) {
        queue.async { [self] in _ = try? connection.send(words) }
    }

    /// The key of a visitor's values, which expire together.
    ///
    /// It's a hash of the id in the cookie, the credentials, the number of changes of favorites, and the favorites, whose fields have
    /// a slash.
    func key(of visitor: String) -> String { key("visitor", of: visitor) }

    /// The key of another value, or the topic of its changes.
    func key(_ kind: String, of visitor: String) -> String { "\(prefix)\(kind):\(visitor)" }

    /// The time from a visitor's last visit until the values expire: two days longer than the cookie's.
    static let lifetime = Duration.seconds(32 * 86_400)
}
