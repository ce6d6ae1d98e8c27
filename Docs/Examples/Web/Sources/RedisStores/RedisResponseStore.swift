public import BrowseData
public import BrowseKit
import Foundation

/// Responses in Redis, which all processes share.
///
/// A response is deleted a day after its last use. Redis evicts the least recently used ones before its memory is full, if its
/// `maxmemory-policy` is `volatile-lru`.
public struct RedisResponseStore: ResponseStore {
    /// Stores a response, and adds its key to those of its account. Keys: response, account. Arguments: head, body, lifetime.
    private static let store = """
        redis.call('HSET', KEYS[1], 'head', ARGV[1], 'body', ARGV[2])
        redis.call('PEXPIRE', KEYS[1], ARGV[3])
        redis.call('SADD', KEYS[2], KEYS[1])
        if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[2], ARGV[3] * 2) end
        return 1
        """
    /// Reads a response, and extends its lifetime. Keys: response, account. Argument: lifetime.
    private static let read = """
        local record = redis.call('HMGET', KEYS[1], 'head', 'body')
        if record[1] then
            redis.call('PEXPIRE', KEYS[1], ARGV[1])
            if redis.call('PTTL', KEYS[2]) < tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[2], ARGV[1] * 2) end
        end
        return record
        """
    private static let replaceHead = """
        if redis.call('HGET', KEYS[1], 'head') ~= ARGV[1] then return 0 end
        return redis.call('HSET', KEYS[1], 'head', ARGV[2])
        """
    /// Deletes up to 500 responses of an account; returns whether there may be more.
    private static let erase = """
        local keys = redis.call('SPOP', KEYS[1], 500)
        if #keys > 0 then redis.call('DEL', unpack(keys)) end
        return #keys
        """

    private let client: RedisClient
    private let lifetime: Data

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - lifetime: The time after its last use when a response is deleted.
    public init(_ client: RedisClient, lifetime: Duration = .seconds(86_400)) {
        self.client = client
        self.lifetime = Data("\(max(1, lifetime.components.seconds * 1000))".utf8)
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
        do throws(RedisFailure) {
            _ = try await client.send("DEL", name(of: key))
        } catch {
            throw error.storageFailure
        }
    }

    /// Erases all responses of an account, or all responses.
    public func removeAll(of account: String?) async throws(StorageFailure) {
        if let account { return try await erase(self.account(account)) }
        var cursor = Data("0".utf8)
        repeat {
            let pattern = Data((client.prefix + "responses-of:*").utf8)
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
        while try await run(Self.erase, keys: [account], []).integer ?? 0 > 0 {}
    }

    private func name(of key: ResponseKey) -> String { client.prefix + "response:" + key.text }

    /// The name of the set of an account's keys; responses of no account have one too.
    private func account(_ account: String?) -> String {
        client.prefix + "responses-of:" + (account.map { "account " + $0 } ?? "")
    }

    private func run(_ script: String, keys: [String], _ arguments: [Data]) async throws(StorageFailure) -> RedisReply {
        do throws(RedisFailure) {
            return try await client.run(script, keys: keys, arguments)
        } catch {
            throw error.storageFailure
        }
    }
}
