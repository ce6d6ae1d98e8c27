import BrowseDomain

/// A SQLite database file that several processes use, and that one of them can replace or delete.
///
/// The file lock is held while the file is opened, so that two processes don't create or migrate it at the same time.
struct DatabaseFile {
    let file: StorageFile
    private let migrations: Migrations
    private let isCache: Bool
    private let settings: [String]
    private let lockTimeout: Duration?
    private var opened: (connection: Database, identity: StorageFile.Identity?)?

    /// - Parameters:
    ///   - file: The file, which is opened at its first use.
    ///   - migrations: The steps that create the schema.
    ///   - isCache: Whether a power failure can lose commits, and backups omit the file.
    ///   - settings: Further pragmas of each connection.
    ///   - lockTimeout: The longest wait for another process's lock; `nil` waits 10 seconds for SQLite's, and for the file lock
    ///     without a limit.
    init(
        _ file: StorageFile,
        _ migrations: Migrations,
        isCache: Bool,
        settings: [String] = [],
        lockTimeout: Duration? = nil
    ) {
        self.file = file
        self.migrations = migrations
        self.isCache = isCache
        // Zeros over deleted rows: signing out erases them, and recovery doesn't find them in unused pages. On Apple
        // platforms, syncing flushes the drive's cache only with `fullfsync`; elsewhere this has no effect.
        let durability = isCache ? ["synchronous = OFF"] : ["synchronous = FULL", "fullfsync = ON"]
        self.settings = settings + durability + ["secure_delete = ON"]
        self.lockTimeout = lockTimeout
    }

    /// The open connection, even if the file has been replaced.
    var connection: Database? { opened?.connection }

    /// Whether the file of this name is the one that is open.
    var isCurrent: Bool {
        guard let identity = opened?.identity else { return false }
        return identity == file.identity && !file.isReplaced
    }

    /// Returns a connection to the file of this name, which is created if it doesn't exist.
    ///
    /// - Parameter prepare: Takes each new connection; if it throws, the file isn't open.
    mutating func open(_ prepare: (Database) throws -> Void = { _ in }) throws -> Database {
        if let connection, isCurrent { return connection }
        close()
        let (connection, identity) = try file.locked(waitingAtMost: lockTimeout) {
            try file.finishReplacement()
            try file.create()
            // Read before the file is opened: a file that replaces it meanwhile has another one.
            let identity = file.identity
            let connection = try Database(file.url, busyTimeout: lockTimeout)
            for setting in settings { try connection.run("PRAGMA \(setting)") }
            // Before the file of a newer version is changed.
            _ = try migrations.version(of: connection)
            try connection.run("PRAGMA journal_mode = WAL")
            try migrations.run(on: connection)
            _ = try connection.hasExternalChanges()
            try prepare(connection)
            return (connection, identity)
        }
        if isCache { file.excludeFromBackup() } else { connection.closingLock = file }
        opened = (connection, identity)
        return connection
    }

    mutating func close() { opened = nil }

    /// Closes and deletes the file; returns `false` if another file, or something else, still has its name.
    mutating func remove() throws -> Bool {
        close()
        return try file.locked(waitingAtMost: lockTimeout) { file.removeWithObstacles() }
    }

    /// Converts an error, or the reason for one, to the public error type.
    func failure(_ error: any Error) -> StorageFailure {
        switch error {
        case let failure as StorageFailure: failure
        case let reason as StorageFailure.Reason: StorageFailure(reason: reason, file: file.name)
        case let failure as Database.Failure: file.failure(failure)
        case let version as Migrations.NewerVersion:
            StorageFailure(reason: .newerVersion(found: version.found, supported: version.supported), file: file.name)
        default: StorageFailure(reason: .other, file: file.name)
        }
    }
}
