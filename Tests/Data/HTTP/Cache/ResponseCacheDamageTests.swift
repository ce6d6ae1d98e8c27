import BrowseDomain
@testable import BrowseGitHubData
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

#if os(Linux) || os(macOS)
/// A cache whose process is killed, whose file is damaged, or that cannot write.
@Suite(.bounded)
struct `A damaged response cache` {
    private let folder = TemporaryFolder()

    /// A cache with time limits that a busy machine doesn't exceed.
    private func cache(in folder: TemporaryFolder) -> ResponseCache {
        ResponseCache(folder: folder.url, byteLimit: 1 << 20, clock: TestClock(), lockTimeout: .seconds(60))
    }

    private func request(_ number: Int) throws -> HTTPRequest {
        HTTPRequest(url: try #require(URL(string: "https://api.github.com/items/\(number)")), endpoint: "GET /items/{}")
    }

    /// The request of `ResponseWriter`, with the service's `Accept` in its key.
    private func written(_ number: Int) throws -> HTTPRequest {
        var request = try request(number)
        request.headers["Accept"] = "application/vnd.github+json"
        return request
    }

    /// The number of the writer's cached responses, each of which must be valid.
    private func expectRight(_ cache: ResponseCache) async throws -> Int {
        var count = 0
        for number in 0..<40 {
            let request = try written(number)
            guard let reply = await cache.response(for: try #require(CacheKey(request)), request) else { continue }
            count += 1
            let item = try JSONDecoder().decode(FaultItem.self, from: reply.body)
            #expect(item.isConsistent && item.path == "/items/\(number)")
            #expect(reply.headers["ETag"] == "\"\(item.version)\"")
        }
        return count
    }

    /// Expects that a request succeeds, and that its response is cached if it can be stored.
    private func expectUse(_ cache: ResponseCache, keeps: Bool = true, _ comment: Comment? = nil) async throws {
        let url = try #require(URL(string: "https://api.github.com"))
        let client = HTTPClient(
            service: .gitHub(baseURL: url, userAgent: "Tests"),
            transport: CannedTransport(),
            middleware: [ConditionalCache(cache)]
        )
        let endpoint = Endpoint(.path("/canned")) { String(decoding: $0.body, as: UTF8.self) }
        #expect(try await client.send(endpoint) == "canned", comment)
        var options = LoadOptions(source: .cacheOnly)
        let kept = try? await options.load { () throws(BrowseError) in try await client.send(endpoint) }
        if keeps { #expect(kept?.value == "canned", comment) }
        options.source = .networkElseCache
        #expect(try await client.send(endpoint) == "canned", comment)
    }

    @Test func `has valid responses after the process was killed at any instant`() async throws {
        var random = SeededGenerator(seed: 5)
        var found = 0
        for round in 0..<rounds(25) {
            let child = try ChildProcess("responses", folder.url.path(percentEncoded: false), "\(round)")
            let lines = await child.killed(afterLines: Int.random(in: 0..<60, using: &random))
            let cache = self.cache(in: folder)
            let count = try await expectRight(cache)
            // Only the process ends, so written data isn't lost.
            if lines.count > 5 { #expect(count > 0, "round \(round)") }
            found += count
            #expect(try folder.byteCount(but: "-shm") <= (1 << 20) * 11 / 10, "round \(round)")
            try await expectUse(cache, "round \(round)")
        }
        #expect(found > 2 * rounds(25))
    }

    @Test func `has valid responses or none after any damage to the file`() async throws {
        var random = SeededGenerator(seed: 6)
        var (survived, replaced) = (0, 0)
        for round in 0..<rounds(48) {
            // Every round stores responses, so that the counts below don't depend on earlier losses.
            let child = try ChildProcess("responses", folder.url.path(percentEncoded: false), "\(round)")
            _ = await child.killed(afterLines: 40)
            // Read once, so that some rounds begin with a closed file, and some with a log.
            if Bool.random(using: &random) {
                _ = try await expectRight(cache(in: folder))
            }
            let what = try damage(&random)
            let cache = self.cache(in: folder)
            let count = try await expectRight(cache)
            if count > 0 { survived += 1 } else { replaced += 1 }
            // The damage may be found only now, by the written row, which costs that response.
            try await expectUse(cache, keeps: false)
            try await expectUse(cache, keeps: false)
            try await expectUse(cache, "round \(round): \(what)")
        }
        #expect(survived > rounds(48) / 9)
        #expect(replaced > rounds(48) / 9)
    }

    @Test func `stores responses again after a byte of the schema was changed`() async throws {
        let copy = folder.file("copy")
        try await expectUse(cache(in: folder))
        try Database(folder.file("responses.sqlite")).run("VACUUM INTO ?1", [.text(copy.path(percentEncoded: false))])
        let intact = try Data(contentsOf: copy)
        // SQLite accepts many of these: types can have any name, and misspelled keys aren't errors.
        for text in ["INTEGER PRIMARY", "TEXT NOT NULL", "BLOB NOT NULL"] {
            for index in intact.ranges(of: Data(text.utf8)).joined() {
                var damaged = intact
                damaged[index] += 1
                let folder = TemporaryFolder()
                try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
                try damaged.write(to: folder.file("responses.sqlite"))
                try await expectUse(cache(in: folder), "\(text) at \(index)")
            }
        }
    }

    private func damage(_ random: inout SeededGenerator) throws -> String {
        let names = folder.names.filter { !$0.hasSuffix("-lock") && !$0.hasSuffix("-shm") }
        guard let name = names.randomElement(using: &random) else { return "nothing" }
        let file = folder.file(name)
        // The log is removed when the last cache closes it.
        guard var data = try? Data(contentsOf: file) else { return "nothing" }
        let kind = Int.random(in: 0..<6, using: &random)
        let garbage = { (count: Int, random: inout SeededGenerator) in
            Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        switch kind {
        case 0: data = data.prefix(Int.random(in: 0...data.count, using: &random))
        case 1: data = garbage(Int.random(in: 0..<9000, using: &random), &random)
        case 2 where data.count > 8192:
            // Another page of the same file.
            let pages = data.count / 4096
            let (from, to) = (Int.random(in: 0..<pages, using: &random), Int.random(in: 0..<pages, using: &random))
            data.replaceSubrange(to * 4096..<(to + 1) * 4096, with: Data(data[from * 4096..<(from + 1) * 4096]))
        case 3 where data.count > 200:
            for _ in 0..<Int.random(in: 1..<200, using: &random) {
                data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        case 4 where data.count > 100:
            let start = Int.random(in: 0..<data.count, using: &random)
            let bytes = garbage(min(4096, data.count - start), &random)
            data.replaceSubrange(start..<start + bytes.count, with: bytes)
        default: data = Data()
        }
        try data.write(to: file)
        return "\(name), \(kind)"
    }

    @Test func `replaces the file of another program`() async throws {
        let cache = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        try await expectUse(cache)
        let database = try Database(folder.file("responses.sqlite"))
        for table in ["responses", "bodies"] { try database.run("DROP TABLE \(table)") }
        try await expectUse(ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60)))
        try database.run("PRAGMA user_version = 99")
        try await expectUse(ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60)))
    }

    @Test func `replaces the file if an index lacks rows, so that none can be evicted`() async throws {
        func fill(_ cache: ResponseCache, with numbers: Range<Int>) async throws {
            for number in numbers {
                let request = try request(number)
                let response = HTTPResponse(status: 200, body: Data(count: 100_000), url: request.url)
                let (key, variant) = (
                    try #require(CacheKey(request)), try #require(VaryKey(of: request, varyingBy: [:]))
                )
                #expect(await cache.commit(response, under: key, variant, generation: 0) != nil, "\(number)")
            }
        }
        let before = ResponseCache(
            folder: folder.url,
            byteLimit: 1 << 20,
            clock: TestClock(),
            lockTimeout: .seconds(60)
        )
        try await fill(before, with: 0..<4)
        // The rows are in the table, but no longer in the index of keys.
        let database = try Database(folder.file("responses.sqlite"))
        for statement in [
            "CREATE INDEX empty ON responses (key) WHERE 0",
            "PRAGMA writable_schema = ON",
            """
            UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'empty')
            WHERE name = 'sqlite_autoindex_responses_1'
            """,
            "DELETE FROM sqlite_schema WHERE name = 'empty'",
        ] { try database.run(statement) }
        let cache = ResponseCache(folder: folder.url, byteLimit: 1 << 20, clock: TestClock(), lockTimeout: .seconds(60))
        try await fill(cache, with: 10..<22)
        let lost = try request(1)
        #expect(await cache.response(for: try #require(CacheKey(lost)), lost) == nil)
        #expect(try Database(folder.file("responses.sqlite")).first("PRAGMA integrity_check") { $0.text(0) } == "ok")
    }

    @Test func `stores nothing if its folder is a file`() async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data().write(to: folder.file("file"))
        let cache = ResponseCache(
            folder: folder.file("file").appending(path: "cache"),
            clock: TestClock(),
            lockTimeout: .seconds(60)
        )
        try await expectUse(cache, keeps: false)
        await cache.removeAll()
        #expect(await cache.count == 0)
    }

    @Test(arguments: ["", "-wal", "-shm", "-lock"], ["folder", "link", "pipe"])
    func `replaces something other than a file at its path`(part: String, kind: String) async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let place = folder.file("responses.sqlite" + part)
        switch kind {
        case "folder":
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: place.appending(path: "file"))
        case "link":
            try FileManager.default.createSymbolicLink(at: place, withDestinationURL: folder.file("missing/file"))
        default:
            mkfifo(place.path(percentEncoded: false), 0o600)
        }
        let cache = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        try await expectUse(cache)
        await cache.removeAll()
        #expect(await cache.count == 0)
        try await expectUse(ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60)))
        guard kind == "folder" else { return }
        // It belongs to someone, so it is only moved.
        let file = folder.file("responses-damaged-1.sqlite" + part).appending(path: "file")
        #expect(try String(contentsOf: file, encoding: .utf8) == "mine")
    }

    @Test func `replaces a folder that takes the file's place while it is open`() async throws {
        let cache = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        try await expectUse(cache)
        for name in folder.names {
            try FileManager.default.removeItem(at: folder.file(name))
            try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
        }
        try await expectUse(cache)
    }

    #if os(Linux)
    /// Requires the permission to mount.
    private static let mayMount: Bool = {
        guard let disk = SmallDisk(bytes: 65_536) else { return false }
        return FileManager.default.fileExists(atPath: disk.folder.url.path(percentEncoded: false))
    }()

    @Test(.enabled(if: mayMount)) func `doesn't fail requests on a full disk, and can be erased`() async throws {
        let disk = try #require(SmallDisk(bytes: 400_000))
        let cache = ResponseCache(folder: disk.folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        try await expectUse(cache)
        var random = SeededGenerator(seed: 8)
        var refused = 0
        for number in 0..<200 {
            var request = try request(number % 50)
            request.account = "user 1"
            let key = try #require(CacheKey(request))
            let word = random.text(of: "abcdefgh", count: 8...8)
            let body = String(repeating: word, count: Int.random(in: 400...1100, using: &random))
            let response = HTTPResponse(status: 200, headers: ["ETag": word], body: Data(body.utf8), url: request.url)
            let variant = try #require(VaryKey(of: request, varyingBy: [:]))
            if await cache.commit(response, under: key, variant, generation: 0) == nil { refused += 1 }
            if let reply = await cache.response(for: key, request) {
                #expect(reply.headers["ETag"] == String(decoding: reply.body.prefix(8), as: UTF8.self))
            }
        }
        #expect(refused > 0)
        try await expectUse(cache, keeps: false)
        // Signing out must erase responses, although deleting requires space.
        await cache.removeAll(of: "user 1")
        let left = try disk.folder.names.reduce(into: Data()) { try $0.append(Data(contentsOf: disk.folder.file($1))) }
        #expect(left.range(of: Data("api.github.com/items".utf8)) == nil)
        #expect(left.range(of: Data("/items/".utf8)) == nil)
        // A process started by another test at this moment may keep the deleted file open, and its space in use.
        #expect(disk.resize(toBytes: 4_000_000))
        try await expectUse(cache)
    }

    @Test(.enabled(if: mayMount)) func `can be read on a read-only disk`() async throws {
        let disk = try #require(SmallDisk(bytes: 4_000_000))
        // By another process, which has closed its files.
        let child = try ChildProcess("responses", disk.folder.url.path(percentEncoded: false), "1")
        #expect(await child.killed(afterLines: 5).count >= 5)
        #expect(disk.forbidWriting())
        let cache = ResponseCache(folder: disk.folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        try await expectUse(cache, keeps: false)
        let request = try request(1)
        await cache.removeAll()
        // Responses that can't be erased aren't read anymore.
        #expect(await cache.count == 0)
        #expect(await cache.response(for: try #require(CacheKey(request)), request) == nil)
    }
    #endif
}

/// Answers every request alike.
private struct CannedTransport: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["ETag": "\"c\""], body: Data("canned".utf8), url: request.url)
    }
}

#if os(Linux)
/// A file system in memory, of a size that is soon full.
private final class SmallDisk: Sendable {
    let folder = TemporaryFolder()
    private var path: String { folder.url.path(percentEncoded: false) }

    init?(bytes: Int) {
        try? FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else { return nil }
    }

    func forbidWriting() -> Bool {
        mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    }

    /// Resizes the disk; returns whether that succeeded.
    func resize(toBytes bytes: Int) -> Bool {
        mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)") == 0
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
    }
}
#endif
#endif
