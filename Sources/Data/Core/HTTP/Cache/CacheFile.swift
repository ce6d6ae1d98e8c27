import BrowseDomain
import CBrowseSQLite
import Foundation

/// The cache's database file. It isn't `Sendable`: ``CacheQueue`` owns it.
///
/// It waits only briefly for other processes' locks, because the cache's work is serial. After a wait times out, the cache
/// pauses for a second, so that not every request waits.
final class CacheFile {
    private static let migrations = Migrations(steps: [
        [
            """
            CREATE TABLE responses (
                id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, account TEXT, variant TEXT NOT NULL,
                etag TEXT, modified TEXT, head BLOB NOT NULL, checksum INTEGER NOT NULL,
                size INTEGER NOT NULL, date INTEGER NOT NULL, used INTEGER NOT NULL
            )
            """,
            // A table of its own, so that a confirmation doesn't rewrite the body.
            "CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL)",
            """
            CREATE TRIGGER responses_deleted AFTER DELETE ON responses
            BEGIN DELETE FROM bodies WHERE id = old.id; END
            """,
            // No further index: each would be updated at every use of a response, but rarely searched.
        ]
    ])

    /// The pause after a wait for another process's lock timed out.
    private static let pause = Duration.seconds(1)

    let file: StorageFile
    let space: CacheSpace
    let memory: CacheMemory
    let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private var database: DatabaseFile
    private var lastUse: Int64 = 0
    /// The time since a wait for a lock timed out: for any work, and for writes.
    private var (sinceLock, sinceWriteLock): ((() -> Duration)?, (() -> Duration)?)
    /// Pending erasures; the cache isn't used until they are done.
    private var erasures: Set<CacheErasure> = []
    /// Whether the log may contain erased bytes.
    private var mustTruncateLog = false

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
        database = DatabaseFile(
            file,
            Self.migrations,
            // A response lost in a power failure can be requested again.
            isCache: true,
            // 256 KiB: each body is used once, and few buffers fit into the processor's caches. Rows that are read again soon
            // are in the system's page cache.
            settings: ["page_size = \(CacheSpace.pageSize)", "cache_size = -256"],
            lockTimeout: lockTimeout
        )
    }

    /// Returns the time of a use in microseconds, increased if necessary to exceed the previous one.
    ///
    /// It orders the uses in all processes.
    func nextUse() -> Int64 {
        lastUse = max(lastUse + 1, Int64(now().timeIntervalSince1970 * 1_000_000))
        return lastUse
    }
}

extension CacheFile {
    /// Reads from the database; `nil` if that isn't possible.
    func read<Value>(_ body: (Database) throws(Database.Failure) -> Value) -> Value? {
        guard !isPausing(sinceLock) else { return nil }
        return perform(body) { sinceLock = clock.stopwatch() }
    }

    /// Writes to the database; `nil` if that isn't possible.
    ///
    /// - Parameter waits: Whether to wait while another process writes.
    func write<Value>(waits: Bool = true, _ body: (Database) throws(Database.Failure) -> Value) -> Value? {
        // The log must not grow while a reader in another process prevents emptying it.
        guard !isPausing(sinceLock), !isPausing(sinceWriteLock), !isLogFull || checkpoint(.restart) else { return nil }
        return perform { database throws(Database.Failure) in
            waits
                ? try body(database) : try database.withoutWaiting { () throws(Database.Failure) in try body(database) }
        } onLock: {
            if waits { sinceWriteLock = clock.stopwatch() }
        }
    }

    private func isPausing(_ elapsed: (() -> Duration)?) -> Bool { elapsed.map { $0() < Self.pause } ?? false }

    private func perform<Value>(_ body: (Database) throws(Database.Failure) -> Value, onLock: () -> Void) -> Value? {
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
                database.close()
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

    /// Whether the file is damaged, or from another version of the SDK.
    private static func isDamage(_ error: any Error) -> Bool {
        switch error {
        case let failure as Database.Failure: failure.isDamage
        case is Migrations.NewerVersion, is CacheSpace.Exceeded: true
        default: false
        }
    }

    private func open() throws -> Database {
        try database.open { database in
            // `settle` empties the log when no request waits.
            try database.disableAutomaticCheckpoints()
            try space.check(database)
            let keys = try storedKeys(in: database)
            memory.removeFile()
            memory.setStoredKeys(keys)
            // A process that was killed may have left erased bytes in the log.
            mustTruncateLog = true
        }
    }

    /// Returns the hash values of the keys in the file; `nil` if there are too many.
    ///
    /// Requests for other keys don't wait for the file.
    private func storedKeys(in database: Database) throws(Database.Failure) -> Set<Int>? {
        var keys: Set<Int> = []
        try database.each("SELECT key FROM responses LIMIT \(CacheMemory.maxStoredKeys + 1)") { row in
            keys.insert(row.text(0).hashValue)
            return true
        }
        return keys.count > CacheMemory.maxStoredKeys ? nil : keys
    }

    /// Forgets the keys in the file if another process has written to it since they were read.
    ///
    /// Other processes can write again at any time, so the keys aren't read again until the file is opened.
    func forgetKeysIfChanged(in database: Database) throws(Database.Failure) {
        if try database.hasExternalChanges() { memory.setStoredKeys(nil) }
    }

    /// Deletes the file; `false` if that isn't possible.
    @discardableResult
    func discard() -> Bool {
        memory.removeFile()
        // The lock keeps other processes from opening the file. If it can't be taken, they notice that the file was replaced.
        return (try? database.remove()) ?? file.removeWithObstacles()
    }
}

extension CacheFile {
    /// Erases responses from all files, now or before the cache is next used.
    ///
    /// - Returns: Whether they are erased.
    @discardableResult
    func erase(_ erasure: CacheErasure) -> Bool {
        erasures.insert(erasure)
        return settleErasures()
    }

    private func settleErasures() -> Bool {
        guard !erasures.isEmpty else { return true }
        if !file.exists || eraseRows() || discard() { erasures = [] }
        return erasures.isEmpty
    }

    /// Erases the rows of accounts from the file and its log; `false` if that isn't possible.
    private func eraseRows() -> Bool {
        guard space.byteLimit > 0, !erasures.contains(.everything) else { return false }
        do {
            let database = try open()
            for case .account(let account) in erasures {
                // The zeros over deleted rows go through the log, which must not exceed its limit.
                while try deleteRows(of: account, in: database) > 0 {
                    guard try database.checkpoint(.truncate) else { return false }
                }
            }
            guard try database.checkpoint(.truncate) else { return false }
            mustTruncateLog = false
            return true
        } catch {
            return false
        }
    }

    /// Deletes as many rows of an account as fit into the log; returns their number.
    private func deleteRows(of account: String, in database: Database) throws(Database.Failure) -> Int {
        var ids: [Int64] = []
        var rest = Int64(space.logLimit)
        try database.each("SELECT id, size FROM responses WHERE account = ?1", [.text(account)]) { row in
            ids.append(row.integer(0))
            // A damaged row can be as large as any.
            rest -= space.storedSize(row.integer(1)) ?? Int64(space.responseLimit)
            return rest > 0
        }
        try database.transaction { () throws(Database.Failure) in
            try database.delete(ids.map { .integer($0) }, "DELETE FROM responses WHERE id = ?1")
        }
        return ids.count
    }

    private var isLogFull: Bool {
        (database.connection?.logPageCount ?? 0) * CacheSpace.pageSize > space.logLimit
    }

    /// Empties a full log; called after all work, when no request waits for the result.
    func settle() {
        if mustTruncateLog {
            if checkpoint(.truncate) { mustTruncateLog = false }
        } else if isLogFull {
            _ = checkpoint(.restart)
        }
    }

    /// Moves the log's contents to the file; `false` while another process uses it.
    private func checkpoint(_ mode: Database.CheckpointMode) -> Bool {
        guard let connection = database.connection, database.isCurrent else { return true }
        let isEmpty = try? connection.withoutWaiting { () throws(Database.Failure) in try connection.checkpoint(mode) }
        return isEmpty == true
    }
}
