public import BrowseDomain
public import Foundation
import Synchronization

/// A repository of favorites in a SQLite database file, which several processes can share.
///
/// The file is opened at its first use, and changes are durable when the call returns. A damaged
/// file is replaced with one that has all readable rows; it stays in the folder under another name,
/// and `FavoriteChange.recovered` reports it. Files of newer versions aren't changed, and favorites
/// of unknown kinds are preserved.
///
/// Identifiers are unique per server only, so each server of a service needs its own folder.
public actor SQLiteFavoriteRepository: FavoriteRepository {
    private var opened: FavoriteFile
    private nonisolated let file: StorageFile
    private let pageSize: Int
    private nonisolated let queue: QueueExecutor
    private var hasOpened = false
    private let broadcast = Broadcast<FavoriteChange>()

    /// An executor with its own dispatch queue, because SQLite blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// The repositories that are in use, by the paths of their folders.
    private static let repositories = Mutex<[String: WeakReference]>([:])

    private struct WeakReference {
        weak var repository: SQLiteFavoriteRepository?
    }

    /// Returns the repository of a folder that this process uses already, or else a new one.
    ///
    /// Containers and windows of a process share it, so each of them shows a change at once. It's
    /// released with its last user.
    public static func shared(in folder: URL) -> SQLiteFavoriteRepository {
        let path = folder.resolvingSymlinksInPath().standardizedFileURL.path(percentEncoded: false)
        let key = path.hasSuffix("/") ? String(path.dropLast()) : path
        return repositories.withLock { repositories in
            if let open = repositories[key]?.repository { return open }
            repositories = repositories.filter { $0.value.repository != nil }
            let repository = SQLiteFavoriteRepository(folder: folder)
            repositories[key] = WeakReference(repository: repository)
            return repository
        }
    }

    /// Creates a repository without opening the file.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file; created with permissions for its owner only if it
    ///     doesn't exist.
    ///   - pageSize: The number of rows per page, clamped to 1 through 100,000.
    public init(folder: URL, pageSize: Int = 100) {
        self.init(folder: folder, pageSize: pageSize, on: QueueExecutor("favorites", patience: .seconds(10)))
    }

    /// - Parameter queue: Runs all that accesses files.
    init(folder: URL, pageSize: Int = 100, on queue: QueueExecutor) {
        self.queue = queue
        opened = FavoriteFile(folder: folder, on: queue)
        file = opened.file
        self.pageSize = pageSize.clamped(to: 1...100_000)
    }

    /// Returns one page of favorites.
    ///
    /// - Throws: `BrowseError`: `.storageFailed`, `.refused(.foreignPage)` if the cursor isn't one
    ///   of this order, `.cancelled` if the calling task is canceled.
    public nonisolated func page(
        of query: FavoriteQuery,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<Favorite> {
        let last = cursor.flatMap { FavoriteCursor($0, in: query.order) }
        guard cursor == nil || last != nil else {
            throw .refused(.foreignPage, BrowseError.RequestInfo(endpoint: "SQLiteFavoriteRepository.page(of:at:)"))
        }
        return try await read { [pageSize] table throws(Database.Failure) in
            try table.page(of: query, after: last, size: pageSize)
        }
    }

    /// Adds a favorite at the end; returns `false` and changes nothing if it exists.
    ///
    /// - Throws: `BrowseError.storageFailed`, with the reason `.notEncodable` if the entity can't
    ///   be encoded.
    public nonisolated func add(_ favorite: Favorite) async throws(BrowseError) -> Bool {
        guard let payload = favorite.payload else { throw file.error(StorageFailure.Reason.notEncodable) }
        return try await write { table throws(Database.Failure) in
            try table.insert(favorite, payload)
        } change: { number in
            .added(modified(favorite) { $0.sequenceNumber = number })
        }
    }

    /// Updates those favorites that are stored, one after another.
    ///
    /// - Throws: `BrowseError.storageFailed`; later ones aren't updated then.
    public nonisolated func update(_ favorites: [Favorite]) async throws(BrowseError) {
        // One at a time: a tap doesn't wait for a page of updates.
        for favorite in favorites {
            guard let payload = favorite.payload else { continue }
            _ = try await write { table throws(Database.Failure) in
                try table.update(favorite, payload)
            } change: { number in
                .updated(modified(favorite) { $0.sequenceNumber = number })
            }
        }
    }

    /// Removes a favorite; returns `false` if it doesn't exist.
    public nonisolated func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
        try await write { table throws(Database.Failure) in
            try table.delete(id)
        } change: {
            .removed(id, sequenceNumber: $0)
        }
    }

    /// Returns the identifiers of all favorites.
    public nonisolated func ids() async throws(BrowseError) -> Set<Favorite.ID> {
        try await read { table throws(Database.Failure) in try table.ids() }
    }

    /// Reports changes by other processes, unless nobody observes ``changes``.
    public nonisolated func reportExternalChanges() async {
        guard broadcast.hasListeners else { return }
        _ = try? await queued { repository throws(BrowseError) in
            // Opening would create the file, also for those who never have favorites. Once there
            // is one, its rows are reported.
            guard repository.opened.isOpen || repository.file.identity != nil else {
                return repository.hasOpened = true
            }
            repository.reportForeignChanges()
        }
    }

    /// Ends the report of a recovery to later streams.
    public nonisolated func endRecoveryReport() { broadcast.endReplay() }

    /// The changes from now on; changes by other processes are reported at the next use of the
    /// file.
    public nonisolated var changes: AsyncStream<FavoriteChange> { broadcast.stream() }
}

extension SQLiteFavoriteRepository {
    private typealias Operation<Result> = @Sendable (FavoriteTable) throws(Database.Failure) -> Result

    /// The maximum number of attempts; operations are retried after the file is recovered or
    /// replaced.
    private static var attempts: Int { 4 }

    private nonisolated func read<Value: Sendable>(
        _ operation: @escaping Operation<Value>
    ) async throws(BrowseError) -> Value {
        try await queued { repository throws(BrowseError) in
            let result = try repository.perform { table in try operation(table) }
            repository.reportForeignChanges()
            return result
        }
    }

    /// Writes, and reports the change, unless the operation returns no sequence number.
    private nonisolated func write(
        _ operation: @escaping Operation<Int64?>,
        change: @escaping @Sendable (Int64) -> FavoriteChange
    ) async throws(BrowseError) -> Bool {
        try await queued(isChange: true) { repository throws(BrowseError) in
            var changed: Int64?
            var isDone = false
            for _ in 0..<Self.attempts where !isDone {
                isDone = try repository.perform { table in
                    // A write to a file that is deleted meanwhile is lost, and repeated.
                    try repository.opened.write { changed = try operation(table) ?? changed }
                }
            }
            // The file was replaced or deleted during every attempt.
            guard isDone else { throw repository.file.error(StorageFailure.Reason.other) }
            if let changed { repository.broadcast.send(change(changed)) }
            repository.reportForeignChanges()
            return changed != nil
        }
    }

    /// Runs work on the queue, unless it can't begin in time.
    ///
    /// - Parameter isChange: Whether canceling the task doesn't end the wait.
    private nonisolated func queued<Value: Sendable>(
        isChange: Bool = false,
        _ work: @escaping @Sendable (isolated SQLiteFavoriteRepository) throws(BrowseError) -> Value
    ) async throws(BrowseError) -> Value {
        let result = await queue.run(isCancellable: !isChange) { [self] in
            assumeIsolated { repository in Result { () throws(BrowseError) in try work(repository) } }
        }
        if let result { return try result.get() }
        throw Task.isCancelled && !isChange ? .cancelled : file.error(StorageFailure.Reason.busy)
    }

    private func perform<Result>(_ operation: (FavoriteTable) throws -> Result) throws(BrowseError) -> Result {
        var attempt = 1
        while true {
            do {
                return try operation(try open())
            } catch let failure as Database.Failure where failure.isDamage && attempt < Self.attempts {
                try recover()
            } catch {
                opened.close()
                throw file.error(error)
            }
            attempt += 1
        }
    }

    private func open() throws -> FavoriteTable {
        try opened.open { table in
            // The file may have changed while it was closed.
            if hasOpened, broadcast.hasListeners { broadcast.send(.replaced(try table.ids())) }
            hasOpened = true
        }
    }

    private func recover() throws(BrowseError) {
        do {
            guard let recovery = try opened.recover() else { return }
            broadcast.send(.recovered(recovery), isReplayed: true)
            // Opening the new file reports its rows.
            hasOpened = true
        } catch {
            throw file.error(error)
        }
    }

    /// Sends all identifiers if another process has written; SQLite doesn't report individual
    /// changes.
    private func reportForeignChanges() {
        guard broadcast.hasListeners else { return }
        // The caller's operation has succeeded; a failure here recurs at the next call.
        let ids = try? perform { table in try table.database.hasExternalChanges() ? try table.ids() : nil }
        if let ids { broadcast.send(.replaced(ids)) }
    }
}
