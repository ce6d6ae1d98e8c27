/// The scripts that change and read favorites atomically.
///
/// A visitor has five keys: `items` (identity to record), `members` (identity to its members of the sorted sets), `meta` (the
/// number of changes, and the last position), and a sorted set for each order. The members of a sorted set are compared by bytes.
/// Each ends in the identity and its length.
enum FavoriteScripts {
    /// The most favorites of a visitor, so that one of them can't fill the server.
    static let countLimit = 2_000

    /// Adds a favorite; returns whether it's new, the number of changes, and its position. Fails if there are too many.
    ///
    /// Keys: items, members, meta, added, name, and the visitor's others. Arguments: identity, record, name, channel, lifetime of
    /// all keys.
    static let add = """
        if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
            return {0, tonumber(redis.call('HGET', KEYS[3], 'changes') or 0), 0}
        end
        if redis.call('HLEN', KEYS[1]) >= \(countLimit) then return redis.error_reply('ERR too many favorites') end
        local id = ARGV[1] .. struct.pack('>I4', #ARGV[1])
        local position = redis.call('HINCRBY', KEYS[3], 'position', 1)
        local members = {struct.pack('>I8', position) .. id, ARGV[3] .. id}
        for number, member in ipairs(members) do redis.call('ZADD', KEYS[3 + number], 0, member) end
        redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
        redis.call('HSET', KEYS[2], ARGV[1], cmsgpack.pack(members))
        local changes = redis.call('HINCRBY', KEYS[3], 'changes', 1)
        for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[5]) end
        redis.call('PUBLISH', ARGV[4], KEYS[1] .. '\\n' .. changes .. '\\n+' .. position .. '\\n' .. ARGV[2])
        return {1, changes, position}
        """

    /// Updates a favorite; returns whether it changed, the number of changes, and its position.
    ///
    /// Keys and arguments: as for `add`.
    static let update = """
        local record = redis.call('HGET', KEYS[1], ARGV[1])
        if not record or record == ARGV[2] then
            return {0, tonumber(redis.call('HGET', KEYS[3], 'changes') or 0), 0}
        end
        local members = cmsgpack.unpack(redis.call('HGET', KEYS[2], ARGV[1]))
        local position = struct.unpack('>I8', members[1])
        redis.call('ZREM', KEYS[5], members[2])
        members[2] = ARGV[3] .. ARGV[1] .. struct.pack('>I4', #ARGV[1])
        redis.call('ZADD', KEYS[5], 0, members[2])
        redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
        redis.call('HSET', KEYS[2], ARGV[1], cmsgpack.pack(members))
        local changes = redis.call('HINCRBY', KEYS[3], 'changes', 1)
        for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[5]) end
        redis.call('PUBLISH', ARGV[4], KEYS[1] .. '\\n' .. changes .. '\\n=' .. position .. '\\n' .. ARGV[2])
        return {1, changes, position}
        """

    /// Removes a favorite; returns whether it existed, the number of changes, and its position.
    ///
    /// Keys: as for `add`. Arguments: identity, channel, lifetime of all keys.
    static let remove = """
        local packed = redis.call('HGET', KEYS[2], ARGV[1])
        if not packed then return {0, tonumber(redis.call('HGET', KEYS[3], 'changes') or 0), 0} end
        local members = cmsgpack.unpack(packed)
        local position = struct.unpack('>I8', members[1])
        for number, member in ipairs(members) do redis.call('ZREM', KEYS[3 + number], member) end
        redis.call('HDEL', KEYS[1], ARGV[1])
        redis.call('HDEL', KEYS[2], ARGV[1])
        local changes = redis.call('HINCRBY', KEYS[3], 'changes', 1)
        for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[3]) end
        redis.call('PUBLISH', ARGV[2], KEYS[1] .. '\\n' .. changes .. '\\n-' .. position .. '\\n' .. ARGV[1])
        return {1, changes, position}
        """

    /// Returns the number of changes, then the member, the position, and the record of each favorite.
    ///
    /// Keys: items, members, meta, the sorted set. Arguments: the lower bound, the maximum count.
    static let page = """
        local result = {tonumber(redis.call('HGET', KEYS[3], 'changes') or 0)}
        for _, member in ipairs(redis.call('ZRANGEBYLEX', KEYS[4], ARGV[1], '+', 'LIMIT', 0, ARGV[2])) do
            local length = struct.unpack('>I4', member, #member - 3)
            local id = string.sub(member, #member - 3 - length, #member - 4)
            result[#result + 1] = member
            local members = cmsgpack.unpack(redis.call('HGET', KEYS[2], id))
            result[#result + 1] = struct.unpack('>I8', members[1])
            result[#result + 1] = redis.call('HGET', KEYS[1], id)
        end
        return result
        """

    /// Returns the number of changes, then all identities.
    ///
    /// Keys: items, meta.
    static let identities = """
        local result = redis.call('HKEYS', KEYS[1])
        table.insert(result, 1, tonumber(redis.call('HGET', KEYS[2], 'changes') or 0))
        return result
        """
}
