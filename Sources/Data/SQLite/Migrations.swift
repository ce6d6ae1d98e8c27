import CBrowseSQLite

/// The steps that bring a database file from any earlier version to the current one.
///
/// SQLite keeps the version in the file's header (`user_version`); version n is what the first n steps made.
struct Migrations {
    /// The statements of each step. A step that was released is never changed; a new one is added behind it.
    let steps: [[String]]

    /// Thrown when a newer version of the SDK wrote the file.
    struct Newer: Error, Hashable {
        let found: Int
        let supported: Int
    }

    /// Brings a database to the current version.
    ///
    /// - Throws: ``Newer``, with the file untouched, or ``Database/Failure``, with the file as it was.
    func run(on database: Database) throws {
        guard try version(of: database) < steps.count else { return }
        try database.transaction { () throws(Database.Failure) in
            // Looked at again under the lock: another process may have been faster.
            let version = try database.pragma("user_version")
            for step in steps.dropFirst(version) {
                for statement in step { try database.run(statement) }
            }
            if version < steps.count { try database.run("PRAGMA user_version = \(steps.count)") }
        }
        _ = try version(of: database)
    }

    private func version(of database: Database) throws -> Int {
        let version = try database.pragma("user_version")
        guard version <= steps.count else { throw Newer(found: version, supported: steps.count) }
        return version
    }
}
