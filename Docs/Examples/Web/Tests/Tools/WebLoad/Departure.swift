import Foundation

/// Visitors who view a page and leave, on a site whose stores outlive them.
struct Departure {
    static let visitorCount = 1_000

    /// Pages that need no network, which the site doesn't have here.
    private static let paths = ["/users", "/repos", "/favorites", "/apps", "/account"]
    /// A visitor is forgotten after two minutes, and the memory returned with the next sweep.
    private static let limit = Duration.seconds(240)

    /// Returns the memory that the visitors take, and the memory that is left after they have left.
    static func run(_ program: URL) async throws -> (taken: Int, left: Int) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "WebLoad-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = ["WEB_DATA": folder.path(percentEncoded: false), "GITHUB_URL": "http://127.0.0.1:9"]
        let site = try ServerProcess(program, ["--live"], environment: environment)
        // Thread pools and shared caches aren't the visitors' memory.
        for path in paths { _ = try await Visitor.arrive(at: site.address, path: path) }
        let start = try site.resources.memory()
        for number in 0..<visitorCount {
            _ = try await Visitor.arrive(at: site.address, path: paths[number % paths.count])
        }
        let taken = try site.resources.memory() - start
        var left = taken
        let end = ContinuousClock.now + limit
        while .now < end, Double(left) > Report.leftBound * Double(taken) {
            try await Task.sleep(for: .seconds(5))
            left = try site.resources.memory() - start
        }
        return (taken, left)
    }
}
