public import BrowseDomain
public import Foundation

/// A store of rate limits in a SQLite database file, which processes on one machine can share.
///
/// A damaged file is replaced with an empty one: responses report the limits again.
public actor SQLiteRateLimitStore: RateLimitStore {
    private static let migrations = Migrations(steps: [
        ["CREATE TABLE limits (key TEXT PRIMARY KEY, data BLOB NOT NULL, date INTEGER NOT NULL) WITHOUT ROWID"]
    ])

    private var file: DatabaseFile
    private let now: @Sendable () -> Date
    private let executor = QueueExecutor(label: "BrowseKit.limits")
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
        // Limits that are lost in a power failure are reported again.
        file = DatabaseFile(
            StorageFile(folder: folder, name: "limits.sqlite"),
            Self.migrations,
            isCache: true,
            lockTimeout: lockTimeout
        )
        self.now = now
    }

    /// Reads and changes the stored limits of an account atomically.
    ///
    /// - Throws: `.busy` if another process holds a lock for too long, or another reason; nothing has changed then.
    public func update(_ key: String, _ change: @Sendable (Data?) -> Data?) async throws(StorageFailure) {
        do {
            do {
                try attempt(key, change)
            } catch let failure as Database.Failure where failure.isDamage {
                _ = try file.remove()
                try attempt(key, change)
            }
        } catch {
            file.close()
            throw file.failure(error)
        }
    }

    private func attempt(_ key: String, _ change: @Sendable (Data?) -> Data?) throws {
        let database = try file.open()
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
}

extension Date {
    /// The seconds since 1970, rounded down.
    fileprivate var wholeSeconds: Int64 { Int64(clamping: timeIntervalSince1970.clampedToInt) }
}
