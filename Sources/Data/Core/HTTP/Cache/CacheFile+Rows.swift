import BrowseDomain
import Foundation

extension CacheFile {
    /// The number of responses, and their size in bytes.
    var size: (count: Int, bytes: Int) {
        let size = read { database throws(Database.Failure) in
            try database.first("SELECT count(*), total(size) FROM responses") { ($0.count(0), $0.count(1)) }
        }
        return (size ?? nil) ?? (0, 0)
    }

    /// The validator for a request; `nil` if no cached response can be revalidated.
    func validator(for key: CacheKey, _ request: HTTPRequest) -> Validator? {
        let found = read { database throws(Database.Failure) in
            try database.first(
                "SELECT variant, etag, modified, date FROM responses WHERE key = ?1",
                [.text(key.text)]
            ) { row in
                Validator(
                    key: key,
                    variant: VaryKey(text: row.text(0)),
                    etag: row.optionalText(1),
                    lastModified: row.optionalText(2),
                    date: row.date(3)
                )
            }
        }
        guard let validator = found ?? nil, validator.variant.matches(request), validator.isUsable else { return nil }
        return validator
    }

    /// Passes on the response to a request, then records its use.
    func response(for key: CacheKey, _ request: HTTPRequest, _ answer: (CachedResponse?) -> Void) {
        guard let (variant, response, _) = row(for: key), variant.matches(request) else { return }
        answer(response)
        let use = nextUse()
        write(waits: false) { database throws(Database.Failure) in
            try database.run("UPDATE responses SET used = ?2 WHERE key = ?1", [.text(key.text), .integer(use)])
        }
    }

    /// Passes on a response that the server confirmed, then stores the confirmation.
    func confirm(_ validator: Validator, by headers: HTTPHeaders, _ answer: (CachedResponse?) -> Void) {
        let key = validator.key
        // It may have been replaced, by another version with the same date or by another variant.
        guard let (variant, response, checksum) = row(for: key), validator.identifies(response, variant) else {
            return memory.update(nil, key, validator.variant)
        }
        let confirmed = response.confirmed(by: headers, at: now())
        guard confirmed.mustReplace(response) else { return answer(confirmed) }
        memory.update(confirmed, key, variant)
        answer(confirmed)
        // Another process may have stored a version since the read, with its own head and body.
        let version = Database.Value.integer(checksum)
        let isStored = write(waits: false) { database throws(Database.Failure) in
            if confirmed.headers == response.headers {
                try database.run(
                    "UPDATE responses SET (date, used) = (?2, ?3) WHERE key = ?1 AND checksum = ?4",
                    [
                        .text(key.text), .integer(Int64(confirmed.date.timeIntervalSince1970)), .integer(nextUse()),
                        version,
                    ]
                )
            } else {
                let row = values(of: confirmed, under: key, variant).row
                try database.run(
                    """
                    UPDATE responses SET (etag, modified, head, checksum, size, date, used)
                    = (?2, ?3, ?4, ?5, ?6, ?7, ?8) WHERE key = ?1 AND checksum = ?9
                    """,
                    // Omits unchanged key columns, because SQLite updates the index of every column that is set.
                    [row[0]] + row[3...] + [version]
                )
            }
            return database.changedRowCount > 0
        }
        if isStored == false { memory.removeValidator(of: key) }
    }

    /// Stores a response; returns its size in bytes, or `nil` if it wasn't stored.
    func commit(_ response: HTTPResponse, under key: CacheKey, _ variant: VaryKey, generation: Int) -> Int? {
        guard generation == memory.generation(of: key.account) else { return nil }
        let response = CachedResponse(response, date: now())
        let (row, size) = values(of: response, under: key, variant)
        guard size <= space.responseLimit else {
            remove(key)
            return nil
        }
        let isStored = write { database throws(Database.Failure) in
            try database.transaction { () throws(Database.Failure) in
                try forgetKeysIfChanged(in: database)
                guard try space.makeRoom(for: size, in: database, willEvict: memory.evict) else { return false }
                try database.run(
                    """
                    INSERT INTO responses (key, account, variant, etag, modified, head, checksum, size, date, used)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                    ON CONFLICT (key) DO UPDATE SET (variant, etag, modified, head, checksum, size, date, used)
                    = (?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                    """,
                    row
                )
                try database.run(
                    "INSERT OR REPLACE INTO bodies SELECT id, ?2 FROM responses WHERE key = ?1",
                    [row[0], .blob(response.body)]
                )
                return true
            }
        }
        memory.update(isStored == true ? response : nil, key, variant)
        return isStored == true ? size : nil
    }

    func remove(_ key: CacheKey) {
        memory.removeValidator(of: key)
        write { database throws(Database.Failure) in
            try database.run("DELETE FROM responses WHERE key = ?1", [.text(key.text)])
        }
    }

    /// The row of a key, and its checksum. A damaged row is deleted.
    private func row(for key: CacheKey) -> (VaryKey, CachedResponse, checksum: Int64)? {
        let found = read { database throws(Database.Failure) in
            try database.first(
                """
                SELECT variant, head, body, checksum, date
                FROM responses LEFT JOIN bodies USING (id) WHERE key = ?1
                """,
                [.text(key.text)]
            ) { row -> (variant: VaryKey, response: CachedResponse?, checksum: Int64) in
                let response = CachedResponse(
                    head: row.optionalBlob(1) ?? Data(),
                    body: row.optionalBlob(2) ?? Data(),
                    checksum: row.integer(3),
                    date: row.date(4),
                    under: key.text
                )
                return (VaryKey(text: row.text(0)), response, row.integer(3))
            }
        }
        guard let found = found ?? nil else { return nil }
        guard let response = found.response else {
            memory.removeValidator(of: key)
            write { database throws(Database.Failure) in
                try database.run(
                    "DELETE FROM responses WHERE key = ?1 AND checksum = ?2",
                    [.text(key.text), .integer(found.checksum)]
                )
            }
            return nil
        }
        return (found.variant, response, found.checksum)
    }

    /// The values of a row of `responses`, and its size in bytes.
    private func values(
        of response: CachedResponse,
        under key: CacheKey,
        _ variant: VaryKey
    ) -> (row: [Database.Value], size: Int) {
        let head = response.head
        let size = head.count + response.body.count + key.text.utf8.count
        let row: [Database.Value] = [
            .text(key.text), key.account.map(Database.Value.text) ?? .null, .text(variant.text),
            response.headers["ETag"].map(Database.Value.text) ?? .null,
            response.headers["Last-Modified"].map(Database.Value.text) ?? .null,
            .blob(head), .integer(CachedResponse.checksum(of: [Data(key.text.utf8), head, response.body])),
            .integer(Int64(size)), .integer(Int64(response.date.timeIntervalSince1970)), .integer(nextUse()),
        ]
        return (row, size)
    }
}
