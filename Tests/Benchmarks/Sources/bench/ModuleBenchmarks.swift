import OtherModule
import SameModule

/// The cost of a list of another module's rows, compared with rows of the list's module.
///
/// See Decision 39.
enum ModuleBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark(name: "list-module", rounds: 101, body: lists),
            Benchmark(name: "rows-module", rounds: 25, body: filter),
        ]
    }

    private static let bound = Comparison.Bound.ratio(1.15)

    @concurrent
    private static func lists(_ run: Run) async throws -> [Comparison] {
        [
            await .measure(
                "list-module: 100 pages, rows of another module / the same",
                .cpu,
                bound: bound,
                rounds: run.rounds
            ) {
                await OtherModule.RowBenchmark.append { await cpuSeconds($0) }
            } bare: {
                await SameModule.RowBenchmark.append { await cpuSeconds($0) }
            },
            await .measure(
                "list-module: a screen loads 100 pages, another / the same",
                .cpu,
                bound: bound,
                rounds: run.rounds
            ) {
                await OtherModule.RowBenchmark.load { await cpuSeconds($0) }
            } bare: {
                await SameModule.RowBenchmark.load { await cpuSeconds($0) }
            },
        ]
    }

    @concurrent
    private static func filter(_ run: Run) async throws -> [Comparison] {
        [
            await .measure(
                "rows-module: filters of 100,000, another / the same",
                .cpu,
                bound: bound,
                rounds: run.rounds
            ) {
                await OtherModule.RowBenchmark.filter { await cpuSeconds($0) }
            } bare: {
                await SameModule.RowBenchmark.filter { await cpuSeconds($0) }
            }
        ]
    }
}
