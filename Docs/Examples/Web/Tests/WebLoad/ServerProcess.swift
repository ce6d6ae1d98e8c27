import Foundation

/// A server in a process of its own, so that its memory can be measured. It ends with this process.
final class ServerProcess {
    let address: Address
    /// The address of the metrics; `nil` if the program has none.
    let metrics: Address?
    let resources: ProcessResources
    private let process: Process
    /// The server's standard input; the server ends when it is closed.
    private let input: Pipe

    /// Starts a program and waits until it prints its address, and that of its metrics.
    init(_ program: URL, _ arguments: [String] = [], hasMetrics: Bool = false) throws {
        process = Process()
        input = Pipe()
        let output = Pipe()
        // A shell in between ends the server when this process ends, however it ends.
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", Self.script, "bash", program.path] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["PORT": "0", "WEB_METRICS_ADDRESS": hasMetrics ? "127.0.0.1:0" : "", "WEB_LOG_LEVEL": "warning"]
        ) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var text = ""
        while true {
            let data = output.fileHandleForReading.availableData
            text += String(decoding: data, as: UTF8.self)
            func address(_ match: Regex<(Substring, Substring, Substring)>.Match?) -> Address? {
                match.flatMap { match in Int(match.2).map { Address(host: String(match.1), port: $0) } }
            }
            let metrics = address(text.firstMatch(of: /Metrics: http:\/\/([0-9.]+):([0-9]+)\n/))
            if let address = address(text.firstMatch(of: /\nhttp:\/\/([0-9.]+):([0-9]+)\n/)),
                let process = text.firstMatch(of: /^pid ([0-9]+)\n/), let id = Int(process.1),
                metrics != nil || !hasMetrics
            {
                self.address = address
                self.metrics = metrics
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

    /// The number of open descriptors.
    func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count
    }
}
