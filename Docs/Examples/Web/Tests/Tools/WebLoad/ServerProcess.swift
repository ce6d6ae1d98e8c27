import Foundation

/// A server in a process of its own, so that its memory can be measured. It ends with this process.
final class ServerProcess {
    let address: Address
    let resources: ProcessResources
    private let process: Process
    /// The server's standard input; the server ends when it is closed.
    private let input: Pipe

    /// Starts a program and waits until it prints its address.
    init(_ program: URL, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
        process = Process()
        input = Pipe()
        let output = Pipe()
        // A shell in between ends the server when this process ends, however it ends.
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", Self.script, "bash", program.path] + arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["PORT": "0", "WEB_LOG_LEVEL": "warning"]) { $1 }
            .merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var text = ""
        while true {
            let data = output.fileHandleForReading.availableData
            text += String(decoding: data, as: UTF8.self)
            if let address = text.firstMatch(of: /\nhttp:\/\/([0-9.]+):([0-9]+)\n/), let port = Int(address.2),
                let process = text.firstMatch(of: /^pid ([0-9]+)\n/), let id = Int(process.1)
            {
                self.address = Address(host: String(address.1), port: port)
                resources = ProcessResources(id: id)
                return
            }
            if data.isEmpty { throw LoadError.serverEnded(text) }
        }
    }

    private static let script = """
        "$@" </dev/null &
        echo "pid $!"
        exec >/dev/null
        while read -r _; do :; done
        kill "$!"
        wait
        """
}

/// The resources of a process, read from /proc.
struct ProcessResources: Sendable {
    let id: Int

    /// The resident memory in bytes.
    func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        guard let match = status.firstMatch(of: /VmRSS:\s+([0-9]+) kB/), let kilobytes = Int(match.1) else {
            throw LoadError.missingMetric("VmRSS")
        }
        return kilobytes * 1_024
    }

    /// The processor time so far, in steps of ten milliseconds.
    func processorTime() throws -> Duration {
        let stat = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        // The name of the program, in parentheses, may contain spaces.
        let fields = stat.drop { $0 != ")" }.split(separator: " ")
        guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else {
            throw LoadError.missingMetric("stat")
        }
        return .milliseconds(10 * (user + system))
    }

    /// The number of open descriptors.
    func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count
    }
}
