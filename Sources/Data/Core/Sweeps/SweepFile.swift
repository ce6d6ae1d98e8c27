public import BrowseDomain
public import Foundation

/// A file with the rows of a sweep: SQLite, JSON Lines, or CSV.
///
/// A page and its checkpoint are stored in one step, durably, so a crash loses and duplicates no row. A SQLite file contains
/// both, with the rows in the table `rows`. Beside other files, `NAME-checkpoint` has the checkpoint, the identifiers of all
/// rows, and the length of the file, to which resuming truncates it; delete it when you no longer want to resume.
///
/// While it's open, a kernel lock on `NAME-sweep-lock` excludes other sweeps; the lock ends with the process, even if it's
/// killed. Only the owner can read the files that a sweep creates.
public actor SweepFile<Row: Sendable>: SweepSink {
    private let output: StorageFile
    private var database: DatabaseFile
    /// The beginning of a text file; `nil` is a SQLite file.
    private let header: String?
    private let encode: @Sendable (Row) throws -> String
    private var lock: Int32?
    private var descriptor: Int32?
    /// The length of a text file, in bytes.
    private var length: Int64 = 0
    /// The last bytes of a text file, to notice changes by another program.
    private var tail = Data()
    private var identity: StorageFile.Identity?
    private let executor = QueueExecutor(label: "BrowseKit.sweep")

    /// An executor with its own dispatch queue, because files block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init(_ url: URL, header: String?, encode: @escaping @Sendable (Row) throws -> String) {
        let name = url.lastPathComponent
        output = StorageFile(folder: url.deletingLastPathComponent(), name: name)
        let file = header == nil ? output : output.neighbor(name + "-checkpoint")
        let tables = [
            "CREATE TABLE rows (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, json TEXT)",
            "CREATE TABLE visits (cursor TEXT PRIMARY KEY, visit BLOB NOT NULL) WITHOUT ROWID",
            """
            CREATE TABLE sweep (number INTEGER PRIMARY KEY CHECK (number = 1), checkpoint BLOB, length INTEGER NOT NULL,
                tail BLOB NOT NULL, header TEXT NOT NULL, isWriting INTEGER NOT NULL)
            """,
        ]
        database = DatabaseFile(file, Migrations(steps: [tables]), isCache: false)
        self.header = header
        self.encode = encode
    }

    /// Returns a SQLite file with the table `rows`: the number in order of delivery, `id`, and `json`.
    public static func sqlite(at url: URL) -> SweepFile where Row: Encodable {
        SweepFile(url, header: nil, encode: json)
    }

    /// Returns a file with a JSON object in each line (jsonlines.org).
    public static func jsonLines(at url: URL) -> SweepFile where Row: Encodable {
        SweepFile(url, header: "") { try json($0) + "\n" }
    }

    /// Returns a file with comma-separated values (RFC 4180) in UTF-8.
    ///
    /// An apostrophe is added before texts that a spreadsheet would evaluate as a formula: those that begin with `=`, `+`, `-`, or
    /// `@` (also in full width), a tab, or a line break, except numbers. Use another format for programs that need the exact text.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - columns: The names in the first line, with closures that return the value of a row; `nil` is an empty field.
    public static func csv(at url: URL, columns: KeyValuePairs<String, @Sendable (Row) -> String?>) -> SweepFile {
        SweepFile(url, header: CSV.line(columns.map { $0.key })) { row in
            CSV.line(columns.map { $0.value(row) ?? "" })
        }
    }

    private static func json(_ row: Row) throws -> String where Row: Encodable {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(row), as: UTF8.self)
    }
}

extension SweepFile {
    /// Locks and opens the file, and truncates a text file that an interrupted sweep extended.
    ///
    /// - Throws: `SweepError`: `.inUse` if another sweep uses the file, `.foreignFile` if a sweep didn't leave it like this or in
    ///   this format, or `.failed(.storageFailed)`, with the reason `.newerVersion` if a newer version of the SDK wrote it.
    public func open() throws(SweepError) -> SweepProgress? {
        try perform {
            // Another run of this object has the lock, too.
            guard let lock = try output.neighbor(output.name + "-sweep").tryLock() else {
                throw SweepError.inUse(name: output.name)
            }
            self.lock = lock
            do {
                return try openLocked()
            } catch {
                close()
                throw error
            }
        }
    }

    private func openLocked() throws -> SweepProgress? {
        let connection: Database
        do {
            connection = try database.open()
        } catch  where database.failure(error).reason == .damaged {
            throw SweepError.foreignFile(name: database.file.name)
        }
        let stored = try connection.first("SELECT checkpoint, length, tail, header, isWriting FROM sweep") { row in
            (
                checkpoint: row.optionalBlob(0), length: row.integer(1), tail: row.optionalBlob(2) ?? Data(),
                header: row.text(3), isWriting: row.integer(4) != 0
            )
        }
        (length, tail) = (stored?.length ?? 0, stored?.tail ?? Data())
        if let header {
            let (descriptor, found) = try output.openForAppending()
            self.descriptor = descriptor
            // Only an interrupted sweep leaves bytes after the stored length.
            guard stored == nil || stored?.header == header,
                found == length || found > length && stored?.isWriting == true,
                endsAsStored(descriptor)
            else { throw SweepError.foreignFile(name: output.name) }
            guard ftruncate(descriptor, off_t(length)) == 0 else { throw StorageFile.failure(errno, file: output.name) }
            output.synchronizeFolder()
        }
        identity = output.identity
        return try stored?.checkpoint.map { try JSONDecoder().decode(SweepProgress.self, from: $0) }
    }

    /// Returns whether the file has the stored last bytes before its end at the last checkpoint.
    private func endsAsStored(_ descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: tail.count)
        return pread(descriptor, &bytes, bytes.count, off_t(length) - off_t(bytes.count)) == bytes.count
            && bytes.elementsEqual(tail)
    }

    /// Stores new rows and the checkpoint in one transaction, for which a text file is synced.
    ///
    /// - Throws: `SweepError`: `.foreignFile` if the file was moved, deleted, or replaced, or `.failed(.storageFailed)`.
    public func store(
        _ rows: [(id: String, row: Row)],
        of visit: SweepVisit,
        checkpoint: @Sendable (_ newCount: Int) -> SweepProgress
    ) throws(SweepError) -> SweepProgress {
        try perform {
            // Otherwise, the rows would get into a file that has no name.
            guard let connection = database.connection, database.isCurrent, output.identity == identity else {
                throw SweepError.foreignFile(name: output.name)
            }
            if let header {
                try connection.run(
                    """
                    INSERT INTO sweep VALUES (1, NULL, 0, x'', ?1, 1)
                    ON CONFLICT (number) DO UPDATE SET isWriting = 1 WHERE isWriting = 0
                    """,
                    [.text(header)]
                )
            }
            var isStored = false
            let before = (length, tail)
            defer { if !isStored { undo(to: before, connection) } }
            try connection.run("BEGIN IMMEDIATE")
            var lines = length == 0 ? header ?? "" : ""
            var count = 0
            for (id, row) in rows {
                let text = try encode(row)
                let json = header == nil ? Database.Value.text(text) : .null
                try connection.run("INSERT OR IGNORE INTO rows (id, json) VALUES (?1, ?2)", [.text(id), json])
                guard connection.changedRowCount > 0 else { continue }
                count += 1
                if header != nil { lines += text }
            }
            try append(lines)
            let checkpoint = checkpoint(count)
            let data = Database.Value.blob(try JSONEncoder().encode(checkpoint))
            try connection.run(
                "INSERT OR REPLACE INTO sweep VALUES (1, ?1, ?2, ?3, ?4, 1)",
                [data, .integer(length), .blob(tail), .text(header ?? "")]
            )
            try connection.run(
                "INSERT OR REPLACE INTO visits VALUES (?1, ?2)",
                [Self.key(visit.cursor), .blob(try JSONEncoder().encode(visit))]
            )
            try connection.run("COMMIT")
            isStored = true
            return checkpoint
        }
    }

    /// Rolls back, and removes what was appended.
    ///
    /// If that fails, the mark of an interrupted sweep stays, so that the next one truncates the file.
    private func undo(to before: (length: Int64, tail: Data), _ connection: Database) {
        let isUndone = (try? connection.run("ROLLBACK")) != nil
        guard isUndone, descriptor.map({ ftruncate($0, off_t(before.length)) == 0 }) ?? true else {
            return database.close()
        }
        (length, tail) = before
    }

    /// Returns the last visit of a page.
    public func visit(at cursor: PageCursor?) throws(SweepError) -> SweepVisit? {
        try perform {
            try database.connection?.first("SELECT visit FROM visits WHERE cursor = ?1", [Self.key(cursor)]) { row in
                // Without a visit that can be read, the page is loaded again.
                try? JSONDecoder().decode(SweepVisit.self, from: row.optionalBlob(0) ?? Data())
            } ?? nil
        }
    }

    private static func key(_ cursor: PageCursor?) -> Database.Value { .text(cursor?.rawValue ?? "") }

    /// Closes the file and releases its lock.
    public func close() {
        // Without a checkpoint, the file isn't of a sweep. If this fails, the next sweep truncates the file to its length.
        if let connection = database.connection, database.isCurrent {
            try? connection.run("UPDATE sweep SET isWriting = 0 WHERE isWriting = 1")
        }
        database.close()
        if let descriptor { Foundation.close(descriptor) }
        if let lock { StorageFile.unlock(lock) }
        (descriptor, lock) = (nil, nil)
    }

    /// Appends to a text file, and syncs it.
    private func append(_ lines: String) throws {
        guard let descriptor, !lines.isEmpty else { return }
        let data = Data(lines.utf8)
        guard StorageFile.write(data, to: descriptor), StorageFile.synchronize(descriptor) == 0 else {
            throw StorageFile.failure(errno, file: output.name)
        }
        (length, tail) = (length + Int64(data.count), Data(data.suffix(64)))
    }

    private func perform<Result>(_ operation: () throws -> Result) throws(SweepError) -> Result {
        do {
            return try operation()
        } catch let error as SweepError {
            throw error
        } catch is DecodingError {
            throw .failed(.storageFailed(StorageFailure(reason: .damaged, file: output.name)))
        } catch is EncodingError {
            throw .failed(.storageFailed(StorageFailure(reason: .notEncodable, file: output.name)))
        } catch {
            throw .failed(.storageFailed(database.failure(error)))
        }
    }
}
