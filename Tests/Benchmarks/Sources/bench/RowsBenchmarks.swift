import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowsePresentation
import Foundation

/// The cost of reading 10,000 rows, compared with an array.
enum RowsBenchmarks {
    static var all: [Benchmark] {
        [
            Benchmark(name: "rows-read", rounds: 15, body: read),
            Benchmark(name: "rows-filter", rounds: 15, body: filter),
            Benchmark(name: "rows-change", rounds: 25, body: change),
        ]
    }

    private static let many = Samples.pages(0..<Samples.manyPages)

    @concurrent
    private static func read(_ run: Run) async throws -> [Comparison] {
        let rows = LoadingList(many).list.rows
        let users = Array(rows)
        var generator = SystemRandomNumberGenerator()
        let positions = users.indices.shuffled(using: &generator)
        return [
            await .measure("rows-read: each of 10,000 / Array", .wall, bound: nil, rounds: run.rounds) {
                await wallSeconds { keep(sum(rows)) }
            } bare: {
                await wallSeconds { keep(sum(users)) }
            },
            await .measure("rows-read: 10,000 at random / Array", .wall, bound: nil, rounds: run.rounds) {
                await wallSeconds { keep(sum(rows, at: positions)) }
            } bare: {
                await wallSeconds { keep(sum(users, at: positions)) }
            },
            await .measure("rows-read: 50 rows near the end / Array", .wall, bound: nil, rounds: run.rounds) {
                await wallSeconds { keep(Array(rows[9_900..<9_950])) }
            } bare: {
                await wallSeconds { keep(Array(users[9_900..<9_950])) }
            },
        ]
    }

    // Not inlined, so that sums aren't computed once for all rounds.

    @inline(never)
    private static func sum(_ rows: Rows<GitHub.User>) -> Int64 {
        rows.reduce(0) { $0 &+ $1.id.rawValue }
    }

    @inline(never)
    private static func sum(_ users: [GitHub.User]) -> Int64 {
        users.reduce(0) { $0 &+ $1.id.rawValue }
    }

    @inline(never)
    private static func sum(_ rows: Rows<GitHub.User>, at positions: [Int]) -> Int64 {
        positions.reduce(0) { $0 &+ rows[$1].id.rawValue }
    }

    @inline(never)
    private static func sum(_ users: [GitHub.User], at positions: [Int]) -> Int64 {
        positions.reduce(0) { $0 &+ users[$1].id.rawValue }
    }

    @concurrent
    private static func filter(_ run: Run) async throws -> [Comparison] {
        let repository = EndlessFollowers(pages: many)
        let screen = await Samples.followerScreen(repository)
        await screen.show(.followers(of: GitHub.Login("octocat")))
        for _ in 1..<many.count { await screen.loadMore() }
        let users = many.flatMap(\.items)
        return [
            await .measure(
                "rows-filter: the screen's, 10,000 / lowercased().contains",
                .wall,
                bound: .most(0.004),
                rounds: run.rounds
            ) {
                await setFilter("CODES", on: screen)
            } bare: {
                await wallSeconds { keep(users.filter { $0.login.rawValue.lowercased().contains("codes") }) }
            }
        ]
    }

    @MainActor
    private static func setFilter(_ text: String, on screen: FollowerListViewModel) async -> Double {
        screen.filter = ""
        return await wallSeconds { screen.filter = text }
    }

    @concurrent
    private static func change(_ run: Run) async throws -> [Comparison] {
        var list = LoadingList(many)
        let old = list.list.rows
        list.receive(Samples.page(Samples.manyPages))
        let new = list.list.rows
        let oldUsers = Array(old)
        let newUsers = Array(new)
        guard case .update(let update) = new.change(since: old), update.appended == old.endIndex..<new.endIndex else {
            throw BenchFailure("an appended page is \(new.change(since: old))")
        }
        return [
            await .measure(
                "rows-change: since the page before / comparing arrays",
                .wall,
                bound: nil,
                rounds: run.rounds
            ) {
                await wallSeconds { keep(new.change(since: old)) }
            } bare: {
                await wallSeconds { keep(newUsers.starts(with: oldUsers)) }
            }
        ]
    }
}
