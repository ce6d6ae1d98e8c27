import Foundation
public import RedisStores
import Synchronization

/// A Redis server of a test, on a port of its own; it ends with the test.
public final class RedisServer: Sendable {
    /// The server isn't installed.
    public struct Missing: Error, CustomStringConvertible {
        /// The command that installs it.
        public let description = "redis-server isn't installed: apt-get install -y redis-server libhiredis-dev"
    }

    struct NotStarted: Error {}

    /// The port.
    public let port: UInt16
    private let folder: URL
    private let options: [String]
    private let process: Mutex<SpawnedProcess?>

    /// The address.
    public var address: RedisAddress { RedisAddress(port: port) }

    /// Starts a server without data.
    ///
    /// - Parameter options: Further options of `redis-server`, such as `--maxmemory`.
    public convenience init(_ options: String...) async throws {
        try await self.init(options: options)
    }

    /// Starts a server without data, with a list of further options.
    public init(options: [String]) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "redis-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        self.options = options
        var (started, port): (SpawnedProcess?, UInt16) = (nil, 0)
        for attempt in 1...10 where started == nil {
            port = try freePort()
            // Another process may have taken the port since.
            do { started = try await Self.start(at: port, in: folder, options) } catch let error as NotStarted {
                if attempt == 10 { throw error }
            }
        }
        self.port = port
        process = Mutex(started)
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the server, with the data that it had, and waits until it responds.
    public func start() async throws {
        let new = try await Self.start(at: port, in: folder, options)
        process.withLock { $0 = new }
    }

    private static func start(at port: UInt16, in folder: URL, _ options: [String]) async throws -> SpawnedProcess {
        let paths = ["/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server"]
        guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else { throw Missing() }
        let new = try SpawnedProcess(
            path,
            [
                "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path(percentEncoded: false),
                "--appendonly", "yes", "--appendfsync", "always", "--save", "",
            ] + options
        )
        let client = RedisClient(RedisAddress(port: port))
        while await !client.isAvailable() {
            guard !new.isFinished else { throw NotStarted() }
            try await Task.sleep(for: .milliseconds(20))
        }
        // Another process may have taken the port, even for a server.
        guard try await run(["config", "get", "dir"], at: port).contains(folder.lastPathComponent) else {
            throw NotStarted()
        }
        return new
    }

    /// Kills the server and waits for its end.
    public func stop() {
        let old = process.withLock { process in
            defer { process = nil }
            return process
        }
        old?.stop()
    }

    /// Suspends the server, so that it accepts connections but doesn't respond, or resumes it.
    public func suspend(_ isSuspended: Bool = true) { process.withLock { $0?.suspend(isSuspended) } }

    /// Returns the number of keys.
    public func keyCount() async throws -> Int {
        Int(try await run("dbsize").filter(\.isNumber)) ?? 0
    }

    /// Sends a command with `redis-cli`; returns its output.
    @discardableResult
    public func run(_ arguments: String...) async throws -> String { try await Self.run(arguments, at: port) }

    private static func run(_ arguments: [String], at port: UInt16) async throws -> String {
        let tool = try SpawnedProcess("/usr/bin/redis-cli", ["-p", "\(port)"] + arguments)
        return await tool.finished().joined(separator: "\n")
    }
}
