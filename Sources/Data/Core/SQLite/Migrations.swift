import CBrowseSQLite

/// The migration steps of a database file.
///
/// `user_version` in the file's header is the number of steps applied.
struct Migrations {
    /// The statements of each step. Append new steps; never change a released one.
    let steps: [[String]]

    /// A newer version of the SDK wrote the file.
    struct NewerVersion: Error, Hashable {
        let found: Int
        let supported: Int
    }

    /// Migrates a database to the current version.
    ///
    /// - Throws: ``NewerVersion`` or ``Database/Failure``; the file is unchanged then.
    func run(on database: Database) throws {
        guard try checkedVersion(of: database) < steps.count else { return }
        try database.transaction { () throws(Database.Failure) in
            // Read again under the lock: another process may have migrated meanwhile.
            let version = try Self.version(of: database)
            for step in steps.dropFirst(version) {
                for statement in step { try database.run(statement) }
            }
            if version < steps.count { try database.run("PRAGMA user_version = \(steps.count)") }
        }
        _ = try checkedVersion(of: database)
    }

    /// The number of steps applied.
    ///
    /// - Throws: `SQLITE_CORRUPT` for a number below 0.
    private static func version(of database: Database) throws(Database.Failure) -> Int {
        let version = try database.pragma("user_version")
        guard version >= 0 else { throw Database.Failure(code: SQLITE_CORRUPT) }
        return version
    }

    private func checkedVersion(of database: Database) throws -> Int {
        let version = try Self.version(of: database)
        guard version <= steps.count else { throw NewerVersion(found: version, supported: steps.count) }
        return version
    }
}
