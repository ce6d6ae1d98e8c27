import Foundation
import RedisStores
import Synchronization
import TestProcesses

/// A Redis server of a test, on a port of its own; it ends with the test.
final class RedisServer: Sendable {
    struct Missing: Error, CustomStringConvertible {
        let description = "redis-server isn't installed: apt-get install -y redis-server libhiredis-dev"
    }

    struct NotStarted: Error {}

    let port: UInt16
    private let folder: URL
    private let process: Mutex<SpawnedProcess?>

    var address: RedisAddress { RedisAddress(port: port) }

    init() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "redis-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        var (started, port): (SpawnedProcess?, UInt16) = (nil, 0)
        for attempt in 1...10 where started == nil {
            port = try freePort()
            // Another process may have taken the port since.
            do { started = try await Self.start(at: port, in: folder) } catch let error as NotStarted {
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
    func start() async throws {
        let new = try await Self.start(at: port, in: folder)
        process.withLock { $0 = new }
    }

    private static func start(at port: UInt16, in folder: URL) async throws -> SpawnedProcess {
        let paths = ["/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server"]
        guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else { throw Missing() }
        let new = try SpawnedProcess(
            path,
            [
                "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.path(percentEncoded: false),
                "--appendonly", "yes", "--appendfsync", "always", "--save", "",
            ]
        )
        let client = RedisClient(RedisAddress(port: port), connectionCount: 1)
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
    func stop() {
        let old = process.withLock { process in
            defer { process = nil }
            return process
        }
        old?.stop()
    }

    /// Sends a command with `redis-cli`; returns its output.
    @discardableResult
    func run(_ arguments: String...) async throws -> String { try await Self.run(arguments, at: port) }

    private static func run(_ arguments: [String], at port: UInt16) async throws -> String {
        let tool = try SpawnedProcess("/usr/bin/redis-cli", ["-p", "\(port)"] + arguments)
        return await tool.finished().joined(separator: "\n")
    }
}
