public import BrowseDomain
public import Foundation

/// Favorites in a SQLite database file, which several processes may use at once.
///
/// The file is opened when it is first needed. What was added or removed is on the disk when the call returns. A file that
/// is damaged is replaced by a sound one with everything that could be read; the damaged one is kept beside it, and
/// `FavoriteChange.recovered` tells of it. A file of a newer version is left alone.
///
/// A file of an older version is replaced by one of this version, with the same rows. Favorites of unknown kinds stay as they are.
/// Favorites are told apart by the service's identifiers, so that each GitHub Enterprise server needs a folder of its own.
public actor SQLiteFavoriteRepository: FavoriteRepository {
    private let file: FavoriteFile
    private let pageSize: Int
    private let executor = QueueExecutor(label: "BrowseKit.favorites")
    private var connection: FavoriteFile.Connection?
    private var hasOpened = false
    private let broadcast = Broadcast<FavoriteChange>()

    /// A queue of its own: SQLite blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a repository; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: Where the file is, or is to be; a folder that is missing is made for its owner alone.
    ///   - pageSize: How many rows a page has; below 1 is raised to that.
    public init(folder: URL, pageSize: Int = 100) {
        file = FavoriteFile(folder: folder)
        self.pageSize = max(1, pageSize)
    }

    /// One page of favorites.
    ///
    /// - Throws: ``BrowseError``: `.storageFailed`, `.refused(.foreignPage)` when the cursor is not one of this order,
    ///   `.cancelled` when the calling task is cancelled.
    public func page(of query: FavoriteQuery, at cursor: PageCursor?) async throws(BrowseError) -> Page<Favorite> {
        guard !Task.isCancelled else { throw .cancelled }
        var place: FavoritePlace?
        if let cursor {
            place = FavoritePlace(cursor, in: query.order)
            guard place != nil else {
                throw .refused(
                    .foreignPage,
                    BrowseError.RequestInfo(endpoint: "SQLiteFavoriteRepository.page(of:at:)")
                )
            }
        }
        return try read { [pageSize] table throws(Database.Failure) in
            try table.page(of: query, after: place, size: pageSize)
        }
    }

    /// Adds a favorite behind all others; returns `false` if it's there already, in which case nothing changes.
    ///
    /// - Throws: ``BrowseError``: `.storageFailed`, with the reason `.notEncodable` if the entity can't be encoded.
    public func add(_ favorite: Favorite) async throws(BrowseError) -> Bool {
        guard let payload = favorite.payload else { throw file.notEncodable }
        return try write(.added(favorite)) { table throws(Database.Failure) in try table.insert(favorite, payload) }
    }

    /// Forgets a favorite; `false` when it was not there.
    public func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
        try write(.removed(id)) { table throws(Database.Failure) in try table.delete(id) }
    }

    /// Everything that is kept, as identities.
    public func ids() async throws(BrowseError) -> Set<Favorite.ID> {
        try read { table throws(Database.Failure) in try table.ids() }
    }

    /// Every change from now on, also those of other processes, as soon as this one uses the file again.
    public nonisolated var changes: AsyncStream<FavoriteChange> { broadcast.stream() }
}

extension SQLiteFavoriteRepository {
    private typealias Operation<Result> = (FavoriteTable) throws(Database.Failure) -> Result

    /// How often an operation is tried: once more after a rescue, and after another process has replaced the file.
    private static var attempts: Int { 4 }

    private func read<Result>(_ operation: Operation<Result>) throws(BrowseError) -> Result {
        let result = try perform { connection throws(Database.Failure) in try operation(connection.table) }
        tellOfOthers()
        return result
    }

    private func write(_ change: FavoriteChange, _ operation: Operation<Bool>) throws(BrowseError) -> Bool {
        var hasChanged = false
        var isKept = false
        for _ in 0..<Self.attempts where !isKept {
            isKept = try perform { connection throws(Database.Failure) in
                let changed = try operation(connection.table)
                hasChanged = hasChanged || changed
                // What was written into a file that is no longer there is not written.
                return connection.isCurrent
            }
        }
        guard isKept else { throw file.vanished }
        if hasChanged { broadcast.send(change) }
        tellOfOthers()
        return hasChanged
    }

    private func perform<Result>(
        _ operation: (FavoriteFile.Connection) throws(Database.Failure) -> Result
    ) throws(BrowseError) -> Result {
        var attempt = 1
        while true {
            do {
                return try operation(try connect())
            } catch let failure as Database.Failure where failure.isDamage && attempt < Self.attempts {
                try rescue()
            } catch {
                connection = nil
                throw file.error(error)
            }
            attempt += 1
        }
    }

    private func connect() throws -> FavoriteFile.Connection {
        if let connection, connection.isCurrent { return connection }
        self.connection = nil
        let connection = try file.open()
        self.connection = connection
        // What happened to the file since it was closed, nobody has told.
        if hasOpened, broadcast.hasListeners { broadcast.send(.replaced(try connection.table.ids())) }
        hasOpened = true
        return connection
    }

    private func rescue() throws(BrowseError) {
        connection = nil
        do {
            guard let recovery = try file.rescue() else { return }
            broadcast.send(.recovered(recovery), isReplayed: true)
            let connection = try file.open()
            self.connection = connection
            broadcast.send(.replaced(try connection.table.ids()))
        } catch {
            throw file.error(error)
        }
    }

    /// Another process leaves no word of what it did, so everything is read again, if anybody wants to know.
    private func tellOfOthers() {
        guard broadcast.hasListeners else { return }
        // What was asked for is done by now; a failure here shows at the next call.
        let ids = try? perform { connection throws(Database.Failure) in
            try connection.othersHaveWritten() ? try connection.table.ids() : nil
        }
        if let ids { broadcast.send(.replaced(ids)) }
    }
}
