import BrowseDomain
import CBrowseSQLite
import Foundation

/// The cache's database file. It isn't `Sendable`: ``CacheQueue`` owns it.
///
/// Locks of other processes are waited for only briefly, since all of the cache's work waits behind. After that, the cache
/// pauses for a second instead of paying the wait for each request.
final class ResponseStore {
    /// What is to be removed so that it can't be read from any file.
    enum Erasure: Hashable {
        case account(String)
        case everything
    }

    private static let steps = Migrations(steps: [
        [
            """
            CREATE TABLE responses (
                id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, account TEXT, variant TEXT NOT NULL,
                etag TEXT, modified TEXT, head BLOB NOT NULL, checksum INTEGER NOT NULL,
                size INTEGER NOT NULL, date INTEGER NOT NULL, used INTEGER NOT NULL
            )
            """,
            // Apart, so that confirming a response does not write its body again.
            "CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL)",
            """
            CREATE TRIGGER responses_deleted AFTER DELETE ON responses
            BEGIN DELETE FROM bodies WHERE id = old.id; END
            """,
            // No index: each would be written with every use of a response, for what is looked for now and then.
        ]
    ])

    /// How long the cache pauses after it met another process's lock.
    private static let pause = Duration.seconds(1)

    let file: StorageFile
    let space: CacheSpace
    let memory: CacheMemory
    let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let lockTimeout: Duration
    private var connection: (database: Database, identity: StorageFile.Identity?)?
    private var lastUse: Int64 = 0
    /// The time since another process's lock was met last, by any work and by work that writes.
    private var (sinceLock, sinceWriteLock): ((() -> Duration)?, (() -> Duration)?)
    /// What could not be erased yet; nothing is read or written before that is done.
    private var erasures: Set<Erasure> = []
    /// Whether the log may hold what was erased.
    private var mustEmptyLog = false

    init(
        folder: URL,
        byteLimit: Int,
        memory: CacheMemory,
        now: @escaping @Sendable () -> Date,
        clock: any Clock<Duration>,
        lockTimeout: Duration
    ) {
        file = StorageFile(folder: folder, name: "responses.sqlite")
        space = CacheSpace(byteLimit: byteLimit)
        self.memory = memory
        self.now = now
        self.clock = clock
        self.lockTimeout = lockTimeout
    }

    /// A number that grows with each use, in every process: the time, made unique.
    func nextUse() -> Int64 {
        lastUse = max(lastUse + 1, Int64(now().timeIntervalSince1970 * 1_000_000))
        return lastUse
    }
}

extension ResponseStore {
    /// Reads from the database; `nil` when that isn't possible.
    func read<Value>(_ body: (Database) throws(Database.Failure) -> Value) -> Value? {
        guard !isPausing(sinceLock) else { return nil }
        return perform(body) { sinceLock = clock.stopwatch() }
    }

    /// Writes to the database; `nil` when that isn't possible.
    ///
    /// - Parameter waits: Whether to wait for another process that writes.
    func write<Value>(waits: Bool = true, _ body: (Database) throws(Database.Failure) -> Value) -> Value? {
        // While the log can't be emptied, because another process reads, it must not grow.
        guard !isPausing(sinceLock), !isPausing(sinceWriteLock), !isLogFull || emptyLog(.restart) else { return nil }
        return perform { database throws(Database.Failure) in
            waits
                ? try body(database) : try database.withoutWaiting { () throws(Database.Failure) in try body(database) }
        } onLock: {
            if waits { sinceWriteLock = clock.stopwatch() }
        }
    }

    private func isPausing(_ elapsed: (() -> Duration)?) -> Bool {
        elapsed.map { $0() < Self.pause } ?? false
    }

    private func perform<Value>(
        _ body: (Database) throws(Database.Failure) -> Value,
        onLock: () -> Void
    ) -> Value? {
        guard space.byteLimit > 0, settleErasures() else { return nil }
        for _ in 0..<2 {
            do {
                return try body(try open())
            } catch  where Self.isLock(error) {
                onLock()
                return nil
            } catch  where Self.isDamage(error) || file.hasObstacle {
                discard()
            } catch {
                connection = nil
                return nil
            }
        }
        return nil
    }

    /// Whether another process holds a lock.
    private static func isLock(_ error: any Error) -> Bool {
        switch error {
        case let failure as Database.Failure: [SQLITE_BUSY, SQLITE_LOCKED].contains(failure.primary)
        case let failure as StorageFailure: failure.reason == .busy
        default: false
        }
    }

    /// Whether the file is damaged, or isn't one of this version of the SDK.
    private static func isDamage(_ error: any Error) -> Bool {
        switch error {
        case let failure as Database.Failure:
            // The tables are not those that were made here: our statements are right for ours.
            failure.isCorruption || [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(failure.primary)
        case is Migrations.NewerVersion, is CacheSpace.Exceeded: true
        default: false
        }
    }

    private func open() throws -> Database {
        if let connection, connection.identity != nil, connection.identity == file.identity {
            return connection.database
        }
        connection = nil
        return try file.locked(waitingAtMost: lockTimeout) {
            try file.create()
            let identity = file.identity
            let database = try Database(file.url, busyTimeout: lockTimeout)
            try database.run("PRAGMA page_size = \(CacheSpace.pageSize)")
            try database.run("PRAGMA journal_mode = WAL")
            // `settle` does that, when no request waits.
            try database.emptiesLogOnRequest()
            // A body passes through once: a few buffers used again and again stay in the processor's own memory, and what is
            // read again soon is in the system's. In KiB.
            try database.run("PRAGMA cache_size = -256")
            // What is lost with the power can be asked for again.
            try database.run("PRAGMA synchronous = OFF")
            // What somebody has signed out of is not to be found in the file.
            try database.run("PRAGMA secure_delete = ON")
            try Self.steps.run(on: database)
            try Self.checkSchema(of: database)
            // It may lie in the storage folder, which is backed up.
            file.excludeFromBackup()
            try space.check(database)
            // Another process may have replaced the file meanwhile.
            guard identity == file.identity else { throw Database.Failure(code: SQLITE_BUSY) }
            connection = (database, identity)
            memory.removeValidators()
            // A process that was killed may have left what it erased.
            mustEmptyLog = true
            return database
        }
    }

    /// - Throws: `SQLITE_CORRUPT` when the file's schema isn't the one that was created. A changed byte may leave a schema that
    ///   SQLite accepts, but whose rows are never found again.
    private static func checkSchema(of database: Database) throws(Database.Failure) {
        var found: [String] = []
        try database.each("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid") { row in
            found.append(row.text(0))
            return true
        }
        guard found == steps.steps.flatMap(\.self) else { throw Database.Failure(code: SQLITE_CORRUPT) }
    }

    /// Deletes the file; `false` when that isn't possible.
    @discardableResult
    func discard() -> Bool {
        connection = nil
        memory.removeValidators()
        // The lock keeps others from opening the file meanwhile. Where it is held for long, they find out by themselves
        // that the file has been replaced.
        let isRemoved = try? file.locked(waitingAtMost: lockTimeout) { file.removeWithObstacles() }
        return isRemoved ?? file.removeWithObstacles()
    }
}

extension ResponseStore {
    /// Erases responses, so that no file holds them; what can't be erased now is erased before the cache is used again.
    func erase(_ erasure: Erasure) {
        erasures.insert(erasure)
        _ = settleErasures()
    }

    private func settleErasures() -> Bool {
        guard !erasures.isEmpty else { return true }
        if !file.exists || eraseRows() || discard() { erasures = [] }
        return erasures.isEmpty
    }

    /// Removes the rows of accounts from the file and its log; `false` when that isn't possible, or not for long.
    private func eraseRows() -> Bool {
        guard space.byteLimit > 0, !erasures.contains(.everything) else { return false }
        do {
            let database = try open()
            for case .account(let account) in erasures {
                // Deleted bytes are overwritten by way of the log, which must not grow beyond its limit.
                while try deleteRows(of: account, in: database) > 0 {
                    guard try database.emptyLog(.truncate) else { return false }
                }
            }
            guard try database.emptyLog(.truncate) else { return false }
            mustEmptyLog = false
            return true
        } catch {
            return false
        }
    }

    /// Deletes rows of an account as far as the log has room; returns their number.
    private func deleteRows(of account: String, in database: Database) throws(Database.Failure) -> Int {
        var (ids, bytes): ([Int64], Int) = ([], 0)
        try database.each("SELECT id, size FROM responses WHERE account = ?1", [.text(account)]) { row in
            ids.append(row.integer(0))
            bytes += Int(clamping: row.integer(1))
            return bytes < space.logLimit
        }
        try database.transaction { () throws(Database.Failure) in
            try database.delete(ids.map { .integer($0) }, "DELETE FROM responses WHERE id = ?1")
        }
        return ids.count
    }

    private var isLogFull: Bool {
        guard let connection else { return false }
        return connection.database.logPageCount * CacheSpace.pageSize > space.logLimit
    }

    /// Empties the log when it is due; called after each piece of work, when no request waits for it.
    func settle() {
        if mustEmptyLog {
            if emptyLog(.truncate) { mustEmptyLog = false }
        } else if isLogFull {
            _ = emptyLog(.restart)
        }
    }

    /// Moves the log's contents to the file; `false` when another process reads or writes.
    private func emptyLog(_ emptying: Database.LogEmptying) -> Bool {
        guard let connection, connection.identity == file.identity else { return true }
        let isEmpty = try? connection.database.withoutWaiting { () throws(Database.Failure) in
            try connection.database.emptyLog(emptying)
        }
        return isEmpty == true
    }
}
