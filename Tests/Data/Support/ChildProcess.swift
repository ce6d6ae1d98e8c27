#if os(Linux) || os(macOS)
import Foundation

/// A process of `TestChild`, which lies beside the bundle of the tests.
final class ChildProcess: Sendable {
    /// `@unchecked Sendable`: used by one task after the other, which the calls of this class see to.
    private struct Child: @unchecked Sendable {
        let process = Process()
        let output = Pipe()
    }

    private let child = Child()

    /// Starts it.
    init(_ arguments: String...) throws {
        child.process.executableURL = Self.executable
        child.process.arguments = arguments
        child.process.standardOutput = child.output
        try child.process.run()
    }

    /// Kills it as soon as it has written so many lines, and returns all that it wrote.
    func killed(afterLines count: Int) async -> [String] {
        await lines { process, lines in
            if lines >= count { kill(process.processIdentifier, SIGKILL) }
        }
    }

    /// Waits until it is done, and returns what it wrote.
    func finished() async -> [String] {
        await lines { _, _ in }
    }

    private func lines(_ watch: @escaping @Sendable (Process, Int) -> Void) async -> [String] {
        await withCheckedContinuation { continuation in
            // Reading waits for the other process, which no thread of Swift's should do.
            DispatchQueue.global().async { [child] in
                var text = Data()
                watch(child.process, 0)
                while let part = try? child.output.fileHandleForReading.read(upToCount: 1 << 16), !part.isEmpty {
                    text += part
                    watch(child.process, text.count { $0 == UInt8(ascii: "\n") })
                }
                child.process.waitUntilExit()
                // What was cut off by the end of the process was not said.
                let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
                continuation.resume(returning: lines.map { String(decoding: $0, as: UTF8.self) })
            }
        }
    }

    private static var executable: URL {
        #if os(macOS)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
        return bundle.bundleURL.deletingLastPathComponent().appending(path: "TestChild")
        #else
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "TestChild")
        #endif
    }
}
#endif
