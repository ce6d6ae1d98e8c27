/// The scripts that change and read favorites atomically.
///
/// A visitor has two hashes: `items` (identity to position, eight bytes, and record), and `meta` (the number of changes, and the last
/// position).
enum FavoriteScripts {
    /// The most favorites of a visitor, so that one of them can't fill the server.
    static let countLimit = 2_000

    /// Adds (`+`), updates (`=`), or removes (`-`) a favorite.
    ///
    /// Returns whether that changed anything, the number of changes, and the position. Fails if there are too many.
    /// Keys: items, meta, and the visitor's others. Arguments: the kind of change, identity, record, channel, lifetime of all keys.
    static let change = """
        local old, kind = redis.call('HGET', KEYS[1], ARGV[2]), ARGV[1]
        local isKnown = kind == '+' and old or kind ~= '+' and not old
        if isKnown or kind == '=' and string.sub(old, 9) == ARGV[3] then
            return {0, tonumber(redis.call('HGET', KEYS[2], 'changes') or 0), 0}
        end
        local position = old and struct.unpack('>I8', old)
        if kind == '+' then
            if redis.call('HLEN', KEYS[1]) >= \(countLimit) then return redis.error_reply('ERR too many favorites') end
            position = redis.call('HINCRBY', KEYS[2], 'position', 1)
        end
        if kind == '-' then
            redis.call('HDEL', KEYS[1], ARGV[2])
        else
            redis.call('HSET', KEYS[1], ARGV[2], struct.pack('>I8', position) .. ARGV[3])
        end
        local changes = redis.call('HINCRBY', KEYS[2], 'changes', 1)
        for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[5]) end
        local content = kind == '-' and ARGV[2] or ARGV[3]
        redis.call('PUBLISH', ARGV[4], KEYS[1] .. '\\n' .. changes .. '\\n' .. kind .. position .. '\\n' .. content)
        return {1, changes, position}
        """

    /// Returns the number of changes, then all favorites, or their identities.
    ///
    /// Keys: items, meta. Argument: the command that reads the items.
    static let read = """
        local result = redis.call(ARGV[1], KEYS[1])
        table.insert(result, 1, tonumber(redis.call('HGET', KEYS[2], 'changes') or 0))
        return result
        """
}
