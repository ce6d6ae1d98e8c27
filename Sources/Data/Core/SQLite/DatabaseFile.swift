import BrowseDomain

/// A SQLite database file that several processes use, and that one of them can replace or delete.
///
/// The file lock is held while the file is opened, so that two processes don't create or migrate it at the same time.
struct DatabaseFile {
    let file: StorageFile
    private let migrations: Migrations
    private var opened: (connection: Database, identity: StorageFile.Identity?)?

    /// The pragmas of each connection.
    ///
    /// On Apple platforms, syncing flushes the drive's cache only with `fullfsync`; elsewhere this has no effect. Deleted rows
    /// are overwritten with zeros, so that recovery doesn't find them in unused pages.
    private static var settings: [String] { ["synchronous = FULL", "fullfsync = ON", "secure_delete = ON"] }

    /// - Parameters:
    ///   - file: The file, which is opened at its first use.
    ///   - migrations: The steps that create the schema.
    init(_ file: StorageFile, _ migrations: Migrations) {
        self.file = file
        self.migrations = migrations
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
        let (connection, identity) = try file.locked {
            try file.finishReplacement()
            try file.create()
            // Read before the file is opened: a file that replaces it meanwhile has another one.
            let identity = file.identity
            let connection = try Database(file.url)
            for setting in Self.settings { try connection.run("PRAGMA \(setting)") }
            // Before the file of a newer version is changed.
            _ = try migrations.version(of: connection)
            try connection.run("PRAGMA journal_mode = WAL")
            try migrations.run(on: connection)
            _ = try connection.hasExternalChanges()
            try prepare(connection)
            return (connection, identity)
        }
        connection.closingLock = file
        opened = (connection, identity)
        return connection
    }

    mutating func close() { opened = nil }

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
