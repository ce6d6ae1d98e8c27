import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import Foundation

/// The memory of finished requests; each side in a separate process.
enum MemoryBenchmarks {
    static let all = [
        Benchmark(name: "memory-finished", rounds: 3, body: finished)
    ]

    private static let finishedCount = 20_000

    /// 20,000 small sequential responses with a time limit of an hour.
    @concurrent
    private static func finished(_ run: Run) async throws -> [Comparison] {
        let url = try run.server.baseURL(delay: 0)
        return try await [
            // 100 bytes each, which is less than a task or a timer.
            .measure(
                "memory-finished: after 20,000 requests / bare",
                .memory,
                bound: .most(2 * 1_048_576),
                rounds: run.rounds
            ) {
                try growth("finished", url)
            } bare: {
                try growth("bare-finished", url)
            }
        ]
    }

    /// Measures the growth of one side in a new process.
    private static func growth(_ side: String, _ url: URL) throws -> Double {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["--growth", side, url.absoluteString]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let bytes = Double(text) else { throw BenchFailure("\(side) ended with “\(text)”") }
        return bytes
    }

    /// Prints the growth of one side in bytes; runs in the new process.
    @concurrent
    static func child(_ side: String, _ url: URL) async {
        do {
            let bytes =
                switch side {
                case "finished": try await finishedGrowth(Side.ours(url))
                default: try await finishedGrowth(Side.bare(url))
                }
            print(bytes, terminator: "")
        } catch {
            print(error, terminator: "")
        }
    }

    private enum Side {
        case ours(URL)
        case bare(URL)
    }

    private static func finishedGrowth(_ side: Side) async throws -> Int {
        let send: () async throws -> Void
        switch side {
        case .ours(let url):
            let transport = defaultTransport(connections: 8)
            let limits = HTTPLimits(duration: .seconds(3600))
            let request = HTTPClient.Request(url: url.appending(path: "nothing"), endpoint: "bench", limits: limits)
            send = { keep(try await transport.send(request)) }
        case .bare(let url):
            let bare = BareClient(baseURL: url, connections: 8)
            send = { keep(try await bare.status(at: url.appending(path: "nothing"))) }
        }
        for _ in 0..<finishedCount / 10 { try await send() }
        let before = residentBytes(isTrimmed: true)
        for _ in 0..<finishedCount { try await send() }
        return residentBytes(isTrimmed: true) - before
    }
}
