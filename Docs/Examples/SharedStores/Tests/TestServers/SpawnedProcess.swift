import Foundation
import Synchronization

/// A child process with pipes for its input and output.
///
/// Uses `posix_spawn`, because Foundation's `Process.run()` sometimes crashes on Linux while other threads open and close files
/// (Swift 6.3.1).
public final class SpawnedProcess: Sendable {
    /// The program couldn't be started.
    public struct NotStarted: Error {
        let path: String
        let code: Int32
    }

    /// The process ended without the awaited line.
    public struct Ended: Error {}

    private struct Output {
        var lines: [String] = []
        var isFinished = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let process: pid_t
    /// The end of its input; `nil` once it's closed.
    private let input: Mutex<Int32?>
    private let output = Mutex(Output())
    private let isReaped = Mutex(false)

    /// Starts a program, which inherits no other descriptors than its pipes.
    ///
    /// A socket or pipe that a child process inherited would stay open after this process has closed it.
    ///
    /// - Parameters:
    ///   - path: The path of the program.
    ///   - arguments: Its arguments.
    ///   - additions: Variables in addition to those of this process, or in their place.
    ///   - mergesErrors: Whether its output includes its standard error, which is that of this process otherwise.
    /// - Throws: ``NotStarted``.
    public init(
        _ path: String,
        _ arguments: [String],
        environment additions: [String: String] = [:],
        mergesErrors: Bool = false
    ) throws {
        var (inputEnds, outputEnds): ([Int32], [Int32]) = ([0, 0], [0, 0])
        guard pipe(&inputEnds) == 0, pipe(&outputEnds) == 0 else { throw NotStarted(path: path, code: errno) }
        // Processes that others start must not inherit the pipes.
        for end in inputEnds + outputEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer {
            close(inputEnds[0])
            close(outputEnds[1])
        }
        #if canImport(Darwin)
        var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
        #else
        var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, inputEnds[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, outputEnds[1], STDOUT_FILENO)
        if mergesErrors { posix_spawn_file_actions_adddup2(&actions, outputEnds[1], STDERR_FILENO) }
        // The threads of tasks block signals, which a child process would inherit.
        var flags = POSIX_SPAWN_SETSIGMASK
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        #if canImport(Darwin)
        if !mergesErrors { posix_spawn_file_actions_addinherit_np(&actions, STDERR_FILENO) }
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
        _ = closeFrom?(&actions, STDERR_FILENO + 1)
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let words = ([path] + arguments).map { strdup($0) }
        let environment = ProcessInfo.processInfo.environment.merging(additions) { $1 }.map { strdup("\($0)=\($1)") }
        defer { for text in words + environment { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, path, &actions, &attributes, words + [nil], environment + [nil])
        guard code == 0 else {
            close(inputEnds[1])
            close(outputEnds[0])
            throw NotStarted(path: path, code: code)
        }
        self.process = process
        input = Mutex(inputEnds[1])
        Thread.detachNewThread { [weak self, end = outputEnds[0]] in
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(end, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                rest += buffer[..<count]
                var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = Array(parts.removeLast())
                self?.add(parts.map { String(decoding: $0, as: UTF8.self) })
            }
            close(end)
            self?.add(rest.isEmpty ? [] : [String(decoding: rest, as: UTF8.self)], isLast: true)
        }
    }

    deinit {
        stop()
        closeInput()
    }

    /// The lines of its output so far.
    public var lines: [String] { output.withLock { $0.lines } }

    /// Whether it has closed its output.
    public var isFinished: Bool { output.withLock { $0.isFinished } }

    /// Writes a line to its input.
    public func send(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        input.withLock { input in
            if let input { _ = write(input, bytes, bytes.count) }
        }
    }

    /// Ends its input.
    public func closeInput() {
        if let end = input.withLock({ $0.take() }) { close(end) }
    }

    /// Returns the first line at or after a position that meets a condition, when there is one.
    ///
    /// - Throws: ``Ended`` if the process ends without such a line.
    @discardableResult
    public func line(from start: Int = 0, where condition: (String) -> Bool) async throws -> String {
        while true {
            let (lines, isFinished) = output.withLock { ($0.lines, $0.isFinished) }
            if let line = lines.dropFirst(start).first(where: condition) { return line }
            guard !isFinished else { throw Ended() }
            await withCheckedContinuation { continuation in
                let hasMore = output.withLock { output in
                    guard output.lines.count == lines.count, !output.isFinished else { return true }
                    output.waiters.append(continuation)
                    return false
                }
                if hasMore { continuation.resume() }
            }
        }
    }

    /// Waits for its end; returns its output.
    public func finished() async -> [String] {
        _ = try? await line { _ in false }
        stop()
        return lines
    }

    /// Waits until it ends by itself.
    public func ended() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                // It stays a zombie, so that its identifier isn't reused before ``stop()``.
                var information = siginfo_t()
                while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
                stop()
                continuation.resume()
            }
        }
    }

    /// Asks it to end, with `SIGTERM`.
    public func terminate() {
        isReaped.withLock { isReaped in
            if !isReaped { kill(process, SIGTERM) }
        }
    }

    /// Suspends it, as if it hung, or resumes it.
    public func suspend(_ isSuspended: Bool = true) {
        isReaped.withLock { isReaped in
            if !isReaped { kill(process, isSuspended ? SIGSTOP : SIGCONT) }
        }
    }

    /// Kills it, and waits for its end.
    public func stop() {
        isReaped.withLock { isReaped in
            guard !isReaped else { return }
            isReaped = true
            kill(process, SIGKILL)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
    }

    private func add(_ lines: [String], isLast: Bool = false) {
        let waiters = output.withLock { output in
            output.lines += lines
            output.isFinished = output.isFinished || isLast
            defer { output.waiters = [] }
            return output.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

#if !canImport(Darwin)
/// The function `posix_spawn_file_actions_addclosefrom_np`; `nil` before glibc 2.34.
///
/// The header declares it only with `_GNU_SOURCE`.
private let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
}
#endif

/// Returns the path of a product, which is next to the test bundle.
public func product(_ name: String) throws -> String {
    let tests = URL(filePath: CommandLine.arguments[0])
    var folders = [tests.deletingLastPathComponent()]
    folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    let paths = folders.map { $0.appending(path: name).path(percentEncoded: false) }
    guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else {
        throw SpawnedProcess.NotStarted(path: name, code: ENOENT)
    }
    return path
}
