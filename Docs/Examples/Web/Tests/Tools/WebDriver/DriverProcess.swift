import Foundation
import TestServers

/// The running driver of a browser engine, which ends with this process however that ends.
///
/// A shell starts the driver in a process group of its own and reads its standard input, a pipe from this process. When the
/// pipe is closed, also because this process was killed, the shell kills the group, browsers included, and removes their files.
final class DriverProcess: Sendable {
    let port: Int
    /// The shell, whose input is open while the driver may run.
    private let shell: SpawnedProcess

    /// Starts the driver on a free port.
    ///
    /// Chromium's driver looks for a free port of IPv6, and ends if another process uses that of IPv4. It then starts again.
    static func start(_ engine: BrowserEngine, program: String) async throws(WebDriverError) -> DriverProcess {
        guard isInstalled(program) else { throw .missing(program: program, command: engine.installCommand) }
        for _ in 1..<10 {
            do {
                return try await launch(engine, program)
            } catch .driverEnded(let output) where output.contains("port not available") {}
        }
        return try await launch(engine, program)
    }

    private static func launch(
        _ engine: BrowserEngine,
        _ program: String
    ) async throws(WebDriverError) -> DriverProcess {
        let shell: SpawnedProcess
        do {
            let command =
                switch engine {
                case .chromium: [program, "--port=0"]
                case .webKit: ["xvfb-run", "-a", program, "--host=127.0.0.1", "--port=\(try freePort())"]
                }
            shell = try SpawnedProcess("/bin/bash", ["-c", script, "bash"] + command, mergesErrors: true)
        } catch {
            throw .driverEnded(output: "\(error)")
        }
        let start = /started successfully on port (\d+)/
        guard let line = try? await shell.line(where: { $0.contains(start) }), let match = line.firstMatch(of: start),
            let port = Int(match.1)
        else {
            shell.closeInput()
            await shell.ended()
            throw .driverEnded(output: shell.lines.joined(separator: "\n"))
        }
        return DriverProcess(port: port, shell: shell)
    }

    private init(port: Int, shell: SpawnedProcess) {
        self.port = port
        self.shell = shell
    }

    deinit {
        shell.closeInput()
        // The shell must not be killed before it has ended the driver.
        Task { [shell] in await shell.ended() }
    }

    /// Ends the driver and its browsers, and returns when all have ended.
    func stop() async {
        shell.closeInput()
        await shell.ended()
    }

    /// WebKit's driver prints nothing, so the shell waits until its port accepts connections.
    private static let script = """
        set -m
        export TMPDIR="$(mktemp -d)"
        "$@" </dev/null &
        driver=$!
        port="${@: -1}"
        port="${port#--port=}"
        if [ "$port" != 0 ]; then
            until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || ! kill -0 "$driver"; do sleep 0.05; done
            echo "started successfully on port $port"
        fi
        exec >/dev/null 2>&1
        while read -r _; do :; done
        kill -KILL -- "-$driver"
        wait
        rm -rf "$TMPDIR"
        """

    private static func isInstalled(_ program: String) -> Bool {
        guard !program.contains("/") else { return FileManager.default.isExecutableFile(atPath: program) }
        let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
}
