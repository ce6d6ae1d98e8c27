public import BrowseKit
import Foundation
import Synchronization

/// The favorites of one visitor in Redis.
///
/// A process's own changes are reported one by one; those of others, and those without a reply, as all favorites. A failure with the
/// reason `.unavailable` may leave the change applied, if the connection ended before the reply; it's safe to repeat it.
///
/// Favorites are as durable as the server's configuration: use `appendonly yes`, and `appendfsync always` if none may be lost in
/// a power failure.
public final class RedisFavoriteRepository: FavoriteRepository {
    private let client: RedisClient
    private let key: String
    private let topic: String
    private let pageSize: Int
    private let broadcast = Broadcast<FavoriteChange>()
    /// The number of the last change that listeners know; `nil` before the first read.
    private let last = Mutex<Int64?>(nil)
    /// Reports changes of other processes, once there is a listener.
    private let following = Mutex<Task<Void, Never>?>(nil)

    /// Creates a repository without accessing the server.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - visitor: The identifier of the visitor, the same in all processes.
    ///   - pageSize: The number of rows per page; at least 1.
    public init(_ client: RedisClient, visitor: String, pageSize: Int = 100) {
        self.client = client
        key = client.key(of: visitor)
        topic = client.key("favorites", of: visitor)
        self.pageSize = max(1, pageSize)
    }

    deinit { following.withLock { $0 }?.cancel() }

    /// Returns one page of favorites.
    ///
    /// - Throws: `.storageFailed`; `.refused(.foreignPage)` if the cursor isn't one of this order; `.cancelled`.
    public func page(of query: FavoriteQuery, at cursor: PageCursor?) async throws(BrowseError) -> Page<Favorite> {
        guard !Task.isCancelled else { throw .cancelled }
        let last = cursor.flatMap { Self.favorite(at: $0, in: query.order) }
        guard cursor == nil || last != nil else {
            throw .refused(.foreignPage, BrowseError.RequestInfo(endpoint: "RedisFavoriteRepository.page(of:at:)"))
        }
        func precedes(_ one: Favorite, _ other: Favorite) -> Bool {
            switch query.order {
            case .added: one.sequenceNumber ?? 0 < other.sequenceNumber ?? 0
            case .name: FavoriteSortKey(one) < FavoriteSortKey(other)
            }
        }
        let rows = try await all().filter { row in query.includes(row) && last.map { precedes($0, row) } ?? true }
            .sorted(by: precedes)
        let page = rows.prefix(pageSize)
        let next = rows.count > pageSize ? page.last.map { Self.cursor(after: $0, in: query.order) } : nil
        return Page(items: Array(page), next: next)
    }

    /// Adds a favorite at the end; returns `false` and changes nothing if it exists.
    ///
    /// - Throws: `.storageFailed`, with the reason `.notEncodable` if the entity can't be encoded, or `.full` if the visitor has
    ///   2,000 favorites.
    public func add(_ favorite: Favorite) async throws(BrowseError) -> Bool {
        guard let record = FavoriteRecord.data(favorite) else { throw .redis(.notEncodable) }
        return try await change("+", favorite.id, record) { number in
            var added = favorite
            added.sequenceNumber = number
            return .added(added)
        }
    }

    /// Updates those favorites that are stored, one after another.
    public func update(_ favorites: [Favorite]) async throws(BrowseError) {
        for favorite in favorites {
            guard let record = FavoriteRecord.data(favorite) else { continue }
            _ = try await change("=", favorite.id, record) { number in
                var updated = favorite
                updated.sequenceNumber = number
                return .updated(updated)
            }
        }
    }

    /// Removes a favorite; returns `false` if it doesn't exist.
    public func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
        try await change("-", id, "") { .removed(id, sequenceNumber: $0) }
    }

    /// Returns the identities of all favorites.
    public func ids() async throws(BrowseError) -> Set<Favorite.ID> {
        try await read("HKEYS") { [self] names, number in
            last.withLock { $0 = $0 ?? number }
            return Self.ids(names)
        }
    }

    /// The changes from now on, by all processes.
    public var changes: AsyncStream<FavoriteChange> {
        following.withLock { following in
            guard following == nil else { return }
            following = Task { [weak self, changes = client.subscriber.changes(of: topic)] in
                for await _ in changes { await self?.reload() }
            }
        }
        return broadcast.stream()
    }
}

extension RedisFavoriteRepository {
    /// The most values of a visitor: 2,000 favorites, and three others. So no visitor can fill the server.
    private static let countLimit = 2_003

    /// Adds (`+`), updates (`=`), or removes (`-`) a favorite: eight bytes of its position, and its record.
    ///
    /// Returns nothing if that changes nothing; otherwise the number of the change, and the position. Fails if there are too many,
    /// but not if the user may not notify subscribers.
    /// Arguments: the kind of change, identity, record, lifetime, channel, topic.
    private static let change = """
        local key, kind, id = KEYS[1], ARGV[1], ARGV[2]
        local old = redis.call('HGET', key, id)
        if (kind == '+') == (old and true or false) or kind == '=' and string.sub(old, 9) == ARGV[3] then return {} end
        if kind == '+' and redis.call('HLEN', key) >= \(countLimit) then
            return redis.error_reply('FULL too many favorites')
        end
        local number = redis.call('HINCRBY', key, 'changes', 1)
        local position = old and struct.unpack('>I8', old) or number
        if kind == '-' then
            redis.call('HDEL', key, id)
        else
            redis.call('HSET', key, id, struct.pack('>I8', position) .. ARGV[3])
        end
        redis.call('PEXPIRE', key, ARGV[4])
        redis.pcall('PUBLISH', ARGV[5], ARGV[6])
        return {number, position}
        """

    /// Returns the number of changes, then all values, or their names. Argument: the command that reads them.
    private static let read = """
        return {tonumber(redis.call('HGET', KEYS[1], 'changes') or 0), redis.call(ARGV[1], KEYS[1])}
        """

    private func change(
        _ kind: String,
        _ id: Favorite.ID,
        _ record: any RedisWord,
        _ change: @escaping @Sendable (Int64) -> FavoriteChange
    ) async throws(BrowseError) -> Bool {
        let words: [any RedisWord] = [
            "EVAL", Self.change, "1", key, kind, id.description, record, RedisClient.lifetime,
            client.subscriber.channel, topic,
        ]
        // Reported in the order of the replies, which is that of the changes.
        return try await client.send(words) { [self] reply in
            guard let number = reply.elements.first?.integer, let position = reply.elements.last?.integer else {
                return false
            }
            broadcast.send(change(position))
            last.withLock { if $0 == number &- 1 { $0 = number } }
            return true
        }
    }

    private func all() async throws(BrowseError) -> [Favorite] {
        try await read("HGETALL") { [self] values, number throws(BrowseError) in
            last.withLock { $0 = $0 ?? number }
            var favorites: [Favorite] = []
            // A name and a value for each.
            for index in stride(from: 1, to: values.count, by: 2) where Self.isFavorite(values[index - 1]) {
                guard let favorite = values[index].data.flatMap(FavoriteRecord.favorite) else { throw .redis(.damaged) }
                favorites.append(favorite)
            }
            return favorites
        }
    }

    private func read<Value: Sendable>(
        _ command: String,
        _ receive: @escaping @Sendable ([RedisReply], Int64) throws(BrowseError) -> Value
    ) async throws(BrowseError) -> Value {
        try await client.send(["EVAL", Self.read, "1", key, command]) { reply throws(BrowseError) in
            guard let number = reply.elements.first?.integer, let values = reply.elements.last?.elements else {
                throw .redis(.other)
            }
            return try receive(values, number)
        }
    }

    private static func isFavorite(_ name: RedisReply) -> Bool { name.data?.contains(UInt8(ascii: "/")) == true }

    private static func ids(_ names: [RedisReply]) -> Set<Favorite.ID> {
        Set(names.filter(isFavorite).compactMap { $0.text.flatMap(Favorite.ID.init) })
    }

    /// Reads the identities, and reports them if there were changes that listeners don't know.
    private func reload() async {
        // Without the server, the next connection reads again. Its first commands can fail for a moment.
        for _ in 0..<10 {
            let isRead: Void? = try? await read("HKEYS") { [self] names, number in
                let isKnown = last.withLock { last in
                    defer { last = number }
                    // Without an earlier read, nothing was missed.
                    return last == nil || last == number
                }
                if !isKnown { broadcast.send(.replaced(Self.ids(names))) }
            }
            if isRead != nil { return }
            try? await Task.sleep(for: .milliseconds(300))
        }
    }

    private static func cursor(after favorite: Favorite, in order: FavoriteQuery.Order) -> PageCursor {
        PageCursor(rawValue: "\(order) \(favorite.sequenceNumber ?? 0) \(favorite.id) \(favorite.title)")
    }

    /// Returns the order's part of the favorite before a page; `nil` if the cursor isn't one of this order.
    private static func favorite(at cursor: PageCursor, in order: FavoriteQuery.Order) -> Favorite? {
        // At bytes: a title that begins with a combining mark would join the space before it.
        let space = UInt8(ascii: " ")
        let parts = cursor.rawValue.utf8.split(separator: space, maxSplits: 3, omittingEmptySubsequences: false)
            .map(Substring.init)
        guard parts.count == 4, parts[0] == "\(order)", let number = Int64(parts[1]),
            let id = Favorite.ID(String(parts[2]))
        else { return nil }
        let none = Favorite.Payload(version: 0, data: Data())
        return Favorite(id: id, title: String(parts[3]), image: nil, payload: none, sequenceNumber: number)
    }
}

/// The stored format of a favorite: JSON, with the entity as its type encodes it.
private struct FavoriteRecord: Codable {
    private let kind: String
    private let key: String
    private let title: String
    private let image: String?
    private let version: Int
    private let payload: Data

    /// Returns the record of a favorite; `nil` if its entity can't be encoded.
    static func data(_ favorite: Favorite) -> Data? {
        guard let payload = favorite.payload else { return nil }
        let encoder = JSONEncoder()
        // Equal favorites have equal records.
        encoder.outputFormatting = .sortedKeys
        let record = FavoriteRecord(
            kind: favorite.kind.rawValue,
            key: favorite.id.key,
            title: favorite.title,
            image: favorite.image?.rawValue,
            version: payload.version,
            payload: payload.data
        )
        return try? encoder.encode(record)
    }

    /// Returns the favorite with a position and a record.
    static func favorite(_ value: Data) -> Favorite? {
        guard let record = try? JSONDecoder().decode(Self.self, from: Data(value.dropFirst(8))) else { return nil }
        return Favorite(
            id: Favorite.ID(kind: Favorite.Kind(rawValue: record.kind), key: record.key),
            title: record.title,
            image: record.image.map(WebAddress.init(rawValue:)),
            payload: Favorite.Payload(version: record.version, data: record.payload),
            sequenceNumber: value.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
        )
    }
}
