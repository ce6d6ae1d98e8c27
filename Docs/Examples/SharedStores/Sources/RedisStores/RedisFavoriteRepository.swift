public import BrowseKit
import Foundation
import Synchronization

/// The favorites of one visitor in Redis.
///
/// Changes by all processes are reported in their order. After the connection was lost, ``changes`` reports all favorites if any
/// changed. A failure with the reason `.unavailable` may leave the change applied, if the connection ended before the reply; it's
/// safe to repeat it, and changes report it.
///
/// Favorites are as durable as the server's configuration: use `appendonly yes`, and `appendfsync always` if none may be lost in
/// a power failure.
public final class RedisFavoriteRepository: FavoriteRepository {
    private let client: RedisClient
    private let items: String
    private let visitorKeys: VisitorKeys
    private let pageSize: Int
    private let reported = FavoriteChanges()
    /// Ends the subscription, once there is one.
    private let subscription = Mutex<(@Sendable () -> Void)?>(nil)

    /// Creates a repository without accessing the server.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - visitor: The identifier of the visitor, the same in all processes.
    ///   - pageSize: The number of rows per page; at least 1.
    public init(_ client: RedisClient, visitor: String, pageSize: Int = 100) {
        self.client = client
        visitorKeys = VisitorKeys(of: visitor, client)
        items = visitorKeys.favorites[0]
        self.pageSize = max(1, pageSize)
    }

    deinit { subscription.withLock { $0 }?() }

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
    /// - Throws: `.storageFailed`, with the reason `.notEncodable` if the entity can't be encoded, or `.other` if the visitor has
    ///   2,000 favorites; `.cancelled` if the task is canceled before the command is sent.
    public func add(_ favorite: Favorite) async throws(BrowseError) -> Bool {
        guard let record = Self.record(of: favorite) else {
            throw .storageFailed(StorageFailure(reason: .notEncodable, file: "Redis"))
        }
        return try await change("+", favorite.id, record) { number in
            var added = favorite
            added.sequenceNumber = number
            return .added(added)
        }
    }

    /// Updates those favorites that are stored, one after another.
    public func update(_ favorites: [Favorite]) async throws(BrowseError) {
        for var favorite in favorites {
            guard let record = Self.record(of: favorite) else { continue }
            _ = try await change("=", favorite.id, record) { number in
                favorite.sequenceNumber = number
                return .updated(favorite)
            }
        }
    }

    /// Removes a favorite; returns `false` if it doesn't exist.
    public func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
        try await change("-", id, Data()) { .removed(id, sequenceNumber: $0) }
    }

    /// Returns the identities of all favorites.
    public func ids() async throws(BrowseError) -> Set<Favorite.ID> {
        let (ids, number) = try await identities()
        reported.start(at: number)
        return ids
    }

    /// The changes from now on, by all processes.
    public var changes: AsyncStream<FavoriteChange> {
        let stream = reported.stream()
        subscription.withLock { subscription in
            guard subscription == nil else { return }
            subscription = client.subscriber.subscribe(to: items) { [weak self] event in self?.handle(event) }
        }
        return stream
    }
}

extension RedisFavoriteRepository {
    /// Returns the record of a favorite; `nil` if its entity can't be encoded.
    private static func record(of favorite: Favorite) -> Data? {
        let encoder = JSONEncoder()
        // Equal favorites have equal records.
        encoder.outputFormatting = .sortedKeys
        return favorite.payload.flatMap { try? encoder.encode(FavoriteRecord(favorite, $0)) }
    }

    private func change(
        _ kind: String,
        _ id: Favorite.ID,
        _ record: Data,
        _ change: (Int64) -> FavoriteChange
    ) async throws(BrowseError) -> Bool {
        let channel = Data(client.subscriber.channel.utf8)
        let arguments = [
            Data(kind.utf8), Data(id.description.utf8), record, channel, VisitorKeys.lifetime.milliseconds,
        ]
        let reply = try await run(FavoriteScripts.change, keys: visitorKeys.all, arguments, isRead: false)
        guard reply.count == 3, let count = reply[0].integer, let number = reply[1].integer,
            let position = reply[2].integer
        else { throw RedisFailure.unexpectedReply.browseError }
        if count == 0 {
            reported.start(at: number)
        } else if !reported.report(change(position), number) {
            await reload()
        }
        return count > 0
    }

    private func all() async throws(BrowseError) -> [Favorite] {
        let reply = try await run(FavoriteScripts.read, keys: visitorKeys.favorites, [Data("HGETALL".utf8)])
        guard let number = reply.first?.integer else { throw RedisFailure.unexpectedReply.browseError }
        reported.start(at: number)
        var favorites: [Favorite] = []
        // An identity and a value for each.
        for index in stride(from: 2, to: reply.count, by: 2) {
            guard let value = reply[index].data, value.count > 8,
                let record = try? JSONDecoder().decode(FavoriteRecord.self, from: Data(value.dropFirst(8)))
            else { throw .storageFailed(StorageFailure(reason: .damaged, file: "Redis")) }
            let position = value.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
            favorites.append(record.favorite(sequenceNumber: position))
        }
        return favorites
    }

    private func identities() async throws(BrowseError) -> (Set<Favorite.ID>, Int64) {
        let reply = try await run(FavoriteScripts.read, keys: visitorKeys.favorites, [Data("HKEYS".utf8)])
        guard let number = reply.first?.integer else { throw RedisFailure.unexpectedReply.browseError }
        return (Set(reply.dropFirst().compactMap { $0.text.flatMap(Favorite.ID.init) }), number)
    }

    private func run(
        _ script: String,
        keys: [String],
        _ arguments: [Data],
        isRead: Bool = true
    ) async throws(BrowseError) -> [RedisReply] {
        do throws(RedisFailure) {
            guard let reply = try await client.run(script, keys: keys, arguments, isRead: isRead).array else {
                throw .unexpectedReply
            }
            return reply
        } catch {
            throw error.browseError
        }
    }

    /// Handles an event on the subscriber's thread.
    private func handle(_ event: RedisSubscriber.Event) {
        if case .changed(let payload) = event, let (change, number) = Self.change(payload),
            reported.report(change, number)
        {
            return
        }
        Task { await reload() }
    }

    /// Reads all favorites, and reports them if changes were missed.
    private func reload() async {
        var attempts = 0
        while true {
            let last = reported.last
            // Without the server, the next connection reads again. Its first commands can fail for a moment.
            guard let (ids, number) = try? await identities() else {
                attempts += 1
                guard attempts < 10 else { return }
                try? await Task.sleep(for: .milliseconds(300))
                continue
            }
            if reported.replace(with: ids, at: number, ifStill: last) { return }
        }
    }

    /// Parses a notification of three lines.
    ///
    /// They are the number, the position after `+`, `=`, or `-`, and the record or the identity.
    private static func change(_ payload: Data) -> (FavoriteChange, Int64)? {
        let lines = payload.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3, let number = Int64(String(decoding: lines[0], as: UTF8.self)),
            let position = Int64(String(decoding: lines[1].dropFirst(), as: UTF8.self))
        else { return nil }
        let rest = Data(lines[2])
        switch lines[1].first {
        case UInt8(ascii: "+"), UInt8(ascii: "="):
            guard let record = try? JSONDecoder().decode(FavoriteRecord.self, from: rest) else { return nil }
            let favorite = record.favorite(sequenceNumber: position)
            return (lines[1].first == UInt8(ascii: "+") ? .added(favorite) : .updated(favorite), number)
        case UInt8(ascii: "-"):
            return Favorite.ID(String(decoding: rest, as: UTF8.self)).map {
                (.removed($0, sequenceNumber: position), number)
            }
        default:
            return nil
        }
    }

    private static func cursor(after favorite: Favorite, in order: FavoriteQuery.Order) -> PageCursor {
        PageCursor(rawValue: "\(order) \(favorite.sequenceNumber ?? 0) \(favorite.id) \(favorite.title)")
    }

    /// Returns the order's part of the favorite before a page; `nil` if the cursor isn't one of this order.
    private static func favorite(at cursor: PageCursor, in order: FavoriteQuery.Order) -> Favorite? {
        let parts = cursor.rawValue.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "\(order)", let number = Int64(parts[1]),
            let id = Favorite.ID(String(parts[2]))
        else { return nil }
        return Favorite(
            id: id,
            title: String(parts[3]),
            image: nil,
            payload: .init(version: 0, data: Data()),
            sequenceNumber: number
        )
    }
}
