#if os(macOS) || os(Linux)
import Foundation

/// Repeats the mutation and fault runs, and reports memory and descriptors.
///
/// The first values are those after the first round, which makes one-time allocations.
struct SoakRun {
    private let minutes: Double
    private let seed: UInt64
    private let folder: URL

    /// - Parameter arguments: The number of minutes, a seed, and a folder for the cache.
    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 3, let minutes = Double(arguments[0]), let seed = UInt64(arguments[1]) else {
            throw TestChild.WrongArguments()
        }
        self.minutes = minutes
        self.seed = seed
        folder = URL(filePath: arguments[2], directoryHint: .isDirectory)
    }

    func run() async throws {
        ProcessMemory.shareHeaps()
        // Ends a run that hangs.
        alarm(UInt32(minutes * 60) + 600)
        let end = ContinuousClock.now + .seconds(minutes * 60)
        try await round(0)
        let usage = ResourceUsage()
        var number = 1
        repeat {
            try await round(number)
            TestChild.write("round \(number): \((ProcessMemory.resident ?? 0) >> 10) KiB")
            number += 1
        } while ContinuousClock.now < end
        await usage.report()
        TestChild.write("done")
    }

    private func round(_ number: Int) async throws {
        let seed = seed &+ UInt64(number)
        try await MutationRun.round(of: 2000, seed: seed)
        let cache = folder.appending(path: "round", directoryHint: .isDirectory)
        try await FaultRun(["2000", "\(seed)", cache.path(percentEncoded: false), "curl"]).round(of: 2000, seed: seed)
        try FileManager.default.removeItem(at: cache)
    }
}
#endif
