import BrowseDomain
import CSQLite
import Foundation

/// A connection to a SQLite file.
final class Database {
    private var handle: OpaquePointer?
    private let name: String

    /// Opens an existing file.
    init(_ url: URL) throws(ExportError) {
        name = url.lastPathComponent
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        // Since version 3.39, the flag refuses a link anywhere in the path, such as /tmp on a Mac.
        let folder = realpath(url.deletingLastPathComponent().path(percentEncoded: false), nil)
        defer { free(folder) }
        let path = folder.map { String(cString: $0) + "/" + name } ?? url.path(percentEncoded: false)
        try check(sqlite3_open_v2(path, &handle, flags, nil))
    }

    deinit { sqlite3_close_v2(handle) }

    /// The number of rows that the last statement inserted or changed.
    var changeCount: Int { Int(sqlite3_changes(handle)) }

    /// Runs statements without values.
    func run(_ statements: String...) throws(ExportError) {
        for sql in statements { try run(sql, []) }
    }

    /// Runs a statement, and passes the first column of each row to a closure.
    func run(
        _ sql: String,
        _ values: [String],
        row: (String) throws(ExportError) -> Void = { _ in }
    ) throws(ExportError) {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        // SQLITE_TRANSIENT, a macro that Swift can't import: SQLite copies the text.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (number, value) in zip(Int32(1)..., values) {
            // With its length, because the text can contain a zero.
            try check(sqlite3_bind_text(statement, number, value, Int32(clamping: value.utf8.count), copies))
        }
        while true {
            let status = sqlite3_step(statement)
            guard status == SQLITE_ROW else { return try check(status) }
            try row(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        }
    }

    /// Returns the first column of the first row; `nil` without rows.
    func first(_ sql: String) throws(ExportError) -> String? {
        var first: String?
        try run(sql, []) { row in first = first ?? row }
        return first
    }

    private func check(_ status: Int32) throws(ExportError) {
        let reason: StorageFailure.Reason
        switch status & 0xFF {
        case SQLITE_OK, SQLITE_DONE: return
        case SQLITE_BUSY: throw .inUse(name: name)
        case SQLITE_NOTADB: throw .foreignFile(name: name)
        case SQLITE_FULL: reason = .full
        case SQLITE_CORRUPT: reason = .damaged
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: reason = .notWritable
        default: reason = .other
        }
        throw .failed(.storageFailed(StorageFailure(reason: reason, file: name, code: Int(status))))
    }
}
