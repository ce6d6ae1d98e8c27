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

    /// Reads every file that the run has stored.
    private func expectCorrectCache() throws {
        let files = cachedFiles(in: folder.url)
        #expect(files.count > 50)
        var owners: [URL: Set<String>] = [:]
        var bytes = 0
        for file in files {
            let data = try Data(contentsOf: file)
            bytes += data.count
            let key = try #require(Self.key(in: data))
            let blob = try #require(Blob(data, key: key), "\(key) is damaged")
            let cached = try #require(CachedResponse(blob), "\(key) can't be read")
            let item = try JSONDecoder().decode(FaultItem.self, from: cached.body)
            #expect(item.isConsistent)
            #expect(cached.url.path() == item.path)
            #expect(key.split(separator: "\n").contains { $0 == item.path })
            #expect(file.lastPathComponent == BlobFolder.name(of: key))
            #expect(cached.variant.text.contains("accept-language: \(item.language)"))
            if let etag = cached.headers["ETag"] {
                #expect(etag.contains("\"\(item.version)-\(item.language)-\(item.account)\""))
            }
            #expect(cached.headers["Link"] == "<\(item.path)?version=\(item.version)>; rel=\"next\"")
            owners[file.deletingLastPathComponent(), default: []].insert(item.account)
        }
        #expect(owners.count == 2)
        for items in owners.values { #expect(items.count == 1) }
        #expect(bytes <= 1 << 20)
    }

    /// The key in a file, which follows the body.
    private static func key(in data: Data) -> String? {
        guard data.count > 48 else { return nil }
        func word(_ index: Int) -> Int {
            data.suffix(48).dropFirst(8 * index).prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        return String(decoding: data.dropFirst(word(2)).prefix(word(3)), as: UTF8.self)
    }
}
#endif
