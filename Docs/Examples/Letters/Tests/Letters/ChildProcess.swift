#if os(Linux) || os(macOS)
import Dispatch
import Foundation

/// A process of `LettersProcess`, which is next to the test bundle.
struct ChildProcess {
    /// A system call that failed.
    struct Failure: Error {
        let code: Int32
    }

    private let process: pid_t

    /// Starts it.
    init(_ arguments: String...) throws {
        let path = Self.executable.path(percentEncoded: false)
        let words = ([path] + arguments).map { strdup($0) }
        let environment = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") }
        defer { for text in words + environment { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, path, nil, nil, words + [nil], environment + [nil])
        guard code == 0 else { throw Failure(code: code) }
        self.process = process
    }

    /// Waits for its end, and returns its exit status; the signal plus 128 if one ended it.
    func exitStatus() async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "ChildProcess").async { [process] in
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? (status >> 8) & 0xFF : signal + 128)
            }
        }
    }

    private static var executable: URL {
        #if os(macOS)
        let folder = (Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main).bundleURL
        #else
        let folder = URL(filePath: CommandLine.arguments[0])
        #endif
        return folder.deletingLastPathComponent().appending(path: "LettersProcess")
    }
}
#endif
