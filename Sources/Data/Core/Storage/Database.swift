import BrowseDomain
import CBrowseSQLite
import Foundation

/// A connection to a SQLite database file.
///
/// Its methods block, so they run on a ``QueueExecutor``. Prepared statements are cached, and
/// values are always bound.
final class Database {
    /// The failure of a statement.
    struct Failure: Error, Hashable {
        /// SQLite's extended result code (sqlite.org/rescode.html).
        let code: Int32
        /// The `errno` of a file system failure; otherwise 0.
        var systemCode: Int32 = 0

        /// The latest failure on a connection.
        init(on connection: OpaquePointer) {
            code = sqlite3_extended_errcode(connection)
            // SQLite doesn't reset the number, so after other failures it's stale.
            if primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN { systemCode = sqlite3_system_errno(connection) }
        }

        init(code: Int32) {
            self.code = code
        }

        /// The primary result code, which is the lower byte.
        var primary: Int32 { code & 0xFF }

        /// Whether the file is corrupt, isn't a database, or doesn't have the SDK's tables.
        var isDamage: Bool {
            [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(primary)
        }
    }

    private let connection: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]
    private var dataVersion: Int?
    /// The file whose lock is held while the connection is closed; `nil` needs none.
    ///
    /// The last connection deletes the log by its name, which may be that of another file's log if
    /// the file is replaced.
    var closingLock: StorageFile?
    /// Closes the connection after its last reference was released, on any thread.
    ///
    /// Closing can wait for other processes; `nil` closes it on that thread.
    var closingQueue: QueueExecutor?

    /// Opens an existing file; an empty file becomes a database.
    init(_ file: URL) throws(Failure) {
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(file.path(percentEncoded: false), &connection, flags, nil)
        guard code == SQLITE_OK, let connection else {
            // SQLite usually allocates a connection even if it can't open the file.
            let failure = connection.map(Failure.init(on:)) ?? Failure(code: code)
            sqlite3_close(connection)
            throw failure
        }
        self.connection = connection
        sqlite3_extended_result_codes(connection, 1)
        // The longest wait for the locks of other connections, in milliseconds.
        sqlite3_busy_timeout(connection, 10_000)
        Self.addContainsFunction(to: connection)
    }

    deinit {
        // Safe: this was the last reference, so only `close` uses them from here on, and it runs
        // once, on one thread at a time, as `SQLITE_OPEN_NOMUTEX` requires.
        nonisolated(unsafe) let (connection, statements) = (connection, statements)
        let close = { @Sendable [closingLock] in
            func close() {
                for statement in statements.values { sqlite3_finalize(statement) }
                sqlite3_close_v2(connection)
            }
            // Locking would create a deleted folder again.
            guard let closingLock, closingLock.exists, (try? closingLock.locked(isShared: true, close)) != nil else {
                return close()
            }
        }
        if let closingQueue { closingQueue.handOver(close) } else { close() }
    }

    /// The number of rows that the last statement inserted, updated, or deleted.
    var changedRowCount: Int { Int(sqlite3_changes(connection)) }

    /// The primary key of the last row that this connection inserted.
    var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(connection) }

    /// Runs a statement and ignores its rows.
    func run(_ sql: String, _ values: [Value] = []) throws(Failure) {
        try each(sql, values) { _ in }
    }

    /// Runs one statement, with `?1`, `?2` … for the values.
    ///
    /// - Parameter body: Takes each row, valid until it returns.
    func each(_ sql: String, _ values: [Value] = [], _ body: (Row) -> Void) throws(Failure) {
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
                body(Row(statement: statement))
            case SQLITE_DONE:
                return
            default:
                throw Failure(on: connection)
            }
        }
    }

    /// Converts the first row of a statement; `nil` if there are no rows.
    func first<Result>(_ sql: String, _ values: [Value] = [], _ body: (Row) -> Result) throws(Failure) -> Result? {
        var result: Result?
        try each(sql, values) { if result == nil { result = body($0) } }
        return result
    }

    /// The integer that a pragma returns, clamped to the range of `Int`; 0 if it returns none.
    func pragma(_ name: String) throws(Failure) -> Int {
        try first("PRAGMA \(name)") { Int(clamping: $0.integer(0)) } ?? 0
    }

    /// Returns whether another connection has written since the previous call; `true` at the first.
    func hasExternalChanges() throws(Failure) -> Bool {
        // sqlite.org/pragma.html#pragma_data_version
        let version = try pragma("data_version")
        defer { dataVersion = version }
        return version != dataVersion
    }

    /// Runs statements in a transaction, which is rolled back if one throws.
    ///
    /// Takes the write lock first, so that concurrent writers wait instead of failing.
    func transaction(_ body: () throws(Failure) -> Void) throws(Failure) {
        try run("BEGIN IMMEDIATE")
        do throws(Failure) {
            try body()
            try run("COMMIT")
        } catch {
            // Fails if SQLite has already rolled back, such as on a full disk.
            try? run("ROLLBACK")
            throw error
        }
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
    enum Value: Hashable {
        case integer(Int64)
        case text(String)
        case blob(Data)
        case null

        fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
            // `SQLITE_TRANSIENT`, a cast that Swift doesn't import: SQLite copies the bytes.
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            switch self {
            case .integer(let value):
                return sqlite3_bind_int64(statement, index, value)
            case .text(let text):
                // With a length, because the text may contain a NUL.
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

    /// A row of a running statement; columns count from 0.
    struct Row {
        fileprivate let statement: OpaquePointer

        /// A column as an integer; 0 if it isn't one.
        func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

        /// A column as text; empty for NULL.
        func text(_ column: Int32) -> String {
            guard let start = sqlite3_column_text(statement, column) else { return "" }
            let count = Int(sqlite3_column_bytes(statement, column))
            return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }

        /// A column as text; `nil` for NULL.
        func optionalText(_ column: Int32) -> String? {
            sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : text(column)
        }

        /// A column as bytes; empty for NULL.
        func blob(_ column: Int32) -> Data {
            guard let start = sqlite3_column_blob(statement, column) else { return Data() }
            return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
        }
    }
}

extension Database {
    /// The SQL function that finds a folded part in a text, so that queries filter as `TypedText`
    /// does.
    static let containsFunction: String = "contains_folded"

    /// Adds ``containsFunction`` to a connection.
    ///
    /// The schema doesn't use it, so other programs can open the file.
    static func addContainsFunction(to connection: OpaquePointer) {
        sqlite3_create_function_v2(
            connection,
            containsFunction,
            2,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            nil,
            { context, _, values in
                guard let text = Database.utf8(values?[0]), let part = Database.utf8(values?[1]) else {
                    sqlite3_result_null(context)
                    return
                }
                sqlite3_result_int(context, TypedText.contains(part, in: text) ? 1 : 0)
            },
            nil,
            nil,
            nil
        )
    }

    private static func utf8(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
        guard let value, let start = sqlite3_value_text(value) else { return nil }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }
}
