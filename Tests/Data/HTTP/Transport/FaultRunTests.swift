import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

#if os(Linux) || os(macOS)
/// Thousands of requests through the whole chain to a randomly failing server; see `FaultRun`.
///
/// They run in a separate process to measure its memory and descriptors. `BROWSEKIT_FAULT_REQUESTS` sets their number, and
/// `BROWSEKIT_FAULT_SEED` the seed.
@Suite(.bounded(minutes: 10))
struct `A randomly failing server` {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["BROWSEKIT_FAULT_REQUESTS"].flatMap { Int($0) } ?? rounds(32_000)
    private static let seed = environment["BROWSEKIT_FAULT_SEED"].flatMap { UInt64($0) } ?? 1

    private let folder = TemporaryFolder()

    @Test(arguments: TestTransport.allCases)
    func `receives every request once, and every caller gets the right value or a typed error`(
        over transport: TestTransport
    ) async throws {
        let path = folder.url.path(percentEncoded: false)
        let child = try ChildProcess("faults", "\(Self.count)", "\(Self.seed)", path, "\(transport)")
        let lines = await child.finished()
        if Self.environment["BROWSEKIT_FAULT_REQUESTS"] != nil { print(lines.joined(separator: "\n")) }
        let wrong = lines.filter { $0.hasPrefix("wrong:") }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        #expect(lines.last == "done", "\(lines.suffix(3))")
        for word in ["answered", "cancelled", "from fresh", "from revalidated", "from stale", "from offline"] {
            #expect(lines.contains { $0.hasPrefix(word + ":") }, "none was \(word)")
        }
        #if os(Linux)
        let memory = Self.numbers(of: "memory", in: lines)
        let descriptors = Self.numbers(of: "descriptors", in: lines)
        try #require(memory.count == 2 && descriptors.count == 2)
        // In kilobytes, compared with a quarter as many requests. The thread sanitizer's memory grows.
        if Self.environment["TSAN_OPTIONS"] == nil { #expect(memory[1] < memory[0] + 16 << 10, "\(memory)") }
        #expect(descriptors[1] <= descriptors[0])
        #endif
        try expectCorrectCache()
    }

    private static func numbers(of word: String, in lines: [String]) -> [Int] {
        lines.first { $0.hasPrefix(word + " ") }?.split(separator: " ").compactMap { Int($0) } ?? []
    }

    /// Reads every row that the run has stored.
    private func expectCorrectCache() throws {
        let database = try Database(folder.file("responses.sqlite"))
        var count = 0
        var owners: [String: Set<String>] = [:]
        let columns = "key, account, variant, etag, modified, head, body, checksum, date, size"
        try database.each("SELECT \(columns) FROM responses LEFT JOIN bodies USING (id)") { row in
            count += 1
            let key = row.text(0)
            let cached = CachedResponse(
                head: row.optionalBlob(5) ?? Data(),
                body: row.optionalBlob(6) ?? Data(),
                checksum: row.integer(7),
                date: Date(timeIntervalSince1970: TimeInterval(row.integer(8))),
                under: key
            )
            guard let cached, let item = try? JSONDecoder().decode(FaultItem.self, from: cached.body) else {
                Issue.record("\(key) cannot be read")
                return true
            }
            #expect(item.isConsistent)
            #expect(cached.url.path() == item.path)
            #expect(key.split(separator: "\n").contains { $0 == item.path })
            #expect(row.text(2).contains("accept-language: \(item.language)"))
            #expect(row.optionalText(3) == cached.headers["ETag"])
            #expect(row.optionalText(4) == cached.headers["Last-Modified"])
            if let etag = row.optionalText(3) {
                #expect(etag.contains("\"\(item.version)-\(item.language)-\(item.account)\""))
            }
            #expect(cached.headers["Link"] == "<\(item.path)?version=\(item.version)>; rel=\"next\"")
            owners[row.text(1), default: []].insert(item.account)
            return true
        }
        #expect(count > 50)
        #expect(try database.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
        #expect(owners.count == 2)
        for items in owners.values { #expect(items.count == 1) }
        let size = try database.first("SELECT total(size) FROM responses") { $0.integer(0) } ?? 0
        #expect(size <= 1 << 20)
        let lost = "SELECT count(*) FROM bodies WHERE id NOT IN (SELECT id FROM responses)"
        #expect(try database.first(lost) { $0.integer(0) } == 0)
    }
}
#endif
