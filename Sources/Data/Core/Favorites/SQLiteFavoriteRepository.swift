public import BrowseDomain
import Dispatch
public import Foundation

/// A repository of favorites in a SQLite database file, which several processes can share.
///
/// The file is opened at its first use, and changes are durable when the call returns. A damaged file is replaced with one that
/// has all readable rows; it stays in the folder under another name, and `FavoriteChange.recovered` reports it. Files of newer versions
/// aren't changed, and favorites of unknown kinds are preserved.
///
/// Identifiers are unique per server only, so each server of a service needs its own folder.
public actor SQLiteFavoriteRepository: FavoriteRepository {
    private var file: FavoriteFile
    private let pageSize: Int
    private let executor = QueueExecutor()
    private var hasOpened = false
    private let broadcast = Broadcast<FavoriteChange>()

    /// An executor with its own dispatch queue, because SQLite blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a repository without opening the file.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file; created with permissions for its owner only if it doesn't exist.
    ///   - pageSize: The number of rows per page, clamped to 1 through 100,000.
    public init(folder: URL, pageSize: Int = 100) {
        file = FavoriteFile(folder: folder)
        self.pageSize = pageSize.clamped(to: 1...100_000)
    }

    /// Returns one page of favorites.
    ///
    /// - Throws: `BrowseError`: `.storageFailed`, `.refused(.foreignPage)` if the cursor isn't one of this order, `.cancelled`
    ///   if the calling task is canceled.
    public func page(of query: FavoriteQuery, at cursor: PageCursor?) async throws(BrowseError) -> Page<Favorite> {
        guard !Task.isCancelled else { throw .cancelled }
        let last = cursor.flatMap { FavoriteCursor($0, in: query.order) }
        guard cursor == nil || last != nil else {
            throw .refused(.foreignPage, BrowseError.RequestInfo(endpoint: "SQLiteFavoriteRepository.page(of:at:)"))
        }
        return try read { [pageSize] table throws(Database.Failure) in
            try table.page(of: query, after: last, size: pageSize)
        }
    }

    /// Adds a favorite at the end; returns `false` and changes nothing if it exists.
    ///
    /// - Throws: `BrowseError.storageFailed`, with the reason `.notEncodable` if the entity can't be encoded.
    public func add(_ favorite: Favorite) async throws(BrowseError) -> Bool {
        guard let payload = favorite.payload else { throw file.error(StorageFailure.Reason.notEncodable) }
        return try write { table throws(Database.Failure) in
            try table.insert(favorite, payload)
        } change: { number in
            var added = favorite
            added.sequenceNumber = number
            return .added(added)
        }
    }

    /// Updates those favorites that are stored, one after another.
    ///
    /// - Throws: `BrowseError.storageFailed`; later ones aren't updated then.
    public func update(_ favorites: [Favorite]) async throws(BrowseError) {
        for var favorite in favorites {
            guard let payload = favorite.payload else { continue }
            _ = try write { table throws(Database.Failure) in
                try table.update(favorite, payload)
            } change: { number in
                favorite.sequenceNumber = number
                return .updated(favorite)
            }
            // A tap doesn't wait for a page of updates.
            await Task.yield()
        }
    }

    /// Removes a favorite; returns `false` if it doesn't exist.
    public func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
        try write { table throws(Database.Failure) in
            try table.delete(id)
        } change: {
            .removed(id, sequenceNumber: $0)
        }
    }

    /// Returns the identifiers of all favorites.
    public func ids() async throws(BrowseError) -> Set<Favorite.ID> {
        try read { table throws(Database.Failure) in try table.ids() }
    }

    /// The changes from now on; changes by other processes are reported at the next use of the file.
    public nonisolated var changes: AsyncStream<FavoriteChange> { broadcast.stream() }
}

extension SQLiteFavoriteRepository {
    private typealias Operation<Result> = (FavoriteTable) throws(Database.Failure) -> Result

    /// The maximum number of attempts; operations are retried after the file is recovered or replaced.
    private static var attempts: Int { 4 }

    private func read<Result>(_ operation: Operation<Result>) throws(BrowseError) -> Result {
        let result = try perform { table in try operation(table) }
        reportExternalChanges()
        return result
    }

    /// Writes, and reports the change, unless the operation returns no sequence number.
    private func write(_ operation: Operation<Int64?>, change: (Int64) -> FavoriteChange) throws(BrowseError) -> Bool {
        var changed: Int64?
        var isDone = false
        for _ in 0..<Self.attempts where !isDone {
            isDone = try perform { table in
                // A write to a file that is deleted meanwhile is lost, and repeated.
                try file.write { changed = try operation(table) ?? changed }
            }
        }
        // The file was replaced or deleted during every attempt.
        guard isDone else { throw file.error(StorageFailure.Reason.other) }
        if let changed { broadcast.send(change(changed)) }
        reportExternalChanges()
        return changed != nil
    }

    private func perform<Result>(_ operation: (FavoriteTable) throws -> Result) throws(BrowseError) -> Result {
        var attempt = 1
        while true {
            do {
                return try operation(try open())
            } catch let failure as Database.Failure where failure.isDamage && attempt < Self.attempts {
                try recover()
            } catch {
                file.close()
                throw file.error(error)
            }
            attempt += 1
        }
    }

    private func open() throws -> FavoriteTable {
        try file.open { table in
            // The file may have changed while it was closed.
            if hasOpened, broadcast.hasListeners { broadcast.send(.replaced(try table.ids())) }
            hasOpened = true
        }
    }

    private func recover() throws(BrowseError) {
        do {
            guard let recovery = try file.recover() else { return }
            broadcast.send(.recovered(recovery), isReplayed: true)
            // Opening the new file reports its rows.
            hasOpened = true
        } catch {
            throw file.error(error)
        }
    }

    /// Sends all identifiers if another process has written; SQLite doesn't report individual changes.
    private func reportExternalChanges() {
        guard broadcast.hasListeners else { return }
        // The caller's operation has succeeded; a failure here recurs at the next call.
        let ids = try? perform { table in try table.database.hasExternalChanges() ? try table.ids() : nil }
        if let ids { broadcast.send(.replaced(ids)) }
    }
}

/// An executor that runs an actor on its own dispatch queue.
///
/// SQLite blocks on the disk and on other processes' locks. On the concurrency pool, with one thread per core, that would
/// stall other tasks.
final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "BrowseKit.favorites")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
