import BrowseMocks
import Foundation
public import RedisStores

/// A port that passes commands on to a Redis server, and can lose or change a reply.
///
/// It serves one connection at a time, with small commands and replies.
public final class RedisRelay: Sendable {
    struct NotStarted: Error {}

    private let port: UInt16
    private let listener: Int32
    private let loss = Monitor(false)

    /// Starts a relay, which ends with the test.
    ///
    /// - Parameters:
    ///   - server: The Redis server.
    ///   - isValkey: Whether it names its kind as Valkey does.
    public init(to server: RedisServer, isValkey: Bool = false) throws {
        port = try freePort()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard withLocalAddress(port, { bind(listener, $0, $1) }) == 0, listen(listener, 8) == 0 else {
            close(listener)
            throw NotStarted()
        }
        Thread.detachNewThread { [listener, loss, target = server.port] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                if withLocalAddress(target, { connect(server, $0, $1) }) == 0 {
                    while let command = Self.receive(from: client), Self.send(command, to: server),
                        var reply = Self.receive(from: server)
                    {
                        if isValkey { reply = Self.valkeyReply(reply) }
                        let isLost = loss.withLock { losesReply in
                            defer { losesReply = false }
                            return losesReply
                        }
                        guard !isLost, Self.send(reply, to: client) else { break }
                    }
                }
                close(client)
                close(server)
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Whether the next reply is lost, with the connection.
    public var losesReply: Bool {
        get { loss.value }
        set { loss.withLock { $0 = newValue } }
    }

    /// Returns a client with one connection.
    public func client() -> RedisClient {
        RedisClient(RedisAddress(port: port), timeout: .seconds(60))
    }

    /// The information about a member of a cluster as Valkey has it.
    ///
    /// It's as long as that of Redis, because its length precedes it.
    private static func valkeyReply(_ reply: [UInt8]) -> [UInt8] {
        let text = String(decoding: reply, as: UTF8.self)
        return Array(text.replacing("redis_mode:cluster\r\n", with: "server_mode:cluster\n").utf8)
    }

    private static func receive(from socket: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}
