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
        var last: Data?
        if let cursor {
            guard let member = Self.member(of: cursor, in: query.order) else {
                throw .refused(.foreignPage, BrowseError.RequestInfo(endpoint: "RedisFavoriteRepository.page(of:at:)"))
            }
            last = member
        }
        var rows: [(member: Data, favorite: Favorite)] = []
        // One more row than the page tells whether there is another page.
        let count = pageSize + 1
        var batch: [(member: Data, favorite: Favorite)]
        repeat {
            batch = try await self.rows(after: last, in: query.order, count: count)
            rows += batch.filter { query.includes($0.favorite) }
            last = batch.last?.member
        } while batch.count == count && rows.count < count
        let page = rows.prefix(pageSize)
        let next = rows.count > pageSize ? page.last.map { Self.cursor(of: $0.member, in: query.order) } : nil
        return Page(items: page.map(\.favorite), next: next)
    }

    /// Adds a favorite at the end; returns `false` and changes nothing if it exists.
    ///
    /// - Throws: `.storageFailed`, with the reason `.notEncodable` if the entity can't be encoded, or `.other` if the visitor has
    ///   2,000 favorites; `.cancelled` if the task is canceled before the command is sent.
    public func add(_ favorite: Favorite) async throws(BrowseError) -> Bool {
        guard let arguments = arguments(for: favorite) else {
            throw .storageFailed(StorageFailure(reason: .notEncodable, file: "Redis"))
        }
        return try await change(FavoriteScripts.add, arguments) { number in
            var added = favorite
            added.sequenceNumber = number
            return .added(added)
        }
    }

    /// Updates those favorites that are stored, one after another.
    public func update(_ favorites: [Favorite]) async throws(BrowseError) {
        for var favorite in favorites {
            guard let arguments = arguments(for: favorite) else { continue }
            _ = try await change(FavoriteScripts.update, arguments) { number in
                favorite.sequenceNumber = number
                return .updated(favorite)
            }
        }
    }

    /// Removes a favorite; returns `false` if it doesn't exist.
    public func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
        let arguments = [id.field, Data(client.subscriber.channel.utf8), VisitorKeys.lifetime.milliseconds]
        return try await change(FavoriteScripts.remove, arguments) { .removed(id, sequenceNumber: $0) }
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
    /// Returns the arguments for adding or updating a favorite; `nil` if its entity can't be encoded.
    private func arguments(for favorite: Favorite) -> [Data]? {
        let encoder = JSONEncoder()
        // Equal favorites have equal records.
        encoder.outputFormatting = .sortedKeys
        guard let payload = favorite.payload, let record = try? encoder.encode(FavoriteRecord(favorite, payload)) else {
            return nil
        }
        return [
            favorite.id.field, record, FavoriteSortKey(favorite).bytes, Data(client.subscriber.channel.utf8),
            VisitorKeys.lifetime.milliseconds,
        ]
    }

    private func change(
        _ script: String,
        _ arguments: [Data],
        _ change: (Int64) -> FavoriteChange
    ) async throws(BrowseError) -> Bool {
        let reply = try await run(script, keys: visitorKeys.all, arguments, isRead: false)
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

    private func rows(
        after last: Data?,
        in order: FavoriteQuery.Order,
        count: Int
    ) async throws(BrowseError) -> [(member: Data, favorite: Favorite)] {
        let reply = try await run(
            FavoriteScripts.page,
            keys: Array(visitorKeys.favorites.prefix(3)) + [items + ":" + Self.name(of: order)],
            [last.map { Data("(".utf8) + $0 } ?? Data("-".utf8), Data("\(count)".utf8)]
        )
        guard let number = reply.first?.integer else { throw RedisFailure.unexpectedReply.browseError }
        reported.start(at: number)
        var rows: [(member: Data, favorite: Favorite)] = []
        for index in stride(from: 1, to: reply.count - 2, by: 3) {
            guard let member = reply[index].data, let position = reply[index + 1].integer,
                let data = reply[index + 2].data,
                let record = try? JSONDecoder().decode(FavoriteRecord.self, from: data)
            else { throw .storageFailed(StorageFailure(reason: .damaged, file: "Redis")) }
            rows.append((member, record.favorite(sequenceNumber: position)))
        }
        return rows
    }

    private func identities() async throws(BrowseError) -> (Set<Favorite.ID>, Int64) {
        let reply = try await run(FavoriteScripts.identities, keys: [items, items + ":meta"], [])
        guard let number = reply.first?.integer else { throw RedisFailure.unexpectedReply.browseError }
        return (Set(reply.dropFirst().compactMap { $0.data.flatMap(Favorite.ID.init(field:)) }), number)
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
            return Favorite.ID(field: rest).map { (.removed($0, sequenceNumber: position), number) }
        default:
            return nil
        }
    }

    private static func name(of order: FavoriteQuery.Order) -> String {
        switch order {
        case .added: "added"
        case .name: "name"
        }
    }

    private static func cursor(of member: Data, in order: FavoriteQuery.Order) -> PageCursor {
        PageCursor(rawValue: name(of: order) + " " + member.base64EncodedString())
    }

    private static func member(of cursor: PageCursor, in order: FavoriteQuery.Order) -> Data? {
        let prefix = name(of: order) + " "
        guard cursor.rawValue.hasPrefix(prefix),
            let member = Data(base64Encoded: String(cursor.rawValue.dropFirst(prefix.count)))
        else { return nil }
        return member
    }
}
