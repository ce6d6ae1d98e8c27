import Foundation

/// Compares the SDK with bare code that does the same, and prints a table.
///
/// `--check` exits with status 1 if a line exceeds its bound, `--filter NAME` runs the benchmarks with this text in their
/// names, `--rounds N` sets the number of pairs, and `--report FOLDER` writes a page and a chart into a folder. A benchmark
/// that fails exits with status 2.
@main
struct Bench {
    private static let benchmarks =
        RepositoryBenchmarks.all + ListBenchmarks.all + RowsBenchmarks.all
        + FavoriteBenchmarks.all + ImageBenchmarks.all + NetworkBenchmarks.all
        + ProcessBenchmarks.all + HostileBodyBenchmarks.all

    @concurrent
    static func main() async {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "--hostile", let index = Int(arguments[3]) {
            return await HostileBodyBenchmarks.child(arguments[2], HostileEndpoint.all[index])
        }
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            print("usage: bench [--check] [--filter NAME] [--rounds N] [--report FOLDER]")
            print("names: \(benchmarks.map(\.name).joined(separator: ", "))")
            exit(2)
        }
        do {
            let server = BenchServer()
            defer { server.stop() }
            var comparisons: [Comparison] = []
            for benchmark in benchmarks where options.selects(benchmark) {
                let run = Run(rounds: options.rounds ?? benchmark.rounds, server: server)
                try await comparisons.append(contentsOf: benchmark.body(run))
            }
            print(Table(comparisons).text)
            if let folder = options.reportFolder { try Report(comparisons).write(to: folder) }
            if options.isChecking, comparisons.contains(where: \.isOver) { exit(1) }
        } catch {
            print("failed: \(error)")
            exit(2)
        }
    }
}

/// The options of the command line.
private struct Options {
    var isChecking = false
    var filter = ""
    var rounds: Int?
    var reportFolder: URL?

    init?(_ arguments: some Sequence<String>) {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            switch argument {
            case "--check":
                isChecking = true
            case "--filter":
                guard let name = arguments.next() else { return nil }
                filter = name
            case "--rounds":
                guard let count = arguments.next().flatMap({ Int($0) }), count > 0 else { return nil }
                rounds = count
            case "--report":
                guard let path = arguments.next() else { return nil }
                reportFolder = URL(filePath: path, directoryHint: .isDirectory)
            default:
                return nil
            }
        }
    }

    func selects(_ benchmark: Benchmark) -> Bool {
        filter.isEmpty || benchmark.name.contains(filter)
    }
}

/// A benchmark, with a name for `--filter`.
struct Benchmark: Sendable {
    let name: String
    /// The default number of pairs.
    let rounds: Int
    let body: @concurrent @Sendable (Run) async throws -> [Comparison]
}

/// The parameters of a benchmark.
struct Run: Sendable {
    let rounds: Int
    let server: BenchServer
}

/// Different results of the two sides, or a server that didn't start.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
