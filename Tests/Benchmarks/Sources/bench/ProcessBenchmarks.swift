import Foundation

/// Processes from their start to their end, with an empty cache: what starts once counts, too.
enum ProcessBenchmarks {
    static let all = [Benchmark(name: "process-cold", rounds: 15, body: cold)]

    @concurrent
    private static func cold(_ run: Run) async throws -> [Comparison] {
        let url = try run.server.baseURL(delay: 0).absoluteString
        let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await [
            .measure("process-cold: 100 pages one by one", .cpu, bound: .ratio(0.9), rounds: run.rounds) {
                try cost(of: "cold-sdk", 1, url, folder).cpu
            } bare: {
                try cost(of: "cold-bare", 1, url, folder).cpu
            },
            .measure("process-cold: 100 pages, 8 at once", .wall, bound: .ratio(0.7), rounds: run.rounds) {
                try cost(of: "cold-sdk", 8, url, folder).wall
            } bare: {
                try cost(of: "cold-bare", 8, url, folder).wall
            },
        ]
    }

    /// Runs a program with an empty folder in `parent`, and returns its seconds of CPU and wall time.
    ///
    /// The folder stays: a file system that has just deleted thousands of files looks for free entries
    /// several times as long.
    private static func cost(
        of name: String,
        _ concurrency: Int,
        _ url: String,
        _ parent: URL
    ) throws -> (cpu: Double, wall: Double) {
        guard let own = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
            throw BenchFailure("does not know where it is")
        }
        let folder = parent.appending(path: UUID().uuidString)
        let process = Process()
        process.executableURL = own.deletingLastPathComponent().appending(path: name)
        process.arguments = ["\(concurrency)", url, folder.path]
        let (cpu, start) = (childSeconds(), ContinuousClock.now)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchFailure("\(name) failed") }
        return (childSeconds() - cpu, (ContinuousClock.now - start) / .seconds(1))
    }

    /// The CPU time of all processes that were started by this one and have ended.
    private static func childSeconds() -> Double {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        #else
        getrusage(RUSAGE_CHILDREN, &usage)
        #endif
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
    }
}
