import BrowseDomain
import BrowseMocks
import Foundation
import TestSupport
import Testing

@testable import BrowseData
import TestLimits

@Suite(.bounded)
struct `The file of a sweep` {
    private let folder = TemporaryFolder()
    private let list = SweepList(1...25)

    private func text(_ name: String) throws -> String { try String(contentsOf: folder.file(name), encoding: .utf8) }

    private func run(_ sink: SweepFile<SweepItem>, text: String = "") async throws {
        try await Sweep(list.source(text: text), into: sink).run()
    }

    @Test func `has a table with the rows in order`() async throws {
        try await run(.sqlite(at: folder.file("items.sqlite")))
        #expect(folder.names.filter { !$0.hasSuffix("-lock") } == ["items.sqlite"])
        let database = try Database(folder.file("items.sqlite"))
        var rows: [String] = []
        try database.each("SELECT number, id, json FROM rows ORDER BY number") { row in
            rows.append("\(row.integer(0)) \(row.text(1)) \(row.text(2))")
            return true
        }
        #expect(rows.count == 25)
        #expect(rows[11] == #"12 12 {"id":12,"text":""}"#)
    }

    @Test func `has a JSON object per line`() async throws {
        try await run(.jsonLines(at: folder.file("items.jsonl")), text: "a\n\"b\"/é")
        let lines = try text("items.jsonl").split(separator: "\n")
        #expect(lines.count == 25)
        #expect(lines[1] == #"{"id":2,"text":"a\n\"b\"/é"}"#)
    }

    @Test(
        arguments: [
            ("a b", "a b"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""),
            ("", ""), ("=1+1", "'=1+1"), ("+SUM(A1)", "'+SUM(A1)"), ("-2+3", "'-2+3"), ("@x,y", "\"'@x,y\""),
            ("\t=1", "'\t=1"), ("＝1", "'＝1"), ("-5", "-5"), ("+1.5e3", "+1.5e3"), ("-inf", "'-inf"), ("a=1", "a=1"),
        ]
    )
    func `quotes comma-separated values, and disarms formulas`(value: String, field: String) async throws {
        try await run(.csv(at: folder.file("items.csv")), text: value)
        #expect(try text("items.csv").hasPrefix("id,text\r\n1,\(field)\r\n2,\(field)\r\n"))
    }

    @Test func `has the names of the columns even without rows`() async throws {
        list.state.withLock { $0.items = [] }
        try await run(.csv(at: folder.file("items.csv")))
        #expect(try text("items.csv") == "id,text\r\n")
        try await run(.csv(at: folder.file("items.csv")))
        #expect(try text("items.csv") == "id,text\r\n")
    }

    @Test(arguments: ["items.sqlite", "items.jsonl"])
    func `is used by one sweep at a time`(name: String) async throws {
        let url = folder.file(name)
        func sink() -> SweepFile<SweepItem> { name.hasSuffix("sqlite") ? .sqlite(at: url) : .jsonLines(at: url) }
        let first = sink()
        _ = try await first.open()
        await #expect(throws: SweepError.inUse(name: name)) { try await run(sink()) }
        await first.close()
        try await run(sink())
    }

    @Test func `loses what an interrupted sweep wrote after its checkpoint`() async throws {
        list.state.withLock { $0.failure = { $0 == 2 ? .timedOut(SweepList.info) : nil } }
        _ = try? await run(.jsonLines(at: folder.file("items.jsonl")))
        let handle = try FileHandle(forWritingTo: folder.file("items.jsonl"))
        _ = try handle.seekToEnd()
        try handle.write(contentsOf: Data(#"{"id":11,"te"#.utf8))
        try handle.close()
        // As a killed sweep leaves it.
        try Database(folder.file("items.jsonl-checkpoint")).run("UPDATE sweep SET isWriting = 1")
        list.state.withLock { $0.failure = nil }
        try await run(.jsonLines(at: folder.file("items.jsonl")))
        let ids = try text("items.jsonl").split(separator: "\n").map { line in
            try JSONDecoder().decode(SweepItem.self, from: Data(line.utf8)).id
        }
        #expect(ids == Array(1...25))
    }

    @Test func `loses what was appended before a failure of its checkpoint`() async throws {
        list.state.withLock { state in
            state.failure = { [folder] number in
                let sql = "CREATE TRIGGER failure BEFORE INSERT ON visits BEGIN SELECT RAISE(ABORT, 'no'); END"
                if number == 2 { try? Database(folder.file("items.jsonl-checkpoint")).run(sql) }
                return nil
            }
        }
        await #expect(throws: SweepError.self) { try await run(.jsonLines(at: folder.file("items.jsonl"))) }
        #expect(try text("items.jsonl").split(separator: "\n").count == 10)
        list.state.withLock { $0.failure = nil }
        try Database(folder.file("items.jsonl-checkpoint")).run("DROP TRIGGER failure")
        // What another program appends meanwhile isn't lost.
        let lines = try text("items.jsonl")
        try Data((lines + "mine\n").utf8).write(to: folder.file("items.jsonl"))
        await #expect(throws: SweepError.foreignFile(name: "items.jsonl")) {
            try await run(.jsonLines(at: folder.file("items.jsonl")))
        }
        try Data(lines.utf8).write(to: folder.file("items.jsonl"))
        try await run(.jsonLines(at: folder.file("items.jsonl")))
        #expect(list.pages == [1, 2, 2, 3])
        #expect(try text("items.jsonl").split(separator: "\n").count == 25)
    }

    @Test func `isn't overwritten if a sweep didn't write it, or if it's shorter than its checkpoint`() async throws {
        let foreign = SweepError.foreignFile(name: "items.jsonl")
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data("mine\n".utf8).write(to: folder.file("items.jsonl"))
        await #expect(throws: foreign) { try await run(.jsonLines(at: folder.file("items.jsonl"))) }
        #expect(try text("items.jsonl") == "mine\n")
        try FileManager.default.removeItem(at: folder.file("items.jsonl"))
        try await run(.jsonLines(at: folder.file("items.jsonl")))
        try Data("short\n".utf8).write(to: folder.file("items.jsonl"))
        await #expect(throws: foreign) { try await run(.jsonLines(at: folder.file("items.jsonl"))) }
        #expect(try text("items.jsonl") == "short\n")
    }

    @Test(arguments: ["longer", "edited"])
    func `isn't cut if another program has changed it since`(change: String) async throws {
        try await run(.jsonLines(at: folder.file("items.jsonl")))
        let text = try text("items.jsonl")
        let changed = change == "longer" ? text + "mine\n" : text.replacing("25", with: "26")
        try Data(changed.utf8).write(to: folder.file("items.jsonl"))
        await #expect(throws: SweepError.foreignFile(name: "items.jsonl")) {
            try await run(.jsonLines(at: folder.file("items.jsonl")))
        }
        #expect(try self.text("items.jsonl") == changed)
    }

    @Test func `isn't cut if it was written after a sweep without rows`() async throws {
        list.state.withLock { $0.failure = { _ in .timedOut(SweepList.info) } }
        _ = try? await run(.jsonLines(at: folder.file("items.jsonl")))
        try Data("mine\n".utf8).write(to: folder.file("items.jsonl"))
        await #expect(throws: SweepError.foreignFile(name: "items.jsonl")) {
            try await run(.jsonLines(at: folder.file("items.jsonl")))
        }
        #expect(try text("items.jsonl") == "mine\n")
    }

    @Test func `doesn't get rows of another format`() async throws {
        list.state.withLock { $0.failure = { $0 == 2 ? .timedOut(SweepList.info) : nil } }
        _ = try? await run(.jsonLines(at: folder.file("items.txt")))
        let text = try text("items.txt")
        await #expect(throws: SweepError.foreignFile(name: "items.txt")) {
            try await run(.csv(at: folder.file("items.txt")))
        }
        #expect(try self.text("items.txt") == text)
    }

    @Test(arguments: ["items.sqlite", "items.jsonl", "items.jsonl-checkpoint"])
    func `isn't filled after it was deleted`(name: String) async throws {
        let sink: SweepFile<SweepItem> =
            name == "items.sqlite" ? .sqlite(at: folder.file(name)) : .jsonLines(at: folder.file("items.jsonl"))
        list.state.withLock { state in
            state.failure = { [folder] number in
                if number == 2 { try? FileManager.default.removeItem(at: folder.file(name)) }
                return nil
            }
        }
        await #expect(throws: SweepError.self) { try await run(sink) }
        #expect(list.pages == [1, 2])
    }

    @Test func `of another program isn't changed`() async throws {
        let url = folder.file("items.sqlite")
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data().write(to: url)
        do { try Database(url).run("CREATE TABLE notes (text)") }
        let before = try Data(contentsOf: url)
        await #expect(throws: SweepError.foreignFile(name: "items.sqlite")) { try await run(.sqlite(at: url)) }
        #expect(try Data(contentsOf: url) == before)
    }

    @Test func `of a newer version isn't changed`() async throws {
        try await run(.sqlite(at: folder.file("items.sqlite")))
        try Database(folder.file("items.sqlite")).run("PRAGMA user_version = 7")
        let failure = StorageFailure(reason: .newerVersion(found: 7, supported: 1), file: "items.sqlite")
        await #expect(throws: SweepError.failed(.storageFailed(failure))) {
            try await run(.sqlite(at: folder.file("items.sqlite")))
        }
    }
}

#if os(Linux) || os(macOS)
@Suite(.bounded(minutes: 10))
struct `A sweep that is killed` {
    /// A number of kills for every run of the tests; the environment has the number for a longer one.
    private static let kills =
        ProcessInfo.processInfo.environment["BROWSEKIT_SWEEP_KILLS"].flatMap { Int($0) } ?? rounds(20)

    private static func path(_ folder: TemporaryFolder, _ name: String) -> String {
        folder.file(name).path(percentEncoded: false)
    }

    /// Returns the rows of a file, without the header.
    private static func rows(_ folder: TemporaryFolder, _ name: String) throws -> [String] {
        guard name.hasSuffix("sqlite") else {
            let text = try String(contentsOf: folder.file(name), encoding: .utf8)
            return text.split(separator: name.hasSuffix("csv") ? "\r\n" : "\n").map(String.init)
                .filter { $0 != "id,text" }
        }
        var rows: [String] = []
        try Database(folder.file(name)).each("SELECT json FROM rows ORDER BY number") { row in
            rows.append(row.text(0))
            return true
        }
        return rows
    }

    @Test(arguments: ["items.sqlite", "items.jsonl", "items.csv"])
    func `at any time loses and duplicates nothing`(name: String) async throws {
        let expected = (0...3600).map { id in
            name.hasSuffix("csv") ? "\(id),\"'=\"\"\(id)\"\",\n\"" : #"{"id":\#(id),"text":"=\"\#(id)\",\n"}"#
        }
        var random = SystemRandomNumberGenerator()
        var kills = 0
        var longestRun = 0
        while kills < Self.kills {
            let folder = TemporaryFolder()
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            var known: [String] = []
            var requests = 0
            var killsOfFile = 0
            while true {
                let time = kills < Self.kills ? Int.random(in: 1...400_000, using: &random) : 0
                let lines = try await ChildProcess("sweep", Self.path(folder, name), "\(time)").finished()
                requests += lines.count { $0.hasPrefix("load") }
                if let end = lines.last, end.hasPrefix("done") {
                    #expect(end == "done 3601")
                    break
                }
                try #require(!lines.contains { $0.hasPrefix("failed") }, "\(lines)")
                (kills, killsOfFile) = (kills + 1, killsOfFile + 1)
                if lines.isEmpty { continue }
                // The part of the checkpoint never shrinks.
                guard name.hasSuffix("sqlite") else { continue }
                let rows = try Self.rows(folder, name)
                #expect(rows.starts(with: known))
                known = rows
            }
            #expect(try Self.rows(folder, name) == expected)
            // Each kill repeats the page in flight at most.
            #expect((400...400 + killsOfFile).contains(requests))
            longestRun = max(longestRun, killsOfFile)
        }
        #expect(longestRun > 0)
    }

    @Test func `leaves no lock`() async throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let child = try ChildProcess("sweep", Self.path(folder, "items.jsonl"), "0")
        let lines = await child.killed(afterLines: 20)
        #expect(lines.count >= 20 && lines.count < 400)
        #expect(try await ChildProcess("sweep", Self.path(folder, "items.jsonl"), "0").finished().last == "done 3601")
    }
}
#endif
