public import BrowseDomain
public import Foundation

/// A file with the rows of a sweep: SQLite, JSON Lines, or CSV.
///
/// A page and its checkpoint are stored in one step, durably, so a crash loses and duplicates no row. A SQLite file contains
/// both, with the rows in the table `rows`. Beside other files, `NAME-checkpoint` has the checkpoint, the identifiers of all
/// rows, and the length of the file, to which resuming truncates it; delete it when you no longer want to resume.
///
/// While it's open, a kernel lock on `NAME-sweep-lock` excludes other sweeps; the lock ends with the process, even if it's
/// killed. Only the owner can read the files.
public actor SweepFile<Row: Sendable>: SweepSink {
    private enum Format: Sendable {
        case sqlite
        case lines(header: String)
    }

    private let output: StorageFile
    private var database: DatabaseFile
    private let format: Format
    private let encode: @Sendable (Row) throws -> String
    private var lock: Int32?
    private var descriptor: Int32?
    /// The length of a text file at the last checkpoint, in bytes.
    private var length: Int64 = 0
    private let executor = QueueExecutor(label: "BrowseKit.sweep")

    /// An executor with its own dispatch queue, because files block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init(_ url: URL, _ format: Format, encode: @escaping @Sendable (Row) throws -> String) {
        let name = url.lastPathComponent
        output = StorageFile(folder: url.deletingLastPathComponent(), name: name)
        let file = if case .sqlite = format { output } else { output.neighbor(name + "-checkpoint") }
        database = DatabaseFile(file, Self.migrations, isCache: false)
        self.format = format
        self.encode = encode
    }

    /// Returns a SQLite file with the table `rows`: the number in order of delivery, `id`, and `json`.
    public static func sqlite(at url: URL) -> SweepFile where Row: Encodable {
        SweepFile(url, .sqlite, encode: json)
    }

    /// Returns a file with a JSON object in each line (jsonlines.org).
    public static func jsonLines(at url: URL) -> SweepFile where Row: Encodable {
        SweepFile(url, .lines(header: "")) { try json($0) + "\n" }
    }

    /// Returns a file with comma-separated values (RFC 4180) in UTF-8.
    ///
    /// The first line has the names of the columns. An apostrophe is added before texts that a spreadsheet would evaluate as a
    /// formula: those that begin with `=`, `+`, `-`, `@`, a tab, or a line break, except numbers. Use another format for programs
    /// that need the exact text.
    public static func csv(at url: URL, columns: [CSVColumn<Row>]) -> SweepFile {
        SweepFile(url, .lines(header: CSV.line(columns.map(\.name)))) { row in
            CSV.line(columns.map { $0.value(row) ?? "" })
        }
    }

    private static func json(_ row: Row) throws -> String where Row: Encodable {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(row), as: UTF8.self)
    }

    private static var migrations: Migrations {
        Migrations(steps: [
            [
                "CREATE TABLE rows (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT)",
                "CREATE TABLE visits (cursor TEXT PRIMARY KEY, validator TEXT NOT NULL, next TEXT) WITHOUT ROWID",
                "CREATE TABLE sweep (number INTEGER PRIMARY KEY CHECK (number = 1), checkpoint BLOB, length INTEGER NOT NULL)",
            ]
        ])
    }
}

extension SweepFile {
    /// Locks and opens the file, and truncates a text file to its last checkpoint.
    ///
    /// - Throws: `SweepError`: `.failed(.storageFailed)`, with the reasons `.busy` if another sweep uses the file and
    ///   `.newerVersion` if a newer version of the SDK wrote it, or `.foreignFile` if no sweep wrote the file, or
    ///   another program has changed it.
    public func open() throws(SweepError) -> SweepCheckpoint? {
        try perform {
            guard let lock = try output.neighbor(output.name + "-sweep").tryLock() else {
                throw StorageFailure(reason: .busy, file: output.name)
            }
            self.lock = lock
            let connection = try database.open()
            let stored = try connection.first("SELECT checkpoint, length FROM sweep") { row in
                (checkpoint: row.optionalBlob(0), length: row.integer(1))
            }
            length = stored?.length ?? 0
            if case .lines = format {
                let (descriptor, found) = try output.openForAppending()
                self.descriptor = descriptor
                guard found == 0 || stored != nil, found >= length else {
                    throw SweepError.foreignFile(name: output.name)
                }
                // From now on, every byte after the stored length is of an interrupted sweep.
                if stored == nil { try connection.run("INSERT INTO sweep VALUES (1, NULL, 0)") }
                guard ftruncate(descriptor, off_t(length)) == 0 else {
                    throw StorageFile.failure(errno, file: output.name)
                }
            }
            return try stored?.checkpoint.map { data in
                guard let checkpoint = try? JSONDecoder().decode(SweepCheckpoint.self, from: data) else {
                    throw StorageFailure(reason: .damaged, file: database.file.name)
                }
                return checkpoint
            }
        }
    }

    /// Stores new rows and the checkpoint in one transaction.
    ///
    /// It includes the length of a text file, which is synced before.
    public func store(_ batch: SweepBatch<Row>) throws(SweepError) -> Int {
        try perform {
            let texts: [String]
            do {
                texts = try batch.rows.map { try encode($0.row) }
            } catch {
                throw StorageFailure(reason: .notEncodable, file: output.name)
            }
            guard let connection = database.connection else {
                throw StorageFailure(reason: .notWritable, file: output.name)
            }
            try connection.run("BEGIN IMMEDIATE")
            do {
                var lines = ""
                var count = 0
                if case .lines(let header) = format, length == 0 { lines = header }
                for (row, text) in zip(batch.rows, texts) {
                    let json = descriptor == nil ? Database.Value.text(text) : .null
                    try connection.run("INSERT OR IGNORE INTO rows (id, json) VALUES (?1, ?2)", [.text(row.id), json])
                    guard connection.changedRowCount > 0 else { continue }
                    count += 1
                    if descriptor != nil { lines += text }
                }
                let newLength = try append(lines)
                try connection.run(
                    "INSERT OR REPLACE INTO sweep VALUES (1, ?1, ?2)",
                    [.blob(try JSONEncoder().encode(batch.checkpoint(storing: count))), .integer(newLength)]
                )
                if let visit = batch.visit {
                    let next = visit.next.map { Database.Value.text($0.rawValue) } ?? .null
                    try connection.run(
                        "INSERT OR REPLACE INTO visits VALUES (?1, ?2, ?3)",
                        [.text(batch.cursor?.rawValue ?? ""), .text(visit.validator), next]
                    )
                }
                try connection.run("COMMIT")
                length = newLength
                return count
            } catch {
                // Fails if SQLite has already rolled back, such as on a full disk.
                try? connection.run("ROLLBACK")
                throw error
            }
        }
    }

    /// Returns the last visit of a page.
    public func visit(at cursor: PageCursor?) throws(SweepError) -> SweepVisit? {
        try perform {
            let sql = "SELECT validator, next FROM visits WHERE cursor = ?1"
            return try database.connection?.first(sql, [.text(cursor?.rawValue ?? "")]) { row in
                SweepVisit(validator: row.text(0), next: row.optionalText(1).map(PageCursor.init))
            }
        }
    }

    /// Closes the file and releases its lock.
    public func close() {
        database.close()
        if let descriptor { Foundation.close(descriptor) }
        if let lock { StorageFile.unlock(lock) }
        (descriptor, lock) = (nil, nil)
    }

    /// Appends to a text file, syncs it, and returns its length.
    private func append(_ lines: String) throws -> Int64 {
        guard let descriptor, !lines.isEmpty else { return length }
        // An attempt that failed may have left bytes.
        guard ftruncate(descriptor, off_t(length)) == 0, StorageFile.write(Data(lines.utf8), to: descriptor),
            StorageFile.synchronize(descriptor) == 0
        else { throw StorageFile.failure(errno, file: output.name) }
        return length + Int64(lines.utf8.count)
    }

    private func perform<Result>(_ operation: () throws -> Result) throws(SweepError) -> Result {
        do {
            return try operation()
        } catch let error as SweepError {
            throw error
        } catch {
            throw .failed(.storageFailed(database.failure(error)))
        }
    }
}
