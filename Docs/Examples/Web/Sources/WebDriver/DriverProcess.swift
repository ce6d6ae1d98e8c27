import Foundation

/// A running `chromedriver`, which ends with this process however that ends.
///
/// A shell starts the driver in a process group of its own and reads its standard input, a pipe from this process. When the
/// pipe is closed, also because this process was killed, the shell kills the group, browsers included, and removes their files.
final class DriverProcess: Sendable {
    let port: Int
    /// The pipe that is open while the driver may run.
    private let input: Pipe
    /// Returns when the shell has ended, after the driver and its browsers.
    private let end: Task<Void, Never>

    /// Starts the driver on a free port.
    ///
    /// The driver looks for a free port of IPv6, and ends if another process uses that of IPv4. It then starts again.
    static func start(program: String = "chromedriver") async throws(WebDriverError) -> DriverProcess {
        guard isInstalled(program) else { throw .missing(program: program, command: installCommand) }
        for _ in 1..<10 {
            do {
                return try await launch(program)
            } catch .driverEnded(let output) where output.contains("port not available") {}
        }
        return try await launch(program)
    }

    private static func launch(_ program: String) async throws(WebDriverError) -> DriverProcess {
        let input = Pipe()
        let output = Pipe()
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments = ["-c", script, "bash", program]
        shell.standardInput = input
        shell.standardOutput = output
        shell.standardError = output
        do { try shell.run() } catch { throw .driverEnded(output: "\(error)") }
        // The whole output each time that it grows; it ends with the last process that has it open.
        let (outputs, reading) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (exits, exiting) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            var text = Data()
            while true {
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { break }
                text.append(data.prefix(max(0, 65_536 - text.count)))
                reading.yield(String(decoding: text, as: UTF8.self))
            }
            reading.finish()
            shell.waitUntilExit()
            exiting.finish()
        }
        var last = ""
        for await text in outputs {
            last = text
            if let match = text.firstMatch(of: /started successfully on port (\d+)/), let port = Int(match.1) {
                return DriverProcess(port: port, input: input, end: Task { for await _ in exits {} })
            }
        }
        throw .driverEnded(output: last)
    }

    private init(port: Int, input: Pipe, end: Task<Void, Never>) {
        self.port = port
        self.input = input
        self.end = end
    }

    deinit { try? input.fileHandleForWriting.close() }

    /// Ends the driver and its browsers, and returns when all have ended.
    func stop() async {
        try? input.fileHandleForWriting.close()
        await end.value
    }

    static let installCommand = "apt-get install -y chromium chromium-driver fonts-noto-cjk"

    private static let script = """
        set -m
        export TMPDIR="$(mktemp -d)"
        "$1" --port=0 </dev/null &
        driver=$!
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
