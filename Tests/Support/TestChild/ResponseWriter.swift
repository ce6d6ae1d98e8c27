import BrowseGitHubData
#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestSupport

/// Requests new versions of random items through a cache; prints `ready`, and a line after each call.
struct ResponseWriter {
    private let folder: URL
    private let seed: UInt64

    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 2, let seed = UInt64(arguments[1]) else { throw TestChild.WrongArguments() }
        folder = URL(filePath: arguments[0], directoryHint: .isDirectory)
        self.seed = seed
    }

    func run() async throws {
        guard let baseURL = URL(string: "https://api.github.com") else { throw TestChild.WrongArguments() }
        // Small, so that responses are evicted all the time.
        let cache = ResponseCache(folder: folder, byteLimit: 1 << 20, clock: ImmediateClock())
        let client = HTTPClient(
            service: .gitHub(baseURL: baseURL, userAgent: "BrowseKit-Tests"),
            transport: Versions(),
            middleware: [ConditionalCache(cache)]
        )
        var random = SeededGenerator(seed: seed)
        TestChild.write("ready")
        for number in 1... {
            let path: EndpointPath = "/items/\("\(Int.random(in: 0..<40, using: &random))")"
            let version = "\(number)"
            let endpoint = Endpoint(.path(path), headers: ["X-Version": version]) { $0.body.count }
            let count = try await client.send(endpoint)
            TestChild.write("\(path.encoded) \(version) \(count)")
        }
    }

    /// Responds with the requested version.
    private struct Versions: HTTPTransport {
        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            let version = request.headers["X-Version"] ?? ""
            let item = FaultItem(path: request.url.path(), version: Int(version) ?? 0, language: "", account: "")
            return HTTPClient.Response(
                status: 200,
                // Large, so that not all responses fit into the cache.
                headers: ["ETag": "\"\(version)\"", "X-Padding": String(repeating: "x", count: 30_000)],
                body: (try? JSONEncoder().encode(item)) ?? Data(),
                url: request.url
            )
        }
    }
}
#endif
