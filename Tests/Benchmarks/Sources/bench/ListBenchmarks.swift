import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowsePresentation

/// The cost of a page of 100 rows in a list of 10,000.
enum ListBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark(name: "list-growth", rounds: 25, body: growth),
            Benchmark(name: "list-screen", rounds: 9, body: screen),
            Benchmark(name: "list-favorite", rounds: 9, body: favorite),
        ]
    }

    /// Half a frame of a display with 120 Hz.
    private static let bound = Comparison.Bound.most(0.004)
    private static let appends = 50
    private static let many = Samples.pages(0..<Samples.manyPages)
    private static let fresh = Samples.manyPages..<Samples.manyPages + appends

    /// The slowest page from an empty list to 10,000 rows, by the medians of nine lists. Tables grow in it.
    @concurrent
    private static func growth(_ run: Run) async throws -> [Comparison] {
        [
            await .measure("list-growth: slowest of 100 pages / Array + Set", .wall, bound: bound, rounds: run.rounds) {
                slowest {
                    var list = LoadingList()
                    var stopwatch = Stopwatch(count: Samples.manyPages)
                    for page in many { stopwatch.time { list.receive(page) } }
                    keep(list)
                    return stopwatch.seconds
                }
            } bare: {
                slowest {
                    var list = BareList()
                    var stopwatch = Stopwatch(count: Samples.manyPages)
                    for page in many { stopwatch.time { list.receive(page) } }
                    keep(list)
                    return stopwatch.seconds
                }
            }
        ]
    }

    private static func slowest(_ grow: () -> [Double]) -> Double {
        let lists = (0..<9).map { _ in grow() }
        return many.indices.map { page in lists.map { $0[page] }.median }.max() ?? 0
    }

    /// `loadMore()` of a view model from memory, with all states that it publishes.
    @concurrent
    private static func screen(_ run: Run) async throws -> [Comparison] {
        let repository = EndlessFollowers(pages: many + Samples.pages(fresh))
        return [
            try await .measure(
                "list-screen: loadMore(), 10,000 shown / 100",
                .wall,
                bound: bound,
                rounds: run.rounds
            ) {
                try await loadMore(appends, after: Samples.manyPages, from: repository)
            } bare: {
                try await loadMore(appends, after: 1, from: repository)
            }
        ]
    }

    /// A tap on a favorite, stored in memory, until a front end knows what to redraw.
    @concurrent
    private static func favorite(_ run: Run) async throws -> [Comparison] {
        [
            try await .measure("list-favorite: a tap, 10,000 shown / 100", .wall, bound: bound, rounds: run.rounds) {
                try await tap(50, after: Samples.manyPages)
            } bare: {
                try await tap(50, after: 1)
            }
        ]
    }

    @MainActor
    private static func tap(_ count: Int, after pages: Int) async throws -> Double {
        let viewModel = Samples.followerScreen(EndlessFollowers(pages: many))
        await viewModel.show(.followers(of: GitHub.Login("octocat")))
        for _ in 1..<pages { await viewModel.loadMore() }
        var seconds: [Double] = []
        for row in viewModel.state.content.rows.suffix(count) {
            let shown = viewModel.state.content.rows
            seconds.append(
                await wallSeconds {
                    await viewModel.toggleFavorite(row.id)
                    keep(viewModel.state.content.rows.change(since: shown))
                }
            )
        }
        guard viewModel.state.content.rows.suffix(count).allSatisfy(\.isFavorite) else {
            throw BenchFailure("a tap isn't shown")
        }
        return seconds.median
    }

    @MainActor
    private static func loadMore(_ count: Int, after pages: Int, from repository: EndlessFollowers) async throws
        -> Double
    {
        let viewModel = Samples.followerScreen(repository)
        await viewModel.show(.followers(of: GitHub.Login("octocat")))
        for _ in 1..<pages { await viewModel.loadMore() }
        var seconds: [Double] = []
        for _ in 0..<count {
            seconds.append(await wallSeconds { await viewModel.loadMore() })
        }
        guard viewModel.state.content.rows.count == (pages + count) * Samples.rowsPerPage else {
            throw BenchFailure("the screen shows \(viewModel.state.content.rows.count) rows")
        }
        return seconds.median
    }
}
