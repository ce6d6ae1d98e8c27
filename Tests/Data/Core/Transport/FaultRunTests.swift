import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

import BrowseData

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

    @Test(arguments: TestTransport.robust)
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
        for word in ["answered", "cancelled", "from fresh", "from revalidated", "from stale", "from offline", "stored"]
        {
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
        #expect(cachedFiles(in: folder.url).count > 50)
    }

    private static func numbers(of word: String, in lines: [String]) -> [Int] {
        lines.first { $0.hasPrefix(word + " ") }?.split(separator: " ").compactMap { Int($0) } ?? []
    }
}
#endif
