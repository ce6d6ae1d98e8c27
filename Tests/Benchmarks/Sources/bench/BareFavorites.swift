import BareSQLite
@testable import BrowseDomain
import BrowseGitHubDomain
import Foundation

/// Favorites without the SDK: SQLite's C functions on the same table.
final class BareFavorites {
    private let connection: OpaquePointer

    init(_ file: URL) throws {
        var connection: OpaquePointer?
        guard sqlite3_open_v2(file.path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let connection else {
            throw BenchFailure("\(file.path) does not open")
        }
        self.connection = connection
        // Another connection can be closing the log.
        sqlite3_busy_timeout(connection, 5_000)
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    func run(_ sql: String) {
        sqlite3_exec(connection, sql, nil, nil, nil)
    }

    /// Inserts favorites in one transaction.
    func fill(_ users: [GitHub.User]) throws {
        run("BEGIN")
        let insert = try Statement(
            """
            INSERT INTO favorite (kind, key, title, picture, version, payload, section_rank, section, folded)
            VALUES ('user', ?1, ?2, ?3, 1, ?4, ?5, ?6, ?7)
            """,
            on: connection
        )
        for user in users {
            let key = FavoriteSortKey(Favorite(user))
            insert.bind(1, key.id.key)
            insert.bind(2, user.login.rawValue)
            insert.bind(3, user.avatar?.rawValue ?? "")
            insert.bind(4, String(decoding: Favorite(user).payload?.data ?? Data(), as: UTF8.self))
            insert.bind(5, Int64(key.section.kind.rawValue))
            insert.bind(6, key.section.title)
            insert.bind(7, key.foldedName)
            insert.run()
        }
        run("COMMIT")
    }

    /// The write of a toggle: inserts or deletes one row.
    func toggle(_ number: Int64, isIn: Bool) throws {
        let sql =
            isIn
            ? "DELETE FROM favorite WHERE kind = 'user' AND key = ?1"
            : """
            INSERT INTO favorite (kind, key, title, picture, version, payload, section_rank, section, folded)
            VALUES ('user', ?1, 'someone', 'https://example.com/a.png', 1, '{"id":1}', 0, 'S', 'someone')
            """
        let statement = try Statement(sql, on: connection)
        statement.bind(1, String(number))
        statement.run()
    }

    /// The first 100 rows by name, with the columns that a list shows.
    func firstRows(_ condition: String = "1", _ text: String? = nil) throws -> [[String]] {
        let statement = try Statement(
            """
            SELECT kind, key, title, picture, payload FROM favorite WHERE \(condition)
            ORDER BY section_rank, section, folded, kind, key LIMIT 100
            """,
            on: connection
        )
        if let text { statement.bind(1, text) }
        var rows: [[String]] = []
        while statement.step() { rows.append((0..<5).map(statement.text)) }
        return rows
    }

    private final class Statement {
        private let statement: OpaquePointer

        init(_ sql: String, on connection: OpaquePointer) throws {
            var statement: OpaquePointer?
            guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
                throw BenchFailure("not prepared: \(String(cString: sqlite3_errmsg(connection))): \(sql)")
            }
            self.statement = statement
        }

        deinit {
            sqlite3_finalize(statement)
        }

        func bind(_ index: Int32, _ number: Int64) {
            sqlite3_bind_int64(statement, index, number)
        }

        func bind(_ index: Int32, _ text: String) {
            sqlite3_bind_text(statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }

        func step() -> Bool {
            sqlite3_step(statement) == SQLITE_ROW
        }

        func run() {
            _ = step()
            sqlite3_reset(statement)
        }

        func text(_ column: Int) -> String {
            sqlite3_column_text(statement, Int32(column)).map { String(cString: $0) } ?? ""
        }
    }
}
