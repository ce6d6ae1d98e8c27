import BrowseDomain
import CBrowseSQLite
import Foundation

/// An open SQLite database file.
///
/// It is not `Sendable`: one actor owns it, and everything it does blocks, so that the actor should run on an executor of its
/// own. Statements are prepared once and kept. Every value is bound, never written into the SQL.
final class Database {
    /// Why a statement failed.
    struct Failure: Error, Hashable {
        /// SQLite's extended result code (sqlite.org/rescode.html).
        let code: Int32
        /// The system's number for what went wrong, where the file system failed; else 0.
        var systemCode: Int32 = 0

        /// What went wrong last on a connection.
        init(on connection: OpaquePointer) {
            code = sqlite3_extended_errcode(connection)
            // SQLite keeps the number after the failure that it belongs to.
            if primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN { systemCode = sqlite3_system_errno(connection) }
        }

        init(code: Int32) {
            self.code = code
        }

        /// The primary result code, in the lower byte.
        var primary: Int32 { code & 0xFF }

        /// Whether the file holds something that no database has.
        var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }
    }

    private let connection: OpaquePointer
    /// In milliseconds.
    private let busyTimeout: Int32
    private var statements: [String: OpaquePointer] = [:]

    /// Opens a file, which has to exist; an empty one becomes a database.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - busyTimeout: How long to wait for the locks of other connections.
    init(_ file: URL, busyTimeout: Duration = .seconds(10)) throws(Failure) {
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(file.path(percentEncoded: false), &connection, flags, nil)
        guard code == SQLITE_OK, let connection else {
            // SQLite makes a connection even when it cannot open the file.
            let failure = connection.map(Failure.init(on:)) ?? Failure(code: code)
            sqlite3_close(connection)
            throw failure
        }
        self.connection = connection
        sqlite3_extended_result_codes(connection, 1)
        self.busyTimeout = Int32(clamping: Int64((busyTimeout / .milliseconds(1)).rounded(.up)))
        sqlite3_busy_timeout(connection, self.busyTimeout)
        Self.addFoldingFunction(to: connection)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(connection)
    }

    /// How many rows the last statement inserted, changed or deleted.
    var changedRowCount: Int { Int(sqlite3_changes(connection)) }

    /// Runs a statement whose rows do not matter.
    func run(_ sql: String, _ values: [Value] = []) throws(Failure) {
        try each(sql, values) { _ in true }
    }

    /// Runs a statement and hands over its rows.
    ///
    /// - Parameters:
    ///   - sql: One statement, with `?1`, `?2` … for the values.
    ///   - values: The values, in that order.
    ///   - body: Called with each row, which is good until it returns; `false` ends the statement.
    func each(_ sql: String, _ values: [Value] = [], _ body: (Row) -> Bool) throws(Failure) {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            try check(value.bind(to: statement, at: Int32(index + 1)))
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                guard body(Row(statement: statement)) else { return }
            case SQLITE_DONE:
                return
            default:
                throw Failure(on: connection)
            }
        }
    }

    /// The first row of a statement, made into a value; `nil` when there is none.
    func first<Result>(_ sql: String, _ values: [Value] = [], _ body: (Row) -> Result) throws(Failure) -> Result? {
        var result: Result?
        try each(sql, values) { row in
            result = body(row)
            return false
        }
        return result
    }

    /// The number that a pragma answers; 0 when it answers nothing.
    func pragma(_ name: String) throws(Failure) -> Int {
        try first("PRAGMA \(name)") { $0.integer(0) }.map(Int.init) ?? 0
    }

    /// Does several things as one: all of them are kept, or none.
    ///
    /// It takes the write lock at once, so that two writers wait for each other instead of failing.
    func transaction<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try run("BEGIN IMMEDIATE")
        do throws(Failure) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // A full disk, for one, may have ended the transaction already; then this fails, and that is all right.
            try? run("ROLLBACK")
            throw error
        }
    }

    /// Does something that fails at once where another connection has the lock that it needs.
    func withoutWaiting<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        sqlite3_busy_timeout(connection, 0)
        defer { sqlite3_busy_timeout(connection, busyTimeout) }
        return try body()
    }

    private func prepared(_ sql: String) throws(Failure) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw Failure(code: SQLITE_MISUSE) }
        statements[sql] = statement
        return statement
    }

    private func check(_ code: Int32) throws(Failure) {
        guard code != SQLITE_OK else { return }
        throw Failure(on: connection)
    }
}

extension Database {
    /// A value to bind.
    enum Value: Hashable {
        case integer(Int64)
        case text(String)
        case blob(Data)
        case null

        fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
            // SQLite copies what it is told is transient; Swift's constant for that is this pointer.
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            switch self {
            case .integer(let value):
                return sqlite3_bind_int64(statement, index, value)
            case .text(let text):
                // By length, since a text may hold a NUL.
                return sqlite3_bind_text(statement, index, text, Int32(clamping: text.utf8.count), transient)
            case .null:
                return sqlite3_bind_null(statement, index)
            case .blob(let data):
                return data.withUnsafeBytes { bytes in
                    sqlite3_bind_blob64(statement, index, bytes.baseAddress, UInt64(bytes.count), transient)
                }
            }
        }
    }

    /// A row of a statement that runs; columns count from 0.
    struct Row {
        fileprivate let statement: OpaquePointer

        /// A column as a number; 0 when it is none.
        func integer(_ column: Int32) -> Int64 {
            sqlite3_column_int64(statement, column)
        }

        /// The count or size in a column: 0 or more, at most what an `Int` holds, and 0 if the column isn't a number.
        func count(_ column: Int32) -> Int {
            Int(clampingCount: integer(column))
        }

        /// A column as a text; empty when it is none.
        func text(_ column: Int32) -> String {
            guard let start = sqlite3_column_text(statement, column) else { return "" }
            let count = Int(sqlite3_column_bytes(statement, column))
            return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }

        /// A column as a text; `nil` when it is NULL.
        func optionalText(_ column: Int32) -> String? {
            isNull(column) ? nil : text(column)
        }

        /// A column as bytes; `nil` when it is NULL.
        func optionalBlob(_ column: Int32) -> Data? {
            guard !isNull(column) else { return nil }
            guard let start = sqlite3_column_blob(statement, column) else { return Data() }
            return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
        }

        private func isNull(_ column: Int32) -> Bool {
            sqlite3_column_type(statement, column) == SQLITE_NULL
        }
    }
}
