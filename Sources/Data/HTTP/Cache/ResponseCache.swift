import BrowseDomain
import CBrowseSQLite
public import Foundation
import Synchronization

/// Keeps replies in a SQLite database, up to a number of bytes; those not used for longest go first.
///
/// It may be thrown away at any time: a file that cannot be used is replaced by an empty one, a row that is damaged is
/// dropped, and where nothing can be written nothing is kept. Requests never fail because of it. Several processes may use
/// one folder.
public actor ResponseCache {
    /// A reply that can be asked about.
    struct Known: Sendable {
        let key: CacheKey
        let variant: VaryKey
        let etag: String?
        let lastModified: String?
        let date: Date

        /// Whether the server can tell this version from others.
        var canBeAskedAbout: Bool { etag != nil || lastModified != nil }

        /// Whether a confirmation is one of this reply, and not of another that the server had or has (RFC 9111, section
        /// 4.3.4).
        func isMeant(by confirmation: HTTPHeaders) -> Bool {
            if let other = confirmation["ETag"] { return etag.map(Self.opaque) == Self.opaque(other) }
            guard etag == nil, let other = confirmation["Last-Modified"] else { return true }
            return other == lastModified
        }

        /// Weak or strong is all the same to this question (RFC 9110, section 8.8.3.2).
        private static func opaque(_ etag: String) -> Substring { etag.hasPrefix("W/") ? etag.dropFirst(2) : etag[...] }
    }

    private static let steps = Migrations(steps: [
        [
            """
            CREATE TABLE replies (
                id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, account TEXT, variant TEXT NOT NULL,
                etag TEXT, modified TEXT, head BLOB NOT NULL, checksum INTEGER NOT NULL,
                size INTEGER NOT NULL, date INTEGER NOT NULL, used INTEGER NOT NULL
            )
            """,
            // Apart, so that confirming a reply does not write its body again.
            "CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL)",
            """
            CREATE TRIGGER replies_deleted AFTER DELETE ON replies
            BEGIN DELETE FROM bodies WHERE id = old.id; END
            """,
            // No index: each would be written with every use of a reply, for what is looked for now and then.
        ]
    ])

    private let file: StorageFile
    private let byteLimit: Int
    private let now: @Sendable () -> Date
    private let executor = QueueExecutor(label: "BrowseKit.replies")
    private var database: (Database, StorageFile.Identity?)?
    private let memory = Mutex(Memory())
    private var lastUse: Int64 = 0
    /// What there was when it was last counted, with what has come since.
    private var total: (bytes: Int, added: Int)?

    /// What can be told without a look into the file, by anybody at any time.
    private struct Memory {
        /// What the file had for a key when this cache last saw it, so that most requests need not wait for a look. Another
        /// process may have changed it since: then the server's answer does not fit, and it is asked once more.
        var known = RecentlyUsed<String, Known>(limit: 1000)
        /// Replies about which the server is being asked, and how often.
        var pins: [String: Int] = [:]
        /// How often an account's replies were forgotten, and everybody's: what was asked for before is not kept any more.
        var generations: [String?: Int] = [:]
        var clearings = 0

        mutating func forgetKnown() { known = RecentlyUsed(limit: known.limit) }
    }

    /// A queue of its own: SQLite blocks.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a cache; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - folder: Where the file is, or is to be; a folder that is missing is made for its owner alone.
    ///   - byteLimit: The most bytes of all replies together; 0 or less keeps nothing, and makes no file. A reply of more
    ///     than an eighth of it is not kept.
    ///   - now: The current time, from which ages are counted.
    public init(folder: URL, byteLimit: Int = 64 << 20, now: @escaping @Sendable () -> Date = { Date() }) {
        file = StorageFile(folder: folder, name: "replies.sqlite")
        self.byteLimit = byteLimit
        self.now = now
    }

    /// The bytes of all replies together; 0 when the file cannot be used.
    public var byteCount: Int {
        perform { database throws(Database.Failure) in try Self.size(of: database) } ?? 0
    }

    /// How many replies are kept; 0 when the file cannot be used.
    public var count: Int {
        perform { database throws(Database.Failure) in
            try database.first("SELECT count(*) FROM replies") { $0.count(0) } ?? 0
        } ?? 0
    }

    /// Forgets every reply.
    public func removeAll() {
        memory.withLock { $0.clearings += 1 }
        erase("DELETE FROM replies")
    }

    /// Forgets every reply to an account's requests, also those that are on their way.
    ///
    /// - Parameter account: As in ``HTTPRequest/account``.
    public func removeAll(of account: String) {
        memory.withLock { $0.generations[account, default: 0] += 1 }
        erase("DELETE FROM replies WHERE account = ?1", [.text(account)])
    }

    private func erase(_ sql: String, _ values: [Database.Value] = []) {
        memory.withLock { $0.forgetKnown() }
        guard file.identity != nil else { return }
        let isDone: Void? = perform { database throws(Database.Failure) in
            try database.run(sql, values)
            // Else it could still be read from the file beside the database.
            try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        // What cannot be taken out of the file goes with it: to write down what leaves takes room, which a full disk has not.
        if isDone == nil { discard() }
    }
}

extension ResponseCache.Known {
    fileprivate init(_ key: CacheKey, _ variant: VaryKey, _ reply: CachedResponse) {
        self.init(
            key: key,
            variant: variant,
            etag: reply.headers["ETag"],
            lastModified: reply.headers["Last-Modified"],
            date: reply.date
        )
    }
}

extension ResponseCache {
    /// What a request begins with: what is known, and which replies may be kept.
    struct Question: Sendable {
        let known: Known?
        let generation: Int
    }

    /// Begins a request.
    ///
    /// - Parameter ignoresKept: Whether what is kept is not to be asked about.
    nonisolated func question(for key: CacheKey, _ request: HTTPRequest, ignoresKept: Bool) async -> Question {
        let generation = generation(of: key.account)
        guard !ignoresKept else { return Question(known: nil, generation: generation) }
        let remembered = memory.withLock { memory -> Known? in
            guard let known = memory.known.value(for: key.text), known.variant.matches(request) else { return nil }
            memory.pins[key.text, default: 0] += 1
            return known
        }
        if let remembered { return Question(known: remembered, generation: generation) }
        return Question(known: await known(for: key, request), generation: generation)
    }

    /// Ends what ``question(for:_:ignoresKept:)`` began.
    ///
    /// - Parameter confirmation: The header fields with which the server has said that it is still the same, if it has.
    /// - Returns: What ``confirm(_:by:)`` does.
    nonisolated func end(_ known: Known, by confirmation: HTTPHeaders?) async -> CachedResponse? {
        defer { release(known) }
        guard let confirmation else { return nil }
        return await confirm(known, by: confirmation)
    }

    /// What the server can be asked about for a request; it stays until ``release(_:)``.
    func known(for key: CacheKey, _ request: HTTPRequest) -> Known? {
        let found = perform { database throws(Database.Failure) in
            try database.first(
                "SELECT variant, etag, modified, date FROM replies WHERE key = ?1",
                [.text(key.text)]
            ) { row in
                Known(
                    key: key,
                    variant: VaryKey(text: row.text(0)),
                    etag: row.optionalText(1),
                    lastModified: row.optionalText(2),
                    date: Date(timeIntervalSince1970: TimeInterval(row.integer(3)))
                )
            }
        }
        guard let known = found ?? nil, known.variant.matches(request), known.canBeAskedAbout else { return nil }
        memory.withLock { memory in
            memory.known.insert(known, for: key.text, cost: 1)
            memory.pins[key.text, default: 0] += 1
        }
        return known
    }

    /// Ends what ``known(for:_:)`` began.
    nonisolated func release(_ known: Known) {
        memory.withLock { memory in
            let count = (memory.pins[known.key.text] ?? 0) - 1
            memory.pins[known.key.text] = count > 0 ? count : nil
        }
    }

    /// What is kept for a request; `nil` when there is nothing, or it was asked for in another form, or is damaged.
    func reply(for key: CacheKey, _ request: HTTPRequest) -> CachedResponse? {
        var found: CachedResponse?
        perform { database throws(Database.Failure) in
            guard let (variant, reply) = try Self.row(for: key, in: database), variant.matches(request) else { return }
            // Also when it cannot be noted that it was used.
            found = reply
            let use = nextUse()
            try database.run("UPDATE replies SET used = ?2 WHERE key = ?1", [.text(key.text), .integer(use)])
        }
        return found
    }

    /// What was asked about, now that the server has said that it is still the same; `nil` when it is no longer there, or when
    /// the server means something else.
    func confirm(_ known: Known, by headers: HTTPHeaders) -> CachedResponse? {
        guard known.isMeant(by: headers) else { return nil }
        var found: CachedResponse?
        defer { remember(found, known.key, known.variant) }
        perform { database throws(Database.Failure) in
            // Another reply may have taken its place meanwhile: a version with the same date, or the same in another language.
            guard let (variant, reply) = try Self.row(for: known.key, in: database), variant == known.variant,
                reply.headers["ETag"] == known.etag, reply.headers["Last-Modified"] == known.lastModified
            else { return }
            let confirmed = reply.confirmed(by: headers, at: now())
            // Also when it cannot be noted that it was confirmed.
            found = confirmed
            guard confirmed.headers != reply.headers else {
                return try database.run(
                    "UPDATE replies SET (date, used) = (?2, ?3) WHERE key = ?1",
                    [.text(known.key.text), .integer(Int64(confirmed.date.timeIntervalSince1970)), .integer(nextUse())]
                )
            }
            let row = values(of: confirmed, under: known.key, variant).row
            try database.run(
                """
                UPDATE replies SET (etag, modified, head, checksum, size, date, used)
                = (?2, ?3, ?4, ?5, ?6, ?7, ?8) WHERE key = ?1
                """,
                // Without what is as it was: an index is written for each column that is set, changed or not.
                [row[0]] + row[3...]
            )
        }
        return found
    }

    /// Which replies to an account's requests may be kept: those asked for since its last were forgotten.
    nonisolated func generation(of account: String?) -> Int {
        memory.withLock { $0.generations[account, default: 0] + $0.clearings }
    }

    /// Keeps a reply.
    ///
    /// - Returns: How many bytes it takes; `nil` when it is not kept.
    @discardableResult
    func keep(_ response: HTTPResponse, under key: CacheKey, _ variant: VaryKey, generation: Int) -> Int? {
        guard generation == self.generation(of: key.account) else { return nil }
        let reply = CachedResponse(response, date: now())
        let size = store(reply, under: key, variant)
        remember(size == nil ? nil : reply, key, variant)
        return size
    }

    /// Notes what the file has for a key now.
    private func remember(_ reply: CachedResponse?, _ key: CacheKey, _ variant: VaryKey) {
        memory.withLock { memory in
            guard let known = reply.map({ Known(key, variant, $0) }), known.canBeAskedAbout else {
                return memory.known.remove(key.text)
            }
            memory.known.insert(known, for: key.text, cost: 1)
        }
    }

    /// Forgets a reply.
    func remove(_ key: CacheKey) {
        memory.withLock { $0.known.remove(key.text) }
        perform { database throws(Database.Failure) in try Self.forget(key, in: database) }
    }

    /// What is kept under a key; what is damaged goes.
    private static func row(
        for key: CacheKey,
        in database: Database
    ) throws(Database.Failure) -> (VaryKey, CachedResponse)? {
        let found = try database.first(
            """
            SELECT variant, head, body, checksum, date
            FROM replies LEFT JOIN bodies USING (id) WHERE key = ?1
            """,
            [.text(key.text)]
        ) { row -> (VaryKey, CachedResponse)? in
            let reply = CachedResponse(
                head: row.optionalBlob(1) ?? Data(),
                body: row.optionalBlob(2) ?? Data(),
                checksum: row.integer(3),
                date: Date(timeIntervalSince1970: TimeInterval(row.integer(4))),
                under: key.text
            )
            return reply.map { (VaryKey(text: row.text(0)), $0) }
        }
        guard let found else { return nil }
        if found == nil { try forget(key, in: database) }
        return found
    }

    private static func forget(_ key: CacheKey, in database: Database) throws(Database.Failure) {
        try database.run("DELETE FROM replies WHERE key = ?1", [.text(key.text)])
    }

    private func store(_ reply: CachedResponse, under key: CacheKey, _ variant: VaryKey) -> Int? {
        let (values, size) = values(of: reply, under: key, variant)
        guard size <= byteLimit / 8 else {
            remove(key)
            return nil
        }
        // Others write too, so it is counted now and then.
        let known = total.flatMap { $0.added + size > byteLimit / 8 ? nil : $0 }
        let counted = perform { [byteLimit] database throws(Database.Failure) in
            try database.transaction { () throws(Database.Failure) in
                try database.run(
                    """
                    INSERT INTO replies (key, account, variant, etag, modified, head, checksum, size, date, used)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                    ON CONFLICT (key) DO UPDATE SET (variant, etag, modified, head, checksum, size, date, used)
                    = (?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                    """,
                    values
                )
                try database.run(
                    "INSERT OR REPLACE INTO bodies SELECT id, ?2 FROM replies WHERE key = ?1",
                    [values[0], .blob(reply.body)]
                )
                let bytes = if let known { known.bytes.addingClamped(size) } else { try Self.size(of: database) }
                return bytes <= byteLimit ? bytes : try shrink(database)
            }
        }
        total = counted.map { ($0, (known?.added ?? 0) + size) }
        return counted == nil ? nil : size
    }

    private static func size(of database: Database) throws(Database.Failure) -> Int {
        try database.first("SELECT total(size) FROM replies") { $0.count(0) } ?? 0
    }

    /// A row of the table of replies, and the size in it.
    private func values(
        of reply: CachedResponse,
        under key: CacheKey,
        _ variant: VaryKey
    ) -> (row: [Database.Value], size: Int) {
        let head = reply.head
        let size = head.count + reply.body.count + key.text.utf8.count
        let row: [Database.Value] = [
            .text(key.text), key.account.map(Database.Value.text) ?? .null, .text(variant.text),
            reply.headers["ETag"].map(Database.Value.text) ?? .null,
            reply.headers["Last-Modified"].map(Database.Value.text) ?? .null,
            .blob(head), .integer(CachedResponse.checksum(of: [Data(key.text.utf8), head, reply.body])),
            .integer(Int64(size)), .integer(Int64(reply.date.timeIntervalSince1970)), .integer(nextUse()),
        ]
        return (row, size)
    }

    /// Forgets what was not used for longest until the rest is within the limit; returns its size.
    private func shrink(_ database: Database) throws(Database.Failure) -> Int {
        var total = try Self.size(of: database)
        guard total > byteLimit else { return total }
        // A tenth more, so that not every reply that comes makes another one go.
        let goal = byteLimit - byteLimit / 10
        var leaving: [String] = []
        try database.each("SELECT key, size FROM replies ORDER BY used") { row in
            let key = row.text(0)
            if mayLeave(key) {
                leaving.append(key)
                total -= row.count(1)
            }
            return total > goal
        }
        for key in leaving { try database.run("DELETE FROM replies WHERE key = ?1", [.text(key)]) }
        return total
    }

    /// Whether the server is not being asked about a reply; nor will it be without another look into the file.
    private func mayLeave(_ key: String) -> Bool {
        memory.withLock { memory in
            guard memory.pins[key] == nil else { return false }
            memory.known.remove(key)
            return true
        }
    }

    /// A number that grows with each use, in every process: the time, made unique.
    private func nextUse() -> Int64 {
        lastUse = max(lastUse + 1, Int64(now().timeIntervalSince1970 * 1_000_000))
        return lastUse
    }
}

extension ResponseCache {
    /// Does something with the database; a damaged file is replaced, once. Any failure comes to nothing.
    @discardableResult
    private func perform<Value>(_ body: (Database) throws(Database.Failure) -> Value) -> Value? {
        guard byteLimit > 0 else { return nil }
        for _ in 0..<2 {
            do {
                return try body(try open())
            } catch let failure as Database.Failure where failure.isDamage || failure.isOfForeignFile {
                discard()
            } catch is Migrations.Newer {
                discard()
            } catch {
                database = nil
                return nil
            }
        }
        return nil
    }

    private func open() throws -> Database {
        if let (database, identity) = database, identity != nil, identity == file.identity { return database }
        database = nil
        return try file.locked {
            try file.create()
            let opened = try Database(file.url, busyTimeout: .seconds(2))
            // Replies are larger than rows use to be: twice the usual page halves the number of writes.
            try opened.run("PRAGMA page_size = 8192")
            try opened.run("PRAGMA journal_mode = WAL")
            // A body passes through once: a few buffers used again and again stay in the processor's own memory, and what is
            // read again soon is in the system's. In KiB.
            try opened.run("PRAGMA cache_size = -256")
            // What is lost with the power can be asked for again.
            try opened.run("PRAGMA synchronous = OFF")
            // What somebody has signed out of is not to be found in the file.
            try opened.run("PRAGMA secure_delete = ON")
            try Self.steps.run(on: opened)
            database = (opened, file.identity)
            total = nil
            memory.withLock { $0.forgetKnown() }
            return opened
        }
    }

    /// Throws the file away.
    private func discard() {
        database = nil
        try? file.locked { file.remove() }
    }
}

extension Database.Failure {
    /// Whether the tables are not those that were made here: our statements are right for ours.
    fileprivate var isOfForeignFile: Bool { [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(primary) }
}
