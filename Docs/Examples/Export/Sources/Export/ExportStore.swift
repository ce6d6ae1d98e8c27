import BrowseDomain
import Foundation

/// Stores each page together with the position after it, so that a process can be killed at any time.
///
/// The lock of the file ends with the process, even if it's killed.
final class ExportStore {
    private let file: ExportFile
    private let database: Database
    /// Whether this export created the database.
    private let isCreated: Bool
    /// Marks a SQLite file as an export: "BrEx".
    private static let applicationID = "1114785144"

    /// Opens or creates the file, and excludes other exports from it.
    init(_ file: ExportFile) throws(ExportError) {
        self.file = file
        let path = file.database.path(percentEncoded: false)
        isCreated = !FileManager.default.fileExists(atPath: path)
        if isCreated {
            guard !file.hasLines || !FileManager.default.fileExists(atPath: file.url.path(percentEncoded: false)) else {
                throw .foreignFile(name: file.url.lastPathComponent)
            }
            try Self.create(file.database)
        }
        database = try Database(file.database)
        // The lock lasts until the connection is closed.
        try database.run("PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE")
        let isNew = try database.first("SELECT name FROM sqlite_master") == nil
        if isNew {
            try database.run(
                """
                CREATE TABLE rows (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT NOT NULL,
                    pass INTEGER NOT NULL)
                """,
                "CREATE TABLE export (number INTEGER PRIMARY KEY CHECK (number = 1), progress TEXT NOT NULL)",
                "PRAGMA application_id = \(Self.applicationID)",
                "PRAGMA user_version = 1"
            )
        }
        let (id, version) = (try database.first("PRAGMA application_id"), try database.first("PRAGMA user_version"))
        guard id == Self.applicationID, version == "1" else {
            throw .foreignFile(name: file.database.lastPathComponent)
        }
        try database.run("COMMIT", "PRAGMA synchronous = FULL", "PRAGMA fullfsync = ON")
    }

    private static func create(_ url: URL) throws(ExportError) {
        // Another export can create it at the same time.
        let descriptor = open(url.path(percentEncoded: false), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 || errno == EEXIST else { throw notWritable(url) }
        if descriptor >= 0 { close(descriptor) }
    }

    private static func notWritable(_ url: URL, _ error: (any Error)? = nil) -> ExportError {
        let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
        let failure = StorageFailure(reason: isFull ? .full : .notWritable, file: url.lastPathComponent)
        return .failed(.storageFailed(failure))
    }

    /// Returns the progress after the last page; `nil` before the first one.
    func progress() throws(ExportError) -> ExportProgress? {
        guard let text = try database.first("SELECT progress FROM export") else { return nil }
        guard let progress = try? JSONDecoder().decode(ExportProgress.self, from: Data(text.utf8)) else {
            throw .foreignFile(name: file.database.lastPathComponent)
        }
        return progress
    }

    /// Stores rows and the progress in one transaction, durably.
    ///
    /// - Returns: The progress with the numbers of rows.
    func store(
        _ rows: [(id: String, row: some Encodable)],
        _ progress: ExportProgress
    ) throws(ExportError) -> ExportProgress {
        try database.run("BEGIN")
        do throws(ExportError) {
            var progress = progress
            var isIdle = true
            for (id, row) in rows {
                let values = [id, try json(row), String(progress.pass)]
                try database.run("INSERT OR IGNORE INTO rows (id, json, pass) VALUES (?1, ?2, ?3)", values)
                if database.changeCount > 0 {
                    progress.rowCount += 1
                } else {
                    try database.run("UPDATE rows SET json = ?2, pass = ?3 WHERE id = ?1 AND pass < ?3", values)
                }
                if database.changeCount > 0 { isIdle = false }
            }
            progress.idlePageCount = isIdle ? progress.idlePageCount + 1 : 0
            try database.run("INSERT OR REPLACE INTO export VALUES (1, ?1)", [try json(progress)])
            try database.run("COMMIT")
            return progress
        } catch {
            try? database.run("ROLLBACK")
            throw error
        }
    }

    /// Replaces the file of JSON Lines, if there is one, by all rows.
    func writeLines() throws(ExportError) {
        guard file.hasLines else { return }
        // Named like the database, which belongs to the export; "NAME.new" can be a person's own file.
        let new = URL(filePath: file.database.path(percentEncoded: false) + "-new", directoryHint: .notDirectory)
        // A killed process may have left one.
        try? FileManager.default.removeItem(at: new)
        try Self.create(new)
        // The rows are in the database; after a failure, nothing else takes its room.
        defer { try? FileManager.default.removeItem(at: new) }
        guard let output = FileHandle(forWritingAtPath: new.path(percentEncoded: false)) else {
            throw Self.notWritable(new)
        }
        defer { try? output.close() }
        func write(_ lines: Data) throws(ExportError) {
            do { try output.write(contentsOf: lines) } catch { throw Self.notWritable(new, error) }
        }
        var lines = Data()
        try database.run("SELECT json FROM rows ORDER BY number", []) { row throws(ExportError) in
            lines += Data((row + "\n").utf8)
            // An export can be larger than the memory.
            guard lines.count > 1 << 20 else { return }
            try write(lines)
            lines.removeAll(keepingCapacity: true)
        }
        try write(lines)
        do { try output.synchronize() } catch { throw Self.notWritable(new, error) }
        guard rename(new.path(percentEncoded: false), file.url.path(percentEncoded: false)) == 0 else {
            throw Self.notWritable(file.url)
        }
    }

    /// Deletes the database, if this export created it.
    func discard() { if isCreated { try? FileManager.default.removeItem(at: file.database) } }

    private func json(_ value: some Encodable) throws(ExportError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        guard let data = try? encoder.encode(value) else {
            let failure = StorageFailure(reason: .notEncodable, file: file.database.lastPathComponent)
            throw .failed(.storageFailed(failure))
        }
        return String(decoding: data, as: UTF8.self)
    }
}
