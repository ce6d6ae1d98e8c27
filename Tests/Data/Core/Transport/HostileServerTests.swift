#if canImport(Glibc)
import Foundation
import TestLimits
import TestSupport
import Testing

/// Mutated responses for `CurlTransport`.
///
/// They run in a separate process to survive a crash and to measure memory and descriptors; `make soak` runs many more.
/// `URLSession` on Linux isn't tested: it crashes within dozens of them.
@Suite(.bounded(minutes: 10))
struct `A hostile server` {
    private static let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil

    @Test func `causes the right result of every request, and no leak`() async throws {
        let lines = try await ChildProcess("mutations", "\(rounds(2000))", "1").finished()
        let log = lines.suffix(40).joined(separator: "\n")
        #expect(!lines.contains { $0.hasPrefix("wrong:") }, "\(log)")
        try #require(lines.last == "done", "\(log)")
        let memory = Self.numbers(of: "memory", in: lines)
        let descriptors = Self.numbers(of: "descriptors", in: lines)
        try #require(memory.count == 2 && descriptors.count == 2)
        // In KiB. The thread sanitizer's memory grows.
        if !Self.isSanitized { #expect(memory[1] < memory[0] + 16 << 10, "\(memory)") }
        #expect(descriptors[1] <= descriptors[0], "\(descriptors)")
    }

    private static func numbers(of word: String, in lines: [String]) -> [Int] {
        lines.first { $0.hasPrefix(word + " ") }?.split(separator: " ").compactMap { Int($0) } ?? []
    }
}
#endif
