import BrowseDomain
import CBrowseSQLite

extension Database {
    /// The SQL function that finds a folded part in a text, so that queries filter as `TypedText` does.
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
