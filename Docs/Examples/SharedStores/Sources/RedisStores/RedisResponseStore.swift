public import BrowseData
public import BrowseKit
import Foundation

/// Responses in Redis, which all processes share.
///
/// A response is deleted at most a day after its last use. Use a server of their own, which evicts the least recently used ones
/// before its memory is full.
public struct RedisResponseStore: ResponseStore {
    /// Stores a response, adds its key to the index of its account, and removes expired keys from there.
    ///
    /// Keys: response, index. Arguments: head, body, lifetime in seconds.
    private static let store = """
        local now = tonumber(redis.call('TIME')[1])
        redis.call('HSET', KEYS[1], 'head', ARGV[1], 'body', ARGV[2])
        redis.call('EXPIRE', KEYS[1], ARGV[3])
        redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
        redis.call('ZADD', KEYS[2], now + ARGV[3], KEYS[1])
        redis.call('EXPIRE', KEYS[2], ARGV[3] * 2)
        return 1
        """
    /// Reads a response, and extends its lifetime once a twelfth of it is over. Keys: response, index. Argument: lifetime in seconds.
    private static let read = """
        local record = redis.call('HMGET', KEYS[1], 'head', 'body')
        if record[1] and redis.call('TTL', KEYS[1]) < ARGV[1] * 11 / 12 then
            redis.call('EXPIRE', KEYS[1], ARGV[1])
            redis.call('ZADD', KEYS[2], tonumber(redis.call('TIME')[1]) + ARGV[1], KEYS[1])
            redis.call('EXPIRE', KEYS[2], ARGV[1] * 2)
        end
        return record
        """
    private static let replaceHead = """
        if redis.call('HGET', KEYS[1], 'head') ~= ARGV[1] then return 0 end
        return redis.call('HSET', KEYS[1], 'head', ARGV[2])
        """
    private static let remove = """
        redis.call('ZREM', KEYS[2], KEYS[1])
        return redis.call('DEL', KEYS[1])
        """
    /// Deletes up to 500 responses of an account; returns whether there may be more. Key: index.
    private static let erase = """
        local keys = redis.call('ZRANGE', KEYS[1], 0, 499)
        if #keys > 0 then
            redis.call('DEL', unpack(keys))
            redis.call('ZREM', KEYS[1], unpack(keys))
        end
        return #keys
        """

    private let client: RedisClient
    private let lifetime: Data

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - lifetime: The longest time from its last use until a response is deleted.
    public init(_ client: RedisClient, lifetime: Duration = .seconds(86_400)) {
        self.client = client
        self.lifetime = Data("\(max(1, lifetime.components.seconds))".utf8)
    }

    /// Returns the head of a response; `nil` if there is none.
    public func head(of key: ResponseKey) async throws(StorageFailure) -> Data? {
        do throws(RedisFailure) {
            return try await client.send("HGET", name(of: key), [Data("head".utf8)]).data
        } catch {
            throw error.storageFailure
        }
    }

    /// Returns a response; `nil` if there is none.
    public func response(for key: ResponseKey) async throws(StorageFailure) -> ResponseRecord? {
        let reply = try await run(Self.read, keys: [name(of: key), account(key.account)], [lifetime]).array
        guard let reply, reply.count == 2, let head = reply[0].data, let body = reply[1].data else { return nil }
        return ResponseRecord(head: head, body: body)
    }

    /// Stores a response in place of the current one.
    public func store(_ response: ResponseRecord, for key: ResponseKey) async throws(StorageFailure) {
        _ = try await run(
            Self.store,
            keys: [name(of: key), account(key.account)],
            [response.head, response.body, lifetime]
        )
    }

    /// Replaces the head of a response, unless the response has changed.
    public func replaceHead(_ old: Data, with new: Data, of key: ResponseKey) async throws(StorageFailure) {
        _ = try await run(Self.replaceHead, keys: [name(of: key)], [old, new])
    }

    /// Removes a response, if there is one.
    public func remove(_ key: ResponseKey) async throws(StorageFailure) {
        _ = try await run(Self.remove, keys: [name(of: key), account(key.account)])
    }

    /// Erases all responses of an account, or all responses.
    public func removeAll(of account: String?) async throws(StorageFailure) {
        if let account { return try await erase(self.account(account)) }
        var cursor = Data("0".utf8)
        repeat {
            let pattern = Data((client.prefix + "index:*").utf8)
            let reply: [RedisReply]?
            do throws(RedisFailure) {
                reply = try await client.send(
                    "SCAN",
                    String(decoding: cursor, as: UTF8.self),
                    [Data("MATCH".utf8), pattern]
                ).array
            } catch {
                throw error.storageFailure
            }
            guard let reply, reply.count == 2, let next = reply[0].data else { return }
            for name in (reply[1].array ?? []).compactMap(\.text) { try await erase(name) }
            cursor = next
        } while cursor != Data("0".utf8)
    }

    private func erase(_ account: String) async throws(StorageFailure) {
        while try await run(Self.erase, keys: [account]).integer ?? 0 > 0 {}
    }

    private func name(of key: ResponseKey) -> String { client.prefix + "response:" + key.text }

    /// The name of the index of an account's keys; responses of no account have one too.
    private func account(_ account: String?) -> String {
        client.prefix + "index:" + (account.map { "account " + $0 } ?? "")
    }

    private func run(_ script: String, keys: [String], _ arguments: [Data] = []) async throws(StorageFailure)
        -> RedisReply
    {
        do throws(RedisFailure) {
            return try await client.run(script, keys: keys, arguments)
        } catch {
            throw error.storageFailure
        }
    }
}
