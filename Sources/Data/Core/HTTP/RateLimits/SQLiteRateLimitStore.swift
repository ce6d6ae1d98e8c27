public import BrowseDomain
public import Foundation

/// A store of rate limits in a SQLite database file, which processes on one machine can share.
///
/// A damaged file is replaced with an empty one: responses report the limits again.
public actor SQLiteRateLimitStore: RateLimitStore {
    private static let steps = Migrations(steps: [
        ["CREATE TABLE limits (key TEXT PRIMARY KEY, data BLOB NOT NULL, date INTEGER NOT NULL) WITHOUT ROWID"]
    ])

    private let file: StorageFile
    private let lockTimeout: Duration
    private let now: @Sendable () -> Date
    private let executor = QueueExecutor(label: "BrowseKit.limits")
    private var connection: (database: Database, identity: StorageFile.Identity?)?
    private var schedule = RemovalSchedule()

    /// An executor with its own dispatch queue, because SQLite blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a store; the file is opened when it is first used.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file; a missing folder is created, accessible only to its owner.
    ///   - now: The current date, which decides whether limits are deleted.
    public init(folder: URL, now: @escaping @Sendable () -> Date = { Date() }) {
        // Less than the wait of a request.
        self.init(folder: folder, now: now, lockTimeout: .milliseconds(200))
    }

    /// - Parameter lockTimeout: The maximum wait for another process's lock, in real time.
    package init(folder: URL, now: @escaping @Sendable () -> Date = { Date() }, lockTimeout: Duration) {
        file = StorageFile(folder: folder, name: "limits.sqlite")
        self.now = now
        self.lockTimeout = lockTimeout
    }

    /// Reads and changes the stored limits of an account atomically.
    ///
    /// - Throws: `.busy` if another process holds a lock for too long, or another reason; nothing has changed then.
    public func update(_ key: String, _ change: @Sendable (Data?) -> Data?) async throws(StorageFailure) {
        do {
            try attempt(key, change)
        } catch let failure as Database.Failure where failure.isDamage {
            connection = nil
            do {
                try file.locked(waitingAtMost: lockTimeout) { _ = file.removeWithObstacles() }
                try attempt(key, change)
            } catch {
                throw self.failure(error)
            }
        } catch {
            throw self.failure(error)
        }
    }

    private func attempt(_ key: String, _ change: @Sendable (Data?) -> Data?) throws {
        let database = try open()
        let now = now()
        let end = schedule.next(at: now)
        try database.transaction { () throws(Database.Failure) in
            let old = try database.first("SELECT data FROM limits WHERE key = ?1", [.text(key)]) { $0.optionalBlob(0) }
            guard let new = change(old ?? nil) else { return }
            if let end { try database.run("DELETE FROM limits WHERE date < ?1", [.integer(end.wholeSeconds)]) }
            try database.run(
                "INSERT INTO limits VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE SET (data, date) = (?2, ?3)",
                [.text(key), .blob(new), .integer(now.wholeSeconds)]
            )
        }
    }

    private func open() throws -> Database {
        // Another process may have replaced the file.
        if let connection, connection.identity != nil, connection.identity == file.identity {
            return connection.database
        }
        connection = nil
        return try file.locked(waitingAtMost: lockTimeout) {
            try file.create()
            let database = try Database(file.url, busyTimeout: lockTimeout)
            try database.run("PRAGMA journal_mode = WAL")
            // Limits that are lost in a power failure are reported again.
            try database.run("PRAGMA synchronous = OFF")
            try Self.steps.run(on: database)
            file.excludeFromBackup()
            connection = (database, file.identity)
            return database
        }
    }

    private func failure(_ error: any Error) -> StorageFailure {
        connection = nil
        return switch error {
        case let failure as StorageFailure: failure
        case let failure as Database.Failure: file.failure(failure)
        case let version as Migrations.NewerVersion:
            StorageFailure(
                reason: .newerVersion(found: version.found, supported: version.supported),
                file: file.name
            )
        default: StorageFailure(reason: .other, file: file.name)
        }
    }
}

extension Date {
    /// The seconds since 1970, rounded down.
    fileprivate var wholeSeconds: Int64 { Int64(clamping: timeIntervalSince1970.clampedToInt) }
}
