import Foundation

/// Measures the site under load, and fails if a bound is exceeded.
///
/// An empty handler is measured in the same run.
@main
enum WebLoad {
    static func main() async throws {
        if CommandLine.arguments.contains("--empty-server") { return try await EmptyServer.run() }
        guard let program = Bundle.main.executableURL else { throw LoadError.serverEnded("no executable") }
        let handler = try ServerProcess(program, ["--empty-server"])
        let server = program.deletingLastPathComponent().appending(path: "browse-web")
        let site = try ServerProcess(server, ["--port", "0"])
        let report = try await Load(site: site.address, siteResources: site.resources, handler: handler.address).run()
        print(report.text)
        let failures = report.failures
        guard failures.isEmpty else { throw LoadError.boundExceeded(failures) }
    }
}
