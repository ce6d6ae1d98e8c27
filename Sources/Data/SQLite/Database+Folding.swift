import BrowseDomain
import CBrowseSQLite

extension Database {
    /// The SQL function that removes case and diacritics, so that queries filter as `TextMatch` does.
    static let foldingFunction: String = "folded_for_search"

    /// Adds ``foldingFunction`` to a connection.
    ///
    /// The schema doesn't use it, so other programs can open the file.
    static func addFoldingFunction(to connection: OpaquePointer) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        sqlite3_create_function_v2(
            connection,
            foldingFunction,
            1,
            flags,
            nil,
            { context, _, values in
                guard let value = values?[0], let start = sqlite3_value_text(value) else {
                    sqlite3_result_null(context)
                    return
                }
                let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
                var folded = String(decoding: bytes, as: UTF8.self).foldedForSearch
                folded.withUTF8 { text in
                    // `SQLITE_TRANSIENT`, a cast that Swift doesn't import: SQLite copies the text.
                    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                    text.withMemoryRebound(to: CChar.self) { text in
                        sqlite3_result_text(context, text.baseAddress, Int32(clamping: text.count), transient)
                    }
                }
            },
            nil,
            nil,
            nil
        )
    }
}
