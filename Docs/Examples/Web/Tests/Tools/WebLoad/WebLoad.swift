import Foundation

/// Measures the site under load, and fails if a bound is exceeded.
///
/// An empty handler is measured in the same run.
@main
enum WebLoad {
    static func main() async {
        do {
            if CommandLine.arguments.contains("--empty-server") { return try await EmptyServer.run() }
            let report = try await measure()
            write(report.text, to: .standardOutput)
            guard !report.failures.isEmpty else { return }
            write("Exceeded: " + report.failures.joined(separator: "; "), to: .standardError)
        } catch {
            write("\(error)", to: .standardError)
        }
        exit(1)
    }

    private static func measure() async throws -> Report {
        guard let program = Bundle.main.executableURL else { throw LoadError.serverEnded("no executable") }
        let handler = try ServerProcess(program, ["--empty-server"])
        let server = program.deletingLastPathComponent().appending(path: "browse-web")
        let site = try ServerProcess(server)
        var report = try await Load(site: site.address, siteResources: site.resources, handler: handler.address).run()
        report.departure = try await Departure.run(server)
        return report
    }

    private static func write(_ text: String, to file: FileHandle) {
        file.write(Data((text + "\n").utf8))
    }
}
