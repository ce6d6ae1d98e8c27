public import BrowseDomain
public import Foundation

/// A store of responses in a SQLite database file, which processes on one machine can share.
///
/// The least recently used responses are evicted. A damaged file is replaced with an empty one.
///
/// ``ResponseCache/init(folder:byteLimit:now:clock:)`` is faster, because it stores validators in columns: reading one needs
/// no head. Choose this store for code that expects a ``SharedResponseStore``.
public final class SQLiteResponseStore: SharedResponseStore {
    private static let fileName = "shared-responses.sqlite"

    private let queue: CacheQueue

    /// Creates a store; the file is opened when it is first used.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file; a missing folder is created, accessible only to its owner.
    ///   - byteLimit: The maximum size of the file and its log together in bytes, at least 1 MiB for an exact limit. A response
    ///     larger than 1/8 of the limit isn't stored.
    ///   - now: The current date, which orders the uses of responses.
    public convenience init(
        folder: URL,
        byteLimit: Int = 64 << 20,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(
            folder: folder,
            byteLimit: byteLimit,
            now: now,
            clock: ContinuousClock(),
            lockTimeout: .milliseconds(25)
        )
    }

    /// - Parameters:
    ///   - clock: Measures the pause after a wait for a lock.
    ///   - lockTimeout: The maximum wait for another process's lock, in real time.
    package init(
        folder: URL,
        byteLimit: Int = 64 << 20,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration>,
        lockTimeout: Duration
    ) {
        let store = ResponseStore(
            folder: folder,
            name: Self.fileName,
            byteLimit: byteLimit,
            memory: CacheMemory(),
            now: now,
            clock: clock,
            lockTimeout: lockTimeout
        )
        queue = CacheQueue(store, clock: clock)
    }

    /// Returns the head of a response; `nil` if there is none.
    public func head(of key: ResponseKey) async throws(StorageFailure) -> Data? {
        try await result { $0.head(of: key) }
    }

    /// Returns a response; `nil` if there is none.
    public func response(for key: ResponseKey) async throws(StorageFailure) -> ResponseRecord? {
        try await result { $0.record(for: key) }
    }

    /// Stores a response in place of the current one.
    public func store(_ response: ResponseRecord, for key: ResponseKey) async throws(StorageFailure) {
        try await result { $0.store(response, for: key) }
    }

    /// Replaces the head of a response, unless the response has changed.
    public func replaceHead(_ old: Data, with new: Data, of key: ResponseKey) async throws(StorageFailure) {
        try await result { $0.replaceHead(old, with: new, of: key) }
    }

    /// Removes a response, if there is one.
    public func remove(_ key: ResponseKey) async throws(StorageFailure) {
        try await result { $0.remove(key) }
    }

    /// Erases all responses of an account, or all responses, from the file and its log.
    ///
    /// After a failure, they are erased before the file is next used.
    public func removeAll(of account: String?) async throws(StorageFailure) {
        try await result { $0.erase(account.map(CacheErasure.account) ?? .everything) ? () : nil }
    }

    private func result<Value: Sendable>(
        _ work: @escaping @Sendable (ResponseStore) -> Value?
    ) async throws(StorageFailure) -> Value {
        // Another process may hold a lock, or the folder may not be writable; the next call tries again.
        guard let value = await queue.result(work) else {
            throw StorageFailure(reason: .unavailable, file: Self.fileName)
        }
        return value
    }
}

/// Operations on records, whose heads contain their validators and checksums.
///
/// The result is `nil` if the file can't be used.
extension ResponseStore {
    func head(of key: ResponseKey) -> Data?? {
        read { database throws(Database.Failure) in
            try database.first("SELECT head FROM responses WHERE key = ?1", [.text(key.text)]) {
                $0.optionalBlob(0) ?? Data()
            }
        }
    }

    func record(for key: ResponseKey) -> ResponseRecord?? {
        let found = read { database throws(Database.Failure) in
            try database.first(
                "SELECT head, body FROM responses JOIN bodies USING (id) WHERE key = ?1",
                [.text(key.text)]
            ) { row in
                ResponseRecord(head: row.optionalBlob(0) ?? Data(), body: row.optionalBlob(1) ?? Data())
            }
        }
        guard let found else { return .none }
        if found != nil {
            let use = nextUse()
            write(waits: false) { database throws(Database.Failure) in
                try database.run("UPDATE responses SET used = ?2 WHERE key = ?1", [.text(key.text), .integer(use)])
            }
        }
        return .some(found)
    }

    func store(_ record: ResponseRecord, for key: ResponseKey) -> Void? {
        let size = record.head.count + record.body.count + key.text.utf8.count
        guard size <= space.responseLimit else { return remove(key) }
        let use = nextUse()
        return write { database throws(Database.Failure) in
            try database.transaction { () throws(Database.Failure) in
                guard try space.makeRoom(for: size, in: database, mayEvict: memory.evict) else { return }
                try database.run(
                    """
                    INSERT INTO responses (key, account, variant, head, checksum, size, date, used)
                    VALUES (?1, ?2, '', ?3, 0, ?4, 0, ?5)
                    ON CONFLICT (key) DO UPDATE SET (head, size, used) = (?3, ?4, ?5)
                    """,
                    [
                        .text(key.text), key.account.map(Database.Value.text) ?? .null, .blob(record.head),
                        .integer(Int64(size)), .integer(use),
                    ]
                )
                try database.run(
                    "INSERT OR REPLACE INTO bodies SELECT id, ?2 FROM responses WHERE key = ?1",
                    [.text(key.text), .blob(record.body)]
                )
            }
        }
    }

    func replaceHead(_ old: Data, with new: Data, of key: ResponseKey) -> Void? {
        let use = nextUse()
        return write { database throws(Database.Failure) in
            try database.run(
                """
                UPDATE responses SET (head, size, used) = (?3, size + length(?3) - length(head), ?4)
                WHERE key = ?1 AND head = ?2
                """,
                [.text(key.text), .blob(old), .blob(new), .integer(use)]
            )
        }
    }

    func remove(_ key: ResponseKey) -> Void? {
        write { database throws(Database.Failure) in
            try database.run("DELETE FROM responses WHERE key = ?1", [.text(key.text)])
        }
    }
}
