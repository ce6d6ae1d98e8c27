import CBrowseSQLite

/// The migration steps of a database file.
///
/// `user_version` in the file's header is the number of the last step applied; 0 is a new file.
struct Migrations {
    /// The number of the first step; lower versions were never released, and count as damage.
    var firstVersion = 1
    /// The statements of each step. Append new steps; never change a released one.
    let steps: [[String]]

    /// The version of a file with all steps.
    var latestVersion: Int { firstVersion - 1 + steps.count }

    /// The highest version of a newer file; others are damaged.
    private static var highestVersion: Int { 9999 }

    /// A newer version of the SDK wrote the file.
    struct NewerVersion: Error, Hashable {
        let found: Int
        let supported: Int
    }

    /// Migrates a database to the latest version, and checks its schema.
    ///
    /// - Throws: ``NewerVersion`` or ``Database/Failure``; the file is unchanged then. `SQLITE_CORRUPT` if another program or
    ///   damage changed the schema: SQLite accepts some damaged ones, but then finds no rows, or writes to wrong pages.
    func run(on database: Database) throws {
        if try version(of: database) < latestVersion {
            try database.transaction { () throws(Database.Failure) in
                // Read again under the lock: another process may have migrated meanwhile.
                let version = try database.pragma("user_version")
                guard version < latestVersion else { return }
                for statement in steps.dropFirst(max(0, version - firstVersion + 1)).joined() {
                    try database.run(statement)
                }
                try database.run("PRAGMA user_version = \(latestVersion)")
            }
            _ = try version(of: database)
        }
        var found: Set<String> = []
        try database.each("SELECT sql FROM sqlite_schema") { row in
            found.insert(row.text(0))
            return true
        }
        let created = steps.joined().filter { $0.hasPrefix("CREATE") }
        guard found.isSuperset(of: created) else { throw Self.damage }
    }

    /// Returns the version of a file.
    ///
    /// - Throws: ``NewerVersion``, or `SQLITE_CORRUPT` for a version that was never released, or for another program's file.
    func version(of database: Database) throws -> Int {
        let version = try database.pragma("user_version")
        // A file that was never filled has its first page at most.
        let isNew = try version == 0 && database.pragma("page_count") <= 1
        guard isNew || firstVersion...Self.highestVersion ~= version else { throw Self.damage }
        guard version <= latestVersion else { throw NewerVersion(found: version, supported: latestVersion) }
        return version
    }

    private static var damage: Database.Failure { Database.Failure(code: SQLITE_CORRUPT) }
}
