import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowsePresentation

/// The cost of appending 100 rows to a list of 100,000, compared with an empty list.
///
/// A pair is the median of 50 pages for each side, each from `receive` to the next ticket. Pages are created right before, like
/// decoded ones, and after the long list is built for either side, so that CPU caches are equal. Releasing isn't measured, except
/// where noted.
enum ListBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark(name: "list-append", rounds: 25, body: append),
            Benchmark(name: "list-held", rounds: 25, body: appendWhileHeld),
            Benchmark(name: "list-growth", rounds: 9, body: growth),
            Benchmark(name: "list-bare", rounds: 25, body: appendToArray),
            Benchmark(name: "list-screen", rounds: 9, body: screen),
        ]
    }

    private static let appends = 50
    private static let many = Samples.pages(0..<Samples.manyPages)
    private static let fresh = Samples.manyPages..<Samples.manyPages + appends

    @concurrent
    private static func append(_ run: Run) async throws -> [Comparison] {
        [
            await .measure("list-append: 100,000 held / none", .wall, bound: .ratio(1.5), rounds: run.rounds) {
                appendToMany().median
            } bare: {
                appendToNone().median
            }
        ]
    }

    /// With a screen's state that holds the rows; replacing its rows after each page is measured, too.
    @concurrent
    private static func appendWhileHeld(_ run: Run) async throws -> [Comparison] {
        [
            await .measure(
                "list-held: state holds the rows, 100,000 / none",
                .wall,
                bound: .ratio(5),
                rounds: run.rounds
            ) {
                var many = LoadingList(many)
                var rows = many.list.rows
                let pages = Samples.pages(fresh)
                var stopwatch = Stopwatch(count: appends)
                for page in pages {
                    stopwatch.time {
                        many.receive(page)
                        rows = many.list.rows
                    }
                }
                keep(rows)
                keep(many)
                return stopwatch.seconds.median
            } bare: {
                keep(LoadingList(many))
                var lists = (0..<appends).map { _ in LoadingList() }
                var rows = lists.map(\.list.rows)
                let pages = Samples.pages(fresh)
                var stopwatch = Stopwatch(count: appends)
                for (index, page) in pages.enumerated() {
                    stopwatch.time {
                        lists[index].receive(page)
                        rows[index] = lists[index].list.rows
                    }
                }
                keep(rows)
                keep(lists)
                return stopwatch.seconds.median
            }
        ]
    }

    /// From an empty list to 100,000 rows, including table growth: the mean and the slowest page.
    @concurrent
    private static func growth(_ run: Run) async throws -> [Comparison] {
        func grow() -> [Double] {
            var list = LoadingList()
            var stopwatch = Stopwatch(count: Samples.manyPages)
            for page in many { stopwatch.time { list.receive(page) } }
            keep(list)
            return stopwatch.seconds
        }
        func growArray() -> [Double] {
            var list = BareList()
            var stopwatch = Stopwatch(count: Samples.manyPages)
            for page in many { stopwatch.time { list.receive(page) } }
            keep(list)
            return stopwatch.seconds
        }
        return [
            await .measure("list-growth: mean of 1,000 pages / none held", .wall, bound: nil, rounds: run.rounds) {
                grow().mean
            } bare: {
                appendToNone().mean
            },
            await .measure("list-growth: slowest of 1,000 pages / Array + Set", .wall, bound: nil, rounds: run.rounds) {
                grow().max() ?? 0
            } bare: {
                growArray().max() ?? 0
            },
        ]
    }

    @concurrent
    private static func appendToArray(_ run: Run) async throws -> [Comparison] {
        [
            await .measure("list-bare: 100,000 held / Array + Set", .wall, bound: nil, rounds: run.rounds) {
                appendToMany().median
            } bare: {
                var list = BareList(many)
                let pages = Samples.pages(fresh)
                var stopwatch = Stopwatch(count: appends)
                for page in pages { stopwatch.time { list.receive(page) } }
                keep(list)
                return stopwatch.seconds.median
            },
            await .measure("list-bare: the same, state holds the rows", .wall, bound: nil, rounds: run.rounds) {
                var many = LoadingList(many)
                var rows = many.list.rows
                let pages = Samples.pages(fresh)
                var stopwatch = Stopwatch(count: appends)
                for page in pages {
                    stopwatch.time {
                        many.receive(page)
                        rows = many.list.rows
                    }
                }
                keep(rows)
                return stopwatch.seconds.median
            } bare: {
                var list = BareList(many)
                var users = list.users
                let pages = Samples.pages(fresh)
                var stopwatch = Stopwatch(count: appends)
                for page in pages {
                    stopwatch.time {
                        list.receive(page)
                        users = list.users
                    }
                }
                keep(users)
                return stopwatch.seconds.median
            },
        ]
    }

    /// `loadMore()` of a view model from memory, with all states that it publishes.
    @concurrent
    private static func screen(_ run: Run) async throws -> [Comparison] {
        let repository = EndlessFollowers(pages: many + Samples.pages(fresh))
        return [
            try await .measure(
                "list-screen: loadMore(), 100,000 shown / 100",
                .wall,
                bound: .ratio(2),
                rounds: run.rounds
            ) {
                try await loadMore(appends, after: Samples.manyPages, from: repository)
            } bare: {
                try await loadMore(appends, after: 1, from: repository)
            }
        ]
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

    private static func appendToMany() -> [Double] {
        var many = LoadingList(many)
        let pages = Samples.pages(fresh)
        var stopwatch = Stopwatch(count: appends)
        for page in pages { stopwatch.time { many.receive(page) } }
        keep(many)
        return stopwatch.seconds
    }

    private static func appendToNone() -> [Double] {
        keep(LoadingList(many))
        var lists = (0..<appends).map { _ in LoadingList() }
        let pages = Samples.pages(fresh)
        var stopwatch = Stopwatch(count: appends)
        for (index, page) in pages.enumerated() { stopwatch.time { lists[index].receive(page) } }
        keep(lists)
        return stopwatch.seconds
    }
}

extension [Double] {
    fileprivate var mean: Double { reduce(0, +) / Double(count) }
}
