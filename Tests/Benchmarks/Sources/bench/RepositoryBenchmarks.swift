import BrowseData
import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import Foundation

/// Followers through all of BrowseData, compared with ``BareClient``.
enum RepositoryBenchmarks {
    static let all = [
        Benchmark(name: "pages-cpu", rounds: 15, body: pagesOnLoopback),
        Benchmark(name: "pages-delayed", rounds: 7, body: pagesWithDelay),
        Benchmark(name: "all-parallel", rounds: 9, body: allInParallel),
        Benchmark(name: "all-sequential", rounds: 3, body: allAgainstOneAfterAnother),
    ]

    private static let concurrency = 8

    @concurrent
    private static func pagesOnLoopback(_ run: Run) async throws -> [Comparison] {
        let sides = try Sides(run.server.baseURL(delay: 0))
        try sameRows(try await sides.walk(pages: 100), try await sides.bare.walk(pages: 100), count: 10_000)
        return try await [
            .measure("pages-cpu: 100 pages one by one", .cpu, bound: .ratio(0.7), rounds: run.rounds) {
                try await cpuSeconds { keep(try await sides.walk(pages: 100)) }
            } bare: {
                try await cpuSeconds { keep(try await sides.bare.walk(pages: 100)) }
            },
            .measure("pages-cpu: AsyncHTTPClient", .cpu, bound: nil, rounds: run.rounds) {
                try await cpuSeconds { keep(try await sides.walk(pages: 100)) }
            } bare: {
                try await cpuSeconds { keep(try await sides.asyncHTTPClient.walk(pages: 100)) }
            },
        ]
    }

    @concurrent
    private static func pagesWithDelay(_ run: Run) async throws -> [Comparison] {
        let sides = try Sides(run.server.baseURL(delay: 50))
        try sameRows(try await sides.walk(pages: 20), try await sides.bare.walk(pages: 20), count: 2_000)
        return try await [
            .measure("pages-delayed: 20 pages of 50 ms", .wall, bound: .ratio(1.05), rounds: run.rounds) {
                try await wallSeconds { keep(try await sides.walk(pages: 20)) }
            } bare: {
                try await wallSeconds { keep(try await sides.bare.walk(pages: 20)) }
            }
        ]
    }

    @concurrent
    private static func allInParallel(_ run: Run) async throws -> [Comparison] {
        let sides = try Sides(run.server.baseURL(delay: 50))
        try sameRows(try await sides.all(), try await sides.bare.all(concurrency: concurrency), count: 10_000)
        try sameRows(
            try await sides.all(),
            try await sides.bare.all(count: 100, concurrency: concurrency),
            count: 10_000
        )
        try sameRows(
            try await sides.all(),
            try await sides.asyncHTTPClient.all(concurrency: concurrency),
            count: 10_000
        )
        return try await [
            .measure("all-parallel: 100 pages of 50 ms, 8 at once", .wall, bound: .ratio(1), rounds: run.rounds) {
                try await wallSeconds { keep(try await sides.all()) }
            } bare: {
                try await wallSeconds { keep(try await sides.bare.all(concurrency: concurrency)) }
            },
            // For information: 13 rounds of requests, where an app that doesn't know the count needs 14.
            .measure("all-parallel: bare knows the count", .wall, bound: nil, rounds: run.rounds) {
                try await wallSeconds { keep(try await sides.all()) }
            } bare: {
                try await wallSeconds { keep(try await sides.bare.all(count: 100, concurrency: concurrency)) }
            },
            .measure("all-parallel: AsyncHTTPClient", .wall, bound: nil, rounds: run.rounds) {
                try await wallSeconds { keep(try await sides.all()) }
            } bare: {
                try await wallSeconds { keep(try await sides.asyncHTTPClient.all(concurrency: concurrency)) }
            },
        ]
    }

    @concurrent
    private static func allAgainstOneAfterAnother(_ run: Run) async throws -> [Comparison] {
        let sides = try Sides(run.server.baseURL(delay: 50))
        return try await [
            .measure("all-sequential: 8 at once / one by one", .wall, bound: .ratio(1.0 / 6), rounds: run.rounds) {
                try await wallSeconds { keep(try await sides.all()) }
            } bare: {
                try await wallSeconds { keep(try await sides.walk(pages: 100)) }
            }
        ]
    }

    private static func sameRows(_ ours: [GitHub.User], _ bare: [GitHub.User], count: Int) throws {
        guard ours == bare, ours.count == count else {
            throw BenchFailure("\(ours.count) rows of ours differ from the \(bare.count) bare ones")
        }
    }

    /// Both sides with the same server.
    private struct Sides: Sendable {
        let repository: RemoteGitHubRepository
        let bare: BareClient
        let asyncHTTPClient: BareClient
        private let list = GitHub.FollowList.followers(of: GitHub.Login("octocat"))

        init(_ baseURL: URL) {
            let client = HTTPClient(
                service: .gitHub(baseURL: baseURL, userAgent: "Bench"),
                transport: defaultTransport(connections: concurrency)
            )
            repository = RemoteGitHubRepository(client: client)
            bare = BareClient(baseURL: baseURL, connections: concurrency)
            asyncHTTPClient = .asyncHTTPClient(baseURL: baseURL)
        }

        @concurrent
        func walk(pages: Int) async throws -> [GitHub.User] {
            var users: [GitHub.User] = []
            var cursor: PageCursor?
            for _ in 0..<pages {
                let page = try await repository.page(of: list, at: cursor)
                users += page.items
                cursor = page.next
                guard cursor != nil else { break }
            }
            return users
        }

        @concurrent
        func all() async throws -> [GitHub.User] {
            var users: [GitHub.User] = []
            try await repository.pages(of: list, from: nil, concurrency: concurrency) { users += $0.items }
            return users
        }
    }
}
