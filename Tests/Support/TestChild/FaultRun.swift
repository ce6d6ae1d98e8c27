import BrowseGitHubData
#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import BrowseKit
import BrowseMocks
import Foundation
import Synchronization
import TestSupport

/// Sends requests to a server that fails at random, and checks the results.
///
/// The requests come from 32 tasks, pass through the whole middleware chain, and some are canceled at random.
struct FaultRun {
    private let count: Int
    private let seed: UInt64
    private let folder: URL
    private let transport: TransportName

    private static let tasks = 32
    private static let paths = 240

    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 4, let count = Int(arguments[0]), let seed = UInt64(arguments[1]),
            let transport = TransportName(rawValue: arguments[3])
        else { throw TestChild.WrongArguments() }
        self.count = count
        self.seed = seed
        folder = URL(filePath: arguments[2], directoryHint: .isDirectory)
        self.transport = transport
    }

    func run() async throws {
        // Ends a run that hangs.
        alarm(UInt32(60 + count / 50))
        // A small run first, so that one-time allocations don't count as growth.
        try await round(of: count / 4, seed: seed)
        let usage = ResourceUsage()
        try await round(of: count - count / 4, seed: seed + 1)
        await usage.report()
        TestChild.write("done")
    }

    /// Sends `count` requests to a new server, and prints unexpected results and counts.
    func round(of count: Int, seed: UInt64) async throws {
        let clock = TestClock()
        let now = { @Sendable in Date(timeIntervalSince1970: 1_767_323_045 + clock.now.offset / .seconds(1)) }
        // Foundation on Linux crashes on truncated heads (swift-corelibs-foundation, issue 5285, fixed after Swift 6.3).
        let cutsHeads = transport != .urlSession
        let server = try FaultServer(seed: seed, cutsHeads: cutsHeads, now: now)
        let client = try FaultClients(
            origin: server.origin,
            folder: folder,
            transport: transport.makeTransport(),
            clock: clock,
            now: now
        )
        let ticking = Task {
            while !Task.isCancelled {
                await clock.waitForSleepersAndTimeLimits(1)
                // The progress between two ticks is deliberately random, as with real time.
                for _ in 0..<50 { await Task.yield() }
                await clock.advance(by: .milliseconds(500))
            }
        }
        let results = FaultResults()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<Self.tasks {
                group.addTask {
                    var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(task))
                    let last = count / Self.tasks
                    for number in 0..<last {
                        // Not in the last quarter, so that rows are left to examine.
                        if number < last / 4 * 3, Int.random(in: 0..<3000, using: &random) == 0 {
                            await client.cache.removeAll()
                        }
                        await call("\(task)-\(number)", client, server, results, &random)
                    }
                }
            }
        }
        ticking.cancel()
        await ticking.value
        await readCache(client, server, results)
        for (post, arrivals) in server.posts where arrivals > 1 {
            results.tally.complain("\(post) arrived \(arrivals) times")
        }
        for post in results.donePosts where server.posts[post] == nil {
            results.tally.complain("\(post) never arrived")
        }
        server.stop()
        for line in results.tally.lines { TestChild.write(line) }
        TestChild.write("server: \(server.arrivals) arrivals, \(server.refusals) over the budget")
    }

    /// Reads every response that is stored: it's whole, and of its path, account, and language.
    private func readCache(_ client: FaultClients, _ server: FaultServer, _ results: FaultResults) async {
        var options = LoadOptions()
        options.source = .cacheOnly
        for number in 0..<Self.paths {
            for (account, language) in [("a", "en"), ("a", "ko"), ("b", "en"), ("b", "ko")] {
                let key = FaultClients.Key("/items/\(number)", account, language, options)
                switch await get(key, client, server, results) {
                case nil: results.tally.count("stored")
                case .unreachable(.notCached, _): break
                case let error?: results.tally.complain("\(key) in the cache ended with \(error)")
                }
            }
        }
    }

    private func call(
        _ name: String,
        _ client: FaultClients,
        _ server: FaultServer,
        _ results: FaultResults,
        _ random: inout SeededGenerator
    ) async {
        let account = Bool.random(using: &random) ? "a" : "b"
        var yields: Int?
        if Int.random(in: 0..<8, using: &random) == 0 { yields = Int.random(in: 0..<400, using: &random) }
        var options = LoadOptions()
        options.priority = Bool.random(using: &random) ? .visible : .prefetch
        if Int.random(in: 0..<20, using: &random) == 0 {
            let language = Bool.random(using: &random) ? "en" : "ko"
            let task = Task { [options] in await post("/posts/\(name)", account, language, options, client, results) }
            await finish(task, cancelledAfter: yields, options, client, results)
        } else {
            options.source =
                [.network, .network, .networkElseCache, .networkElseCache, .cacheOnly].randomElement(using: &random)
                ?? .network
            // A product, so that some paths are requested much more often than others.
            let number = Int.random(in: 0..<Self.paths, using: &random) * Int.random(in: 0..<Self.paths, using: &random)
            let path = "/items/\(number / Self.paths)"
            let language = Int.random(in: 0..<4, using: &random) == 0 ? "ko" : "en"
            let task = Task { [options] in
                await get(FaultClients.Key(path, account, language, options), client, server, results)
            }
            await finish(task, cancelledAfter: yields, options, client, results)
        }
    }

    private func finish(
        _ task: Task<BrowseError?, Never>,
        cancelledAfter yields: Int?,
        _ options: LoadOptions,
        _ client: FaultClients,
        _ results: FaultResults
    ) async {
        if let yields {
            // Cancels at random points of the exchange.
            for _ in 0..<yields { await Task.yield() }
            task.cancel()
        }
        guard let error = await task.value else { return results.tally.count("answered") }
        results.tally.count(Tally.name(of: error))
        let isPossible =
            switch error {
            case .cancelled: yields != nil
            case .unreachable(.notCached, _): options.source == .cacheOnly
            case .unreachable(.connectionLost, _), .unreachable(.intercepted, _), .timedOut, .rateLimited, .notFound,
                .rejected, .serverFailure,
                .unusableResponse(.decoding, _), .unusableResponse(.status, _):
                options.source != .cacheOnly
            default: false
            }
        if !isPossible { results.tally.complain("\(options.source) ended with \(error)") }
        // As an app does that wants to wait.
        if case .rateLimited(let limit, _) = error { await client.wait(until: limit.retryAt) }
    }

    private func post(
        _ path: String,
        _ account: String,
        _ language: String,
        _ options: LoadOptions,
        _ client: FaultClients,
        _ results: FaultResults
    ) async -> BrowseError? {
        do throws(BrowseError) {
            let item = try await client.item(Self.postPath(path), method: .post, of: account, language, options).value
                .item
            if item.path != path { results.tally.complain("\(path) returned \(item.path)") }
            results.finish(path)
            return nil
        } catch {
            return error
        }
    }

    private static func postPath(_ path: String) -> EndpointPath { "/posts/\(String(path.dropFirst("/posts/".count)))" }

    private func get(
        _ key: FaultClients.Key,
        _ client: FaultClients,
        _ server: FaultServer,
        _ results: FaultResults
    ) async -> BrowseError? {
        let minimum = results.minimumVersion(of: key)
        do throws(BrowseError) {
            let path: EndpointPath = "/items/\(String(key.path.dropFirst("/items/".count)))"
            let loaded = try await client.item(path, of: key.account, key.language, key.options)
            let (item, link) = (loaded.value.item, loaded.value.link)
            let isRight =
                item.isConsistent && item.path == key.path && item.language == key.language
                && item.account == key.account
                && item.version <= server.version(of: key.path)
                && link == "<\(key.path)?version=\(item.version)>; rel=\"next\""
            if !isRight { results.tally.complain("\(key) returned \(item) and \(link)") }
            results.tally.count("from \("\(loaded.provenance)".prefix { $0 != " " && $0 != "(" })")
            switch loaded.provenance {
            case .fresh, .revalidated:
                if key.options.source == .cacheOnly { results.tally.complain("\(key) was sent") }
                // Fresh and revalidated versions never go back.
                if item.version < minimum { results.tally.complain("\(key) was \(item.version) after \(minimum)") }
                results.record(item.version, of: key)
            case .stale:
                if key.options.source != .cacheOnly { results.tally.complain("\(key) was stale") }
            case .offline:
                if key.options.source != .networkElseCache { results.tally.complain("\(key) was offline") }
            case .saved: results.tally.complain("\(key) was a saved copy")
            }
            return nil
        } catch {
            return error
        }
    }
}

/// The clients of two accounts, each with a `Container`, that share a cache, a gate, and a transport.
struct FaultClients: Sendable {
    /// The parameters of a read.
    struct Key: Hashable, Sendable {
        let path: String
        let account: String
        let language: String
        let options: LoadOptions

        init(_ path: String, _ account: String, _ language: String, _ options: LoadOptions) {
            (self.path, self.account, self.language, self.options) = (path, account, language, options)
        }
    }

    let cache: ResponseCache
    private let clients: [String: HTTPClient]
    private let clock: TestClock
    private let now: @Sendable () -> Date

    init(
        origin: String,
        folder: URL,
        transport: any HTTPTransport,
        clock: TestClock,
        now: @escaping @Sendable () -> Date
    ) throws {
        guard let baseURL = URL(string: origin) else { throw TestChild.WrongArguments() }
        let cache = ResponseCache(folder: folder, byteLimit: 1 << 20, now: now, clock: ImmediateClock())
        let service = HTTPClient.Service.gitHub(baseURL: baseURL, userAgent: "BrowseKit-Tests")
        let middleware = HTTPClient.SharedMiddleware(of: service, options: .init { ($0.now, $0.clock) = (now, clock) })
        self.cache = cache
        (self.clock, self.now) = (clock, now)
        clients = try Dictionary(
            uniqueKeysWithValues: ["a", "b"].map { account in
                var configuration = Configuration()
                // By the transport's real clock; only a stalled response reaches this limit.
                configuration.limits.duration = .seconds(2)
                configuration.retries = RetryPolicy(attempts: account == "a" ? 3 : 1, deadline: .seconds(100_000))
                configuration.now = now
                configuration.clock = clock
                configuration.gitHub.url = baseURL
                configuration.gitHub.token = try Secret("token-\(account)")
                let container = Container(configuration)
                container.transport.override { _ in transport }
                container.responseCache.override { _ in cache }
                container.gitHubMiddleware.override { _ in middleware }
                return (account, container.gitHubClient())
            }
        )
    }

    func wait(until date: Date) async {
        try? await clock.sleep(for: .seconds(max(0, date.timeIntervalSince(now()))))
    }

    func item(
        _ path: EndpointPath,
        method: HTTPMethod = .get,
        of account: String,
        _ language: String,
        _ options: LoadOptions
    ) async throws(BrowseError) -> Loaded<(item: FaultItem, link: String)> {
        let endpoint = Endpoint(
            method: method,
            .path(path),
            headers: ["Accept-Language": language],
            body: method == .post && language == "en" ? Data("{}".utf8) : nil
        ) { response in
            let item = try JSONDecoder().decode(FaultItem.self, from: response.body)
            return (item: item, link: response.headers["Link"] ?? "")
        }
        guard let client = clients[account] else { throw .cancelled }
        return try await options.load { () throws(BrowseError) in try await client.send(endpoint) }
    }
}

/// The results of a fault run.
final class FaultResults: Sendable {
    private struct State {
        var versions: [FaultClients.Key: Int] = [:]
        var posts: [String] = []
    }

    let tally = Tally()
    private let state = Mutex(State())

    var donePosts: [String] { state.withLock { $0.posts } }

    func finish(_ post: String) { state.withLock { $0.posts.append(post) } }
    func minimumVersion(of key: FaultClients.Key) -> Int { state.withLock { $0.versions[key, default: 0] } }

    func record(_ version: Int, of key: FaultClients.Key) {
        state.withLock { $0.versions[key] = max($0.versions[key, default: 0], version) }
    }
}
#endif
