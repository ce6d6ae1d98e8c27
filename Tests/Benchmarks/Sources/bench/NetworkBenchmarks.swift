import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import Foundation
import Synchronization

/// The cost and the limits of the middleware chain of `Container`.
enum NetworkBenchmarks {
    static let all = [
        Benchmark(name: "chain-cold", rounds: 45, body: cold),
        Benchmark(name: "chain-cached-first", rounds: 25, body: cachedFirst),
        Benchmark(name: "chain-different", rounds: 5, body: different),
        Benchmark(name: "chain-gate", rounds: 5, body: waiting),
    ]

    private static let concurrency = 8

    /// The bound of `chain-cold`: with more cores, switching threads is more expensive.
    private static var coldBound: Double { ProcessInfo.processInfo.activeProcessorCount > 2 ? 1 : 0.9 }

    /// 100 pages through the whole chain, with an initially empty cache.
    @concurrent
    private static func cold(_ run: Run) async throws -> [Comparison] {
        let side = try Side(run.server.baseURL(delay: 0))
        let bare = try BareClient(baseURL: run.server.baseURL(delay: 0), connections: concurrency)
        let (ours, theirs) = try await (side.walk(), bare.walk(pages: 100))
        guard ours == theirs, ours.count == 10_000, await side.cache.count == 100 else {
            throw BenchFailure("\(ours.count) rows of ours are not the \(theirs.count) bare ones")
        }
        return try await [
            .measure("chain-cold: 100 pages, empty cache", .cpu, bound: .ratio(coldBound), rounds: run.rounds) {
                await side.cache.removeAll()
                return try await cpuSeconds { keep(try await side.walk()) }
            } bare: {
                try await cpuSeconds { keep(try await bare.walk(pages: 100)) }
            }
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
                // A new container, as at an app's launch: the file is opened, too.
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

    /// 1,000 concurrent requests for different pages; at most eight are in flight.
    @concurrent
    private static func different(_ run: Run) async throws -> [Comparison] {
        let baseURL = try run.server.baseURL(delay: 5)
        let bare = BareClient(baseURL: baseURL, connections: concurrency)
        let side = try Side(baseURL)
        var growth: [Int] = []
        var unread: [Int] = []
        // A first run, so that one-time allocations don't count.
        keep(try await side.walk(pages: 20))
        let comparison = try await Comparison.measure(
            "chain-different: 1,000 at once / bare, 8 at a time",
            .wall,
            bound: nil,
            rounds: run.rounds
        ) {
            await side.cache.removeAll()
            side.wire.reset()
            let before = residentBytes()
            let peak = Mutex(before)
            let seconds = try await wallSeconds {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<1000 {
                        group.addTask {
                            let list = GitHub.FollowList.followers(of: GitHub.Login("user-\(number)"))
                            let count = try await side.repository.page(of: list, at: nil).items.count
                            side.wire.finish()
                            return count
                        }
                    }
                    while let count = try await group.next() {
                        guard count == 100 else { throw BenchFailure("\(count) rows") }
                        let now = residentBytes()
                        peak.withLock { $0 = max($0, now) }
                    }
                }
            }
            growth.append(peak.withLock { $0 } - before)
            unread.append(side.wire.mostInHand)
            guard side.wire.sent == 1000, side.wire.most <= concurrency else {
                throw BenchFailure("\(side.wire.sent) were sent, \(side.wire.most) at once")
            }
            return seconds
        } bare: {
            try await wallSeconds {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<1000 {
                        if number >= concurrency { _ = try await group.next() }
                        let url = try bare.firstPage(of: "user-\(number)")
                        group.addTask { try await bare.page(at: url).users.count }
                    }
                    try await group.waitForAll()
                }
            }
        }
        print(
            "chain-different: memory grew by \(growth.map { $0 >> 20 }) MB, at most \(unread) unread responses"
        )
        // A waiting request takes about 44 KB, mostly task frames; all 1,000 bodies together are 96 MB.
        guard let memory = growth.max(), memory < 72 << 20, let unreadCount = unread.max(), unreadCount < 200 else {
            throw BenchFailure("memory is not bounded")
        }
        return [comparison]
    }

    /// 10,000 requests that wait for a rate limit of one at a time, compared with as many continuations.
    @concurrent
    private static func waiting(_ run: Run) async throws -> [Comparison] {
        try await [
            .measure(
                "chain-gate: 10,000 wait, one admitted at a time / bare",
                .cpu,
                bound: .most(2),
                rounds: run.rounds
            ) {
                try await Crowd(count: 10_000).seconds()
            } bare: {
                try await bareCrowd(count: 10_000)
            }
        ]
    }

    private final class BareLine: Sendable {
        let waiters = Mutex<[CheckedContinuation<Void, Never>]>([])
    }

    private static func bareCrowd(count: Int) async throws -> Double {
        let line = BareLine()
        let tasks = (0..<count).map { _ in
            Task { await withCheckedContinuation { waiter in line.waiters.withLock { $0.append(waiter) } } }
        }
        while line.waiters.withLock({ $0.count }) < count { await Task.yield() }
        return await cpuSeconds {
            for waiter in line.waiters.withLock({ $0 }) { waiter.resume() }
            for task in tasks { await task.value }
        }
    }

    /// The SDK as in an app, with a cache in a folder.
    private final class Side: Sendable {
        static let list = GitHub.FollowList.followers(of: GitHub.Login("octocat"))

        let wire = CountingTransport(next: defaultTransport(connections: concurrency))
        let cache: ResponseCache
        let repository: any GitHub.FollowerRepository
        let folder: URL
        private let isOwner: Bool

        init(_ baseURL: URL, folder: URL? = nil) throws {
            let wire = wire
            isOwner = folder == nil
            self.folder =
                folder
                ?? FileManager.default.temporaryDirectory.appending(
                    path: "bench-\(UUID().uuidString)",
                    directoryHint: .isDirectory
                )
            let container = Container(
                Configuration(storageFolder: self.folder).with {
                    $0.requestConcurrency = concurrency
                    $0.gitHub.url = baseURL
                }
            )
            container.transport.override { _ in wire }
            cache = container.responseCache()
            repository = container.followerRepository()
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

/// Counts requests and bytes of a transport.
private final class CountingTransport: HTTPTransport {
    private struct Counts {
        var sent = 0
        var now = 0
        var most = 0
        var unread = 0
        var mostInHand = 0
    }

    private let next: any HTTPTransport
    private let counts = Mutex(Counts())

    init(next: any HTTPTransport) {
        self.next = next
    }

    var sent: Int { counts.withLock { $0.sent } }
    var most: Int { counts.withLock { $0.most } }
    /// The maximum number of received responses that weren't read yet.
    var mostInHand: Int { counts.withLock { $0.mostInHand } }
    /// Marks a response as read by its caller.
    func finish() { counts.withLock { $0.unread -= 1 } }
    func reset() { counts.withLock { $0 = Counts() } }

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        counts.withLock { counts in
            counts.sent += 1
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
        defer { counts.withLock { $0.now -= 1 } }
        let response = try await next.send(request)
        counts.withLock { counts in
            counts.unread += 1
            counts.mostInHand = max(counts.mostInHand, counts.unread)
        }
        return response
    }
}

/// Requests that wait at a gate with a rate limit of one request per second.
private final class Crowd: HTTPTransport {
    private struct Seen {
        var order: [Int] = []
        var waiting = 0
    }

    private let count: Int
    private let clock = CountingClock()
    private let seen = Mutex(Seen())
    private static let start = 1_795_258_800

    init(count: Int) {
        self.count = count
    }

    /// The CPU time from when all wait until all are admitted.
    func seconds() async throws -> Double {
        let clock = clock
        let now = { @Sendable in Date(timeIntervalSince1970: Double(Self.start) + clock.now.offset / .seconds(1)) }
        guard let url = URL(string: "https://api.github.com") else { throw BenchFailure("invalid URL") }
        let service = HTTPClient.Service.gitHub(baseURL: url, userAgent: "Bench", now: now)
        let client = HTTPClient(
            service: service,
            transport: self,
            middleware: [RateLimitGate(service: service, now: now, clock: clock)],
            options: .init { $0.observers = [WaitCounter { [self] in seen.withLock { $0.waiting += 1 } }] }
        )
        let endpoint = { @Sendable (number: Int) in
            Endpoint(.path("/items/\("\(number)")")) { $0.status }
        }
        _ = try await client.send(endpoint(-1))
        // Sequentially, so that their order is known; every third one is visible.
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<count {
            var options = LoadOptions()
            options.longestWait = .seconds(1_000_000)
            options.priority = Self.isVisible(number) ? .visible : .prefetch
            tasks.append(
                Task { [options] in
                    _ = try await options.load { () throws(BrowseError) in try await client.send(endpoint(number)) }
                }
            )
            while seen.withLock({ $0.waiting }) <= number { await Task.yield() }
        }
        // Idle threads spin for a while before they sleep.
        try await Task.sleep(for: .milliseconds(200))
        let idle = try await cpuSeconds { try await Task.sleep(for: .milliseconds(100)) }
        guard idle < 0.05 else { throw BenchFailure("waiting took \(idle) seconds of 0.1") }
        let seconds = try await cpuSeconds {
            await clock.advance(by: .seconds(1))
            for task in tasks { try await task.value }
        }
        let numbers = Array(0..<count)
        let expected = [-1] + numbers.filter(Self.isVisible) + numbers.filter { !Self.isVisible($0) }
        guard seen.withLock({ $0.order }) == expected else { throw BenchFailure("not admitted by priority and order") }
        guard clock.sleeps <= 3 else { throw BenchFailure("\(clock.sleeps) sleeps") }
        return seconds
    }

    private static func isVisible(_ number: Int) -> Bool { number.isMultiple(of: 3) }

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        let number = Int(request.url.lastPathComponent) ?? 0
        let sent = seen.withLock { seen in
            seen.order.append(number)
            return seen.order.count
        }
        // Nothing remains at first; then each response starts a new period with one request.
        return HTTPResponse(
            status: 200,
            headers: [
                "X-RateLimit-Limit": "1", "X-RateLimit-Remaining": sent == 1 ? "0" : "1",
                "X-RateLimit-Reset": "\(Self.start + sent)",
            ],
            url: request.url
        )
    }
}

/// Calls a closure for each request that starts to wait for a rate limit.
private struct WaitCounter: HTTPObserver {
    let count: @Sendable () -> Void

    func observe(_ event: HTTPEvent) {
        if case .waiting(.rateLimit) = event.kind { count() }
    }
}

/// A manual clock that counts sleepers.
private final class CountingClock: Clock {
    typealias Instant = TestClock.Instant

    private let clock = TestClock()
    private let count = Mutex(0)

    var now: Instant { clock.now }
    var minimumResolution: Duration { .zero }
    var sleeps: Int { count.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        count.withLock { $0 += 1 }
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }

    func advance(by duration: Duration) async {
        await clock.advance(by: duration)
    }
}
