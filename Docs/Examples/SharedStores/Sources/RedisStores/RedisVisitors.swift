public import BrowseKit
public import ServerStores

/// The current ids of visitors, by the keys of their stores.
///
/// A visitor's values expire 31 to 32 days after the last visit; an id alone, after an hour.
public struct RedisVisitors: VisitorIDs {
    /// Returns the current id, and whether the visitor's values should live longer; an id alone shouldn't.
    ///
    /// Argument: the remaining lifetime from which they should.
    private static let read = """
        local id, rest = redis.call('HGET', KEYS[1], 'id'), redis.call('PTTL', KEYS[1])
        local isDue = rest >= 0 and rest < tonumber(ARGV[1]) and redis.call('HLEN', KEYS[1]) > (id and 1 or 0)
        return {id or '', isDue and 1 or 0}
        """
    /// Replaces an id. It can be repeated, if the reply to the first attempt was lost. The lifetime is short if nothing else is stored.
    ///
    /// Arguments: former id, new id, lifetime, short lifetime.
    private static let replace = """
        local current = redis.call('HGET', KEYS[1], 'id')
        if current == ARGV[2] then return 1 end
        if current and current ~= ARGV[1] then return 0 end
        redis.call('HSET', KEYS[1], 'id', ARGV[2])
        redis.call('PEXPIRE', KEYS[1], redis.call('HLEN', KEYS[1]) == 1 and ARGV[4] or ARGV[3])
        return 1
        """

    private let client: RedisClient

    /// Creates the ids.
    public init(_ client: RedisClient) {
        self.client = client
    }

    /// Returns the current id of a visitor; `nil` if it was never replaced. Extends the lifetime of all values once a day.
    public func current(of visitor: String) async throws(BrowseError) -> String? {
        let key = client.key(of: visitor)
        let due = RedisClient.lifetime - .seconds(86_400)
        let reply = try await client.send(["EVAL", Self.read, "1", key, due], \.elements)
        guard reply.count == 2, let id = reply[0].text else { throw .redis(.other) }
        // The visit doesn't depend on it: a server that can't write still has the id.
        if reply[1] == .integer(1) { client.enqueue(["PEXPIRE", key, RedisClient.lifetime]) }
        return id.isEmpty ? nil : id
    }

    /// Replaces the id of a visitor.
    ///
    /// - Returns: `false` if another request has replaced the former one.
    public func replace(_ former: String, by new: String, of visitor: String) async throws(BrowseError) -> Bool {
        let lifetimes = [RedisClient.lifetime, .seconds(3_600)]
        let words: [any RedisWord] = ["EVAL", Self.replace, "1", client.key(of: visitor), former, new] + lifetimes
        return try await client.send(words) { $0 == .integer(1) }
    }
}
