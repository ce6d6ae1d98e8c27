#if os(Linux) || os(macOS)
import Dispatch
import Foundation
import Synchronization

/// A process of `TestChild`, which is next to the test bundle.
///
/// Uses `posix_spawn`, because Foundation's `Process.run()` sometimes crashes on Linux while other threads open and close
/// files (Swift 6.3.1).
final class ChildProcess: Sendable {
    /// A system call that failed.
    struct Failure: Error {
        let operation: String
        let code: Int32
    }

    private let process: pid_t
    /// The read end of its output pipe.
    private let output: Int32
    /// Whether it has been waited for, so that another process may have its number.
    private let hasEnded = Mutex(false)

    /// Starts it.
    convenience init(_ arguments: String..., environment additions: [String: String] = [:]) throws {
        try self.init(arguments, environment: additions)
    }

    /// Starts it.
    init(_ arguments: [String], environment additions: [String: String] = [:]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(operation: "pipe", code: errno) }
        // A process started concurrently must not inherit the pipe.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }

        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)

        let path = Self.executable.path(percentEncoded: false)
        let words = ([path] + arguments).map { strdup($0) }
        let environment = ProcessInfo.processInfo.environment.merging(additions) { $1 }.map { strdup("\($0)=\($1)") }
        defer { for text in words + environment { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, path, &actions, nil, words + [nil], environment + [nil])
        guard code == 0 else {
            close(ends[0])
            throw Failure(operation: "posix_spawn", code: code)
        }
        self.process = process
        output = ends[0]
    }

    /// Kills it after it has written a number of lines, and returns its whole output.
    func killed(afterLines count: Int) async -> [String] {
        await lines { [self] lines in
            if lines >= count { killNow() }
        }
    }

    /// Waits until it has written a line, and leaves it running until ``end()``.
    func hasWritten(_ line: String) async -> Bool {
        await result { [output] in
            var text: [UInt8] = []
            var byte: UInt8 = 0
            while text.last != UInt8(ascii: "\n") {
                let count = read(output, &byte, 1)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                text.append(byte)
            }
            return String(decoding: text, as: UTF8.self) == line + "\n"
        }
    }

    /// Sends SIGKILL, unless it has ended.
    func killNow() {
        hasEnded.withLock { hasEnded in
            if !hasEnded { kill(process, SIGKILL) }
        }
    }

    /// Kills it and waits for its end.
    func end() async { _ = await killed(afterLines: 0) }

    /// Waits for its end, and returns its output.
    ///
    /// - Parameter watch: Receives the number of lines so far.
    func finished(_ watch: @escaping @Sendable (Int) -> Void = { _ in }) async -> [String] {
        await lines(watch)
    }

    private func lines(_ watch: @escaping @Sendable (Int) -> Void) async -> [String] {
        await result { [self] in
            var text: [UInt8] = []
            var part = [UInt8](repeating: 0, count: 1 << 12)
            watch(0)
            while true {
                let count = read(output, &part, part.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                text += part[..<count]
                watch(text.count { $0 == UInt8(ascii: "\n") })
            }
            close(output)
            hasEnded.withLock { $0 = true }
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
            // A line without its end doesn't count.
            let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            return lines.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Returns the result of work that blocks; kills the process when the task is canceled.
    ///
    /// So a time limit ends a test whose child process hangs.
    private func result<Value: Sendable>(of work: @escaping @Sendable () -> Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Off the concurrency pool. On Linux, global queues use the same threads.
                DispatchQueue(label: "ChildProcess").async { continuation.resume(returning: work()) }
            }
        } onCancel: {
            killNow()
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
