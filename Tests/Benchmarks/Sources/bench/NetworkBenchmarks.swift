import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import Foundation
import Synchronization

/// The cost and the limits of the middleware chain of `Container`.
enum NetworkBenchmarks {
    static let all = [
        Benchmark(name: "chain-cold", rounds: 45, body: cold),
        Benchmark(name: "chain-cached-first", rounds: 25, body: cachedFirst),
    ]

    private static let concurrency = 8

    /// 100 pages through the whole chain, with an initially empty cache.
    @concurrent
    private static func cold(_ run: Run) async throws -> [Comparison] {
        let side = try Side(run.server.baseURL(delay: 0))
        let bare = try BareClient(baseURL: run.server.baseURL(delay: 0), connections: concurrency)
        // Each round has a folder of its own, and all stay until the end: a file system that has just
        // deleted thousands of files looks for free entries several times as long.
        var sides = [side]
        func emptySide() throws -> Side {
            sides.append(try Side(run.server.baseURL(delay: 0), wire: side.wire))
            return sides[sides.endIndex - 1]
        }
        let (ours, theirs) = try await (side.walk(), bare.walk(pages: 100))
        guard ours == theirs, ours.count == 10_000, side.cachedFileCount == 100 else {
            throw BenchFailure("\(ours.count) rows of ours are not the \(theirs.count) bare ones")
        }
        return try await [
            .measure("chain-cold: 100 pages, empty cache", .cpu, bound: .ratio(0.8), rounds: run.rounds) {
                let empty = try emptySide()
                return try await cpuSeconds { keep(try await empty.walk()) }
            } bare: {
                try await cpuSeconds { keep(try await bare.walk(pages: 100)) }
            },
            .measure("chain-cold: unchanged pages / empty cache", .cpu, bound: .ratio(0.8), rounds: run.rounds) {
                keep(try await side.walk())
                return try await cpuSeconds { keep(try await side.walk()) }
            } bare: {
                let empty = try emptySide()
                return try await cpuSeconds { keep(try await empty.walk()) }
            },
        ]
    }

    /// From a new container to the first 100 cached rows, compared with a network request.
    @concurrent
    private static func cachedFirst(_ run: Run) async throws -> [Comparison] {
        let baseURL = try run.server.baseURL(delay: 0)
        let bare = BareClient(baseURL: baseURL, connections: concurrency)
        let side = try Side(baseURL)
        let expected = try await side.walk(pages: 1)
        return try await [
            .measure(
                "chain-cached-first: first rows / bare request",
                .wall,
                bound: .most(0.01),
                rounds: run.rounds
            ) {
                // A new container, as at an app's launch.
                let fresh = try Side(baseURL, folder: side.folder)
                let start = ContinuousClock.now
                let shown = Mutex<(seconds: Double, rows: [GitHub.User], sent: Int)?>(nil)
                _ = try await LoadPolicy.cachedFirst.load { () throws(BrowseError) in
                    try await fresh.repository.page(of: Side.list, at: nil)
                } cached: { page in
                    let seconds = (ContinuousClock.now - start) / .seconds(1)
                    shown.withLock { $0 = (seconds, page.value.items, fresh.wire.sent) }
                }
                guard let first = shown.withLock({ $0 }), first.rows == expected, first.sent == 0 else {
                    throw BenchFailure("the cached rows didn't come first")
                }
                return first.seconds
            } bare: {
                let url = try bare.firstPage(of: "octocat")
                return try await wallSeconds { keep(try await bare.page(at: url)) }
            }
        ]
    }

    /// The SDK as in an app, with a cache in a folder.
    private final class Side: Sendable {
        static let list = GitHub.FollowList.followers(of: GitHub.Login("octocat"))

        let wire: CountingTransport
        let repository: any GitHub.FollowerRepository
        let folder: URL
        private let isOwner: Bool

        init(_ baseURL: URL, folder: URL? = nil, wire: CountingTransport? = nil) throws {
            let wire = wire ?? CountingTransport(next: defaultTransport(connections: concurrency))
            self.wire = wire
            isOwner = folder == nil
            let folder =
                folder
                ?? FileManager.default.temporaryDirectory.appending(
                    path: "bench-\(UUID().uuidString)",
                    directoryHint: .isDirectory
                )
            self.folder = folder
            let container = Container(
                Configuration().with {
                    $0.storageFolder = folder
                    $0.requestConcurrency = concurrency
                    $0.gitHub.url = baseURL
                }
            )
            container.transport.override { _ in wire }
            repository = container.followerRepository()
        }

        /// The number of files in the accounts' folders.
        var cachedFileCount: Int {
            let paths = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))
            return paths?.count { "\($0)".wholeMatch(of: /responses\/\w{16}\/\w{16}/) != nil } ?? 0
        }

        deinit {
            if isOwner { try? FileManager.default.removeItem(at: folder) }
        }

        @concurrent
        func walk(pages: Int = 100) async throws -> [GitHub.User] {
            var users: [GitHub.User] = []
            var cursor: PageCursor?
            for _ in 0..<pages {
                let page = try await repository.page(of: Self.list, at: cursor)
                users += page.items
                cursor = page.next
                guard cursor != nil else { break }
            }
            return users
        }
    }
}

/// Counts the requests of a transport.
private final class CountingTransport: HTTPTransport {
    private let next: any HTTPTransport
    private let count = Mutex(0)

    init(next: any HTTPTransport) {
        self.next = next
    }

    var sent: Int { count.withLock { $0 } }

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        count.withLock { $0 += 1 }
        return try await next.send(request)
    }
}
