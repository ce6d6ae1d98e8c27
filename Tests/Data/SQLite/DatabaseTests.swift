import BrowseDomain
import CBrowseSQLite
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded) struct `A database` {
    private let folder = TemporaryFolder()
    private var file: StorageFile { StorageFile(folder: folder.url, name: "test.sqlite") }

    private func open(_ file: StorageFile) throws -> Database {
        try file.locked {
            try file.create()
            return try Database(file.url)
        }
    }

    @Test func `returns bound values unchanged`() throws {
        let database = try open(file)
        try database.run("CREATE TABLE t (i INTEGER, t TEXT, b BLOB, n)")
        let text = "a\u{0}b '; DROP TABLE t; -- 하늘"
        let bytes = Data([0, 255, 0])
        for (text, bytes) in [(text, bytes), ("", Data())] {
            try database.run(
                "INSERT INTO t VALUES (?1, ?2, ?3, ?4)",
                [.integer(.min), .text(text), .blob(bytes), .null]
            )
        }
        var rows: [(Int64, String?, Data?, Bool)] = []
        try database.each("SELECT i, t, b, n FROM t") { row in
            rows.append((row.integer(0), row.optionalText(1), row.optionalBlob(2), row.optionalText(3) == nil))
            return true
        }
        try #require(rows.count == 2)
        #expect(rows[0] == (.min, text, bytes, true))
        #expect(rows[1] == (.min, "", Data(), true))
    }

    @Test func `can end a statement early and run it again`() throws {
        let database = try open(file)
        let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT ?1) SELECT x FROM n"
        for limit in [5, 3] {
            #expect(try database.first(sql, [.integer(Int64(limit))]) { $0.integer(0) } == 1)
            var sum: Int64 = 0
            try database.each(sql, [.integer(Int64(limit))]) { row in
                sum += row.integer(0)
                return true
            }
            #expect(sum == (limit == 5 ? 15 : 6))
        }
        #expect(try database.first("SELECT 1 WHERE 0") { _ in true } == nil)
    }

    @Test func `commits or rolls back a whole transaction`() throws {
        let database = try open(file)
        try database.run("CREATE TABLE t (i INTEGER UNIQUE)")
        try database.transaction { () throws(Database.Failure) in
            try database.run("INSERT INTO t VALUES (1)")
            try database.run("INSERT INTO t VALUES (2)")
        }
        #expect(throws: Database.Failure(code: SQLITE_CONSTRAINT | (8 << 8))) {
            try database.transaction { () throws(Database.Failure) in
                try database.run("INSERT INTO t VALUES (3)")
                try database.run("INSERT INTO t VALUES (2)")
            }
        }
        #expect(try database.first("SELECT count(*) FROM t") { $0.integer(0) } == 2)
        // No transaction is left open.
        try database.transaction { () throws(Database.Failure) in try database.run("INSERT INTO t VALUES (3)") }
        #expect(try database.first("SELECT count(*) FROM t") { $0.integer(0) } == 3)
    }

    @Test func `fails with busy after waiting for another connection's lock`() throws {
        let first = try open(file)
        try first.run("CREATE TABLE t (i)")
        let second = try Database(file.url, busyTimeout: .zero)
        try first.run("BEGIN IMMEDIATE")
        #expect {
            try second.run("INSERT INTO t VALUES (1)")
        } throws: { error in
            (error as? Database.Failure).map { file.failure($0).reason == .busy } ?? false
        }
    }

    @Test func `fails with full on a full disk`() throws {
        let database = try open(file)
        try database.run("CREATE TABLE t (b BLOB)")
        try database.run("PRAGMA max_page_count = 4")
        #expect {
            try database.run("INSERT INTO t VALUES (?1)", [.blob(Data(count: 100_000))])
        } throws: { error in
            (error as? Database.Failure).map { file.failure($0).reason == .full } ?? false
        }
    }

    @Test(arguments: [
        (SQLITE_IOERR | (19 << 8), ENOSPC, StorageFailure.Reason.full), (SQLITE_CANTOPEN, EDQUOT, .full),
        (SQLITE_CANTOPEN, EACCES, .notWritable), (SQLITE_IOERR, EROFS, .notWritable), (SQLITE_IOERR, EIO, .other),
        (SQLITE_READONLY, 0, .notWritable), (SQLITE_LOCKED, 0, .busy), (SQLITE_NOMEM, 0, .other),
        (SQLITE_CORRUPT | (1 << 8), 0, .damaged),
    ])
    func `maps result codes and errno to reasons`(
        code: Int32,
        systemCode: Int32,
        reason: StorageFailure.Reason
    ) {
        var failure = Database.Failure(code: code)
        failure.systemCode = systemCode
        #expect(file.failure(failure) == StorageFailure(reason: reason, file: "test.sqlite", code: Int(code)))
    }

    @Test func `fails for a missing file and for invalid SQL`() throws {
        #expect {
            try Database(folder.file("nothing.sqlite"))
        } throws: { error in
            (error as? Database.Failure).map { file.failure($0).reason == .notWritable } ?? false
        }
        let database = try open(file)
        #expect(throws: Database.Failure(code: SQLITE_ERROR)) { try database.run("SELEKT 1") }
        #expect(throws: Database.Failure(code: SQLITE_MISUSE)) { try database.run("-- nothing") }
    }
}

@Suite(.bounded) struct `Database migrations` {
    private let folder = TemporaryFolder()

    private func open() throws -> Database {
        let file = StorageFile(folder: folder.url, name: "test.sqlite")
        return try file.locked {
            try file.create()
            return try Database(file.url)
        }
    }

    private static let first = ["CREATE TABLE a (i)"]
    private static let second = ["CREATE TABLE b (i)", "INSERT INTO b SELECT i FROM a"]

    @Test func `run once each, from any version`() throws {
        let database = try open()
        try Migrations(steps: [Self.first]).run(on: database)
        try database.run("INSERT INTO a VALUES (7)")
        for _ in 0..<2 {
            try Migrations(steps: [Self.first, Self.second]).run(on: try open())
            #expect(try database.pragma("user_version") == 2)
            #expect(try database.first("SELECT i FROM b") { $0.integer(0) } == 7)
        }
    }

    @Test func `don't change the file if a step fails`() throws {
        let database = try open()
        try Migrations(steps: [Self.first]).run(on: database)
        #expect(throws: Database.Failure.self) {
            try Migrations(steps: [Self.first, ["CREATE TABLE b (i)", "INSERT INTO nothing VALUES (1)"]])
                .run(on: database)
        }
        #expect(try database.pragma("user_version") == 1)
        #expect(try database.first("SELECT 1 FROM sqlite_schema WHERE name = 'b'") { _ in true } == nil)
    }

    @Test func `reject a newer file without changing it`() throws {
        let database = try open()
        try Migrations(steps: [Self.first, Self.second]).run(on: database)
        #expect(throws: Migrations.NewerVersion(found: 2, supported: 1)) {
            try Migrations(steps: [Self.first]).run(on: try open())
        }
        #expect(try database.pragma("user_version") == 2)
    }
    @Test(arguments: [-1, 1, 10_000]) func `refuse versions that were never released`(version: Int) throws {
        let migrations = Migrations(firstVersion: 2, steps: [Self.first, Self.second])
        try migrations.run(on: try open())
        #expect(try open().pragma("user_version") == 3)
        try open().run("PRAGMA user_version = \(version)")
        #expect(throws: Database.Failure(code: SQLITE_CORRUPT)) { try migrations.run(on: try open()) }
        #expect(try open().pragma("user_version") == version)
    }

    @Test(arguments: ["ALTER TABLE a ADD j", "DROP TABLE b"])
    func `refuse a schema that others changed`(change: String) throws {
        let migrations = Migrations(steps: [Self.first, Self.second])
        try migrations.run(on: try open())
        try migrations.run(on: try open())
        try open().run(change)
        #expect(throws: Database.Failure(code: SQLITE_CORRUPT)) { try migrations.run(on: try open()) }
    }

    @Test func `refuse a file of another program`() throws {
        try open().run("CREATE TABLE c (i)")
        let migrations = Migrations(steps: [Self.first])
        #expect(throws: Database.Failure(code: SQLITE_CORRUPT)) { try migrations.run(on: try open()) }
        #expect(try open().pragma("user_version") == 0)
    }
}
