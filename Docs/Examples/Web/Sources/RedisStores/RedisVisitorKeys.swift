public import BrowseKit
import Foundation

/// The keys of visitors' stores, by the digests of the ids in their cookies, in Redis.
///
/// A key is deleted when its id wasn't used for 30 days, after which its cookie has expired.
public struct RedisVisitorKeys: Sendable {
    private static let read = """
        local key = redis.call('GET', KEYS[1]) or ARGV[1]
        redis.call('SET', KEYS[1], key, 'EX', 2592000)
        return key
        """
    private static let rename = "redis.call('RENAME', KEYS[1], KEYS[2])"

    private let client: RedisClient

    /// Creates the keys.
    public init(_ client: RedisClient) {
        self.client = client
    }

    /// Returns the key of an id; for an unknown one a new key, which is stored.
    public func key(of id: String, orAdd new: String) async throws(StorageFailure) -> String {
        do throws(RedisFailure) {
            let reply = try await client.run(Self.read, keys: [name(of: id)], [Data(new.utf8)])
            guard let key = reply.text else { throw .unexpectedReply }
            return key
        } catch {
            throw error.storageFailure
        }
    }

    /// Gives the key of an id to another one; the former id is unknown afterwards.
    ///
    /// - Throws: `StorageFailure`, also for an unknown id.
    public func move(_ former: String, to new: String) async throws(StorageFailure) {
        do throws(RedisFailure) {
            _ = try await client.run(Self.rename, keys: [name(of: former), name(of: new)])
        } catch {
            throw error.storageFailure
        }
    }

    private func name(of id: String) -> String { client.prefix + "ids:" + id }
}
