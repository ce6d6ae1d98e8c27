public import BrowseKit
import Foundation
public import ServerStores

/// The current ids of visitors, by the keys of their stores.
///
/// Favorites, the token, and the id expire 31 to 32 days after the last visit; an id alone, after an hour.
public struct RedisVisitors: VisitorIDs {
    /// Returns the current id, and whether the visitor's keys should live longer; an id alone shouldn't.
    ///
    /// Keys: current id, items, meta, token. Argument: the remaining lifetime from which they should.
    private static let read = """
        local isDue = 0
        for number = 2, #KEYS do
            local rest = redis.call('PTTL', KEYS[number])
            if rest >= 0 and rest < tonumber(ARGV[1]) then isDue = 1 end
        end
        return {redis.call('GET', KEYS[1]) or '', isDue}
        """
    private static let extend = "for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end return 1"
    /// Replaces an id. It can be repeated, if the reply to the first attempt was lost. The lifetime is short if nothing else is stored.
    ///
    /// Keys: current id, items, meta, token. Arguments: former id, new id, lifetime, short lifetime.
    private static let replace = """
        local current = redis.call('GET', KEYS[1])
        if current == ARGV[2] then return 1 end
        if current and current ~= ARGV[1] then return 0 end
        local isEmpty = redis.call('EXISTS', KEYS[2], KEYS[3], KEYS[4]) == 0
        redis.call('SET', KEYS[1], ARGV[2], 'PX', isEmpty and ARGV[4] or ARGV[3])
        return 1
        """

    private let client: RedisClient

    /// Creates the ids.
    public init(_ client: RedisClient) {
        self.client = client
    }

    /// Returns the current id of a visitor; `nil` if it was never replaced. Extends the lifetime of all keys once a day.
    public func current(of visitor: String) async throws(StorageFailure) -> String? {
        let keys = VisitorKeys(of: visitor, client)
        do throws(RedisFailure) {
            let due = VisitorKeys.lifetime - .seconds(86_400)
            let reply = try await client.run(Self.read, keys: names(keys), [due.milliseconds], isRead: true).array
            guard let reply, reply.count == 2, let current = reply[0].text else { throw .unexpectedReply }
            if reply[1] == .integer(1) {
                // The visit doesn't depend on it: a server that can't write, or is slow to, still has the id.
                Task { try? await client.run(Self.extend, keys: keys.all, [VisitorKeys.lifetime.milliseconds]) }
            }
            return current.isEmpty ? nil : current
        } catch {
            throw error.storageFailure
        }
    }

    /// Replaces the id of a visitor.
    ///
    /// - Returns: `false` if another request has replaced the former one.
    public func replace(_ former: String, by new: String, of visitor: String) async throws(StorageFailure) -> Bool {
        let lifetimes = [VisitorKeys.lifetime.milliseconds, Duration.seconds(3_600).milliseconds]
        do throws(RedisFailure) {
            let keys = names(VisitorKeys(of: visitor, client))
            return try await client.run(Self.replace, keys: keys, [Data(former.utf8), Data(new.utf8)] + lifetimes)
                == .integer(1)
        } catch {
            throw error.storageFailure
        }
    }

    private func names(_ keys: VisitorKeys) -> [String] {
        [keys.current, keys.favorites[0], keys.favorites[1], keys.token]
    }
}

/// The keys of one visitor, which expire together.
struct VisitorKeys: Sendable {
    /// The time from the last visit until the keys expire: two days longer than the website's cookie.
    static let lifetime = Duration.seconds(32 * 86_400)

    /// The favorites, and the numbers of their changes.
    let favorites: [String]
    /// The credentials.
    let token: String
    /// The id in the visitor's cookie, once it was replaced.
    let current: String
    /// The sign-in in progress, which has a lifetime of its own.
    let pendingSignIn: String

    init(of visitor: String, _ client: RedisClient) {
        let items = client.prefix + "favorites:" + visitor
        favorites = [items, items + ":meta"]
        token = client.prefix + "token:" + visitor
        current = client.prefix + "current:" + visitor
        pendingSignIn = client.prefix + "sign-in:" + visitor
    }

    /// All keys that expire together, those of favorites first.
    var all: [String] { favorites + [token, current] }
}
