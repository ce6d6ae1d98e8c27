import BrowseKit
import Foundation
import Synchronization

/// The stored format of a favorite: JSON, with the entity as its type encodes it.
struct FavoriteRecord: Codable {
    private let kind: String
    private let key: String
    private let title: String
    private let image: String?
    private let version: Int
    private let payload: Data

    /// - Parameter payload: The encoded entity.
    init(_ favorite: Favorite, _ payload: Favorite.Payload) {
        kind = favorite.kind.rawValue
        key = favorite.id.key
        title = favorite.title
        image = favorite.image?.rawValue
        version = payload.version
        self.payload = payload.data
    }

    func favorite(sequenceNumber: Int64) -> Favorite {
        Favorite(
            id: Favorite.ID(kind: Favorite.Kind(rawValue: kind), key: key),
            title: title,
            image: image.map(WebAddress.init(rawValue:)),
            payload: Favorite.Payload(version: version, data: payload),
            sequenceNumber: sequenceNumber
        )
    }
}

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

/// Reports the numbered changes of favorites in order, and detects missed ones.
final class FavoriteChanges: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<FavoriteChange>.Continuation] = [:]
        var listenerCount = 0
        /// The number of the last change that was reported or read; `nil` before the first.
        var last: Int64?
    }

    private let state = Mutex(State())

    deinit {
        for listener in state.withLock({ $0.listeners.values.map(\.self) }) { listener.finish() }
    }

    var last: Int64? { state.withLock { $0.last } }

    func stream() -> AsyncStream<FavoriteChange> {
        let (stream, listener) = AsyncStream.makeStream(of: FavoriteChange.self)
        let number = state.withLock { state in
            state.listenerCount += 1
            state.listeners[state.listenerCount] = listener
            return state.listenerCount
        }
        listener.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    /// Records a read, from which changes are reported.
    func start(at number: Int64) {
        state.withLock { $0.last = $0.last ?? number }
    }

    /// Reports a change, unless it was reported before.
    ///
    /// - Returns: `false` if changes before it were missed; read all favorites and call ``replace(with:at:ifStill:)``.
    func report(_ change: FavoriteChange, _ number: Int64) -> Bool {
        state.withLock { state in
            let last = state.last ?? number - 1
            guard number > last else { return true }
            guard number == last + 1 else { return false }
            state.last = number
            for listener in state.listeners.values { listener.yield(change) }
            return true
        }
    }

    /// Reports all favorites, if changes were missed.
    ///
    /// - Parameters:
    ///   - ids: The identities of all favorites.
    ///   - number: The number of the last change when they were read.
    ///   - last: The last reported change before they were read.
    /// - Returns: `false` if changes were reported meanwhile, so that the favorites must be read again.
    func replace(with ids: Set<Favorite.ID>, at number: Int64, ifStill last: Int64?) -> Bool {
        state.withLock { state in
            guard state.last == last else { return false }
            guard last != number else { return true }
            state.last = number
            // Without an earlier read, nothing was missed.
            guard last != nil else { return true }
            for listener in state.listeners.values { listener.yield(.replaced(ids)) }
            return true
        }
    }
}
