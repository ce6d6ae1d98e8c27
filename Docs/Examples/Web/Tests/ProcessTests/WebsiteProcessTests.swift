import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import RedisStores
import TestServers
import Testing

/// Two processes of the website with one Redis server.
@Suite(.timeLimit(.minutes(10)))
struct `Two websites` {
    private let keys = WebsiteKeys()
    private let transport = HTTPClient.makeTransport()
    private let redis: RedisServer

    init() async throws {
        redis = try await RedisServer()
    }

    /// Signs a visitor in, at another process than those of the test.
    private func signIn(
        _ visitor: WebVisitor,
        _ token: String,
        as login: String = "octocat",
        at gitHub: GitHubServer,
        expiresIn seconds: TimeInterval = 28_800
    ) async throws {
        try await gitHub.issue(token, for: login)
        let stores = redis.stores(keys.tokens)
        try await stores.tokens(of: visitor.key, session: SessionName("GitHub", at: gitHub.url)).save(
            Credentials(
                token: try AccessToken(token),
                expiresAt: Date(timeIntervalSinceNow: seconds),
                refreshToken: try Secret(token + "-refresh")
            )
        )
    }

    @Test func `show a visitor's session and favorites on open pages of each other`() async throws {
        let gitHub = try GitHubServer()
        let (here, elsewhere) = (try await keys.start(redis, gitHub), try await keys.start(redis, gitHub))
        let visitor = WebVisitor(keys, transport)
        let account = try await visitor.open("/account", at: elsewhere)
        #expect(!account.text.contains("octocat"))
        let accountEvents = try visitor.events(of: account)
        try await signIn(visitor, "first", at: gitHub)
        try await accountEvents.line { $0.contains("octocat") }

        let repos = try await visitor.open("/github/users/octocat/repos", at: here)
        let repo = try #require(repos.rows.first)
        let otherRepos = try await visitor.open("/github/users/octocat/repos", at: elsewhere)
        #expect(otherRepos.offers("star on \(repo)"))
        let repoEvents = try visitor.events(of: otherRepos)
        #expect(try await visitor.press("star on \(repo)", on: repos).offers("star off \(repo)"))
        try await repoEvents.line { $0.contains("star off \(repo)\\\"") }

        let favorites = try await visitor.open("/favorites", at: elsewhere)
        #expect(favorites.rows.isEmpty)
        let favoriteEvents = try visitor.events(of: favorites)
        #expect(try await visitor.press("favorite on \(repo)", on: repos).offers("favorite off \(repo)"))
        try await favoriteEvents.line { $0.contains("favorite off") }
        try await repoEvents.line { $0.contains("favorite off \(repo)\\\"") }
        #expect(try await visitor.open("/favorites", at: elsewhere).rows.count == 1)

        // A visitor of the same processes sees none of it.
        let stranger = WebVisitor(keys, transport)
        #expect(try await stranger.open("/favorites", at: here).rows.isEmpty)
        #expect(try await !stranger.open("/account", at: here).text.contains("octocat"))
    }

    @Test func `revoke the token of a visitor who signs out`() async throws {
        let gitHub = try GitHubServer()
        let site = try await keys.start(redis, gitHub)
        let visitor = WebVisitor(keys, transport)
        try await signIn(visitor, "first", at: gitHub)
        let account = try await visitor.open("/account", at: site)
        #expect(account.text.contains("octocat") && gitHub.count("revoked") == 0)
        let question = try await visitor.press("ask-to-sign-out", on: account)
        _ = try await visitor.send("sign-out", on: question, at: site)
        try await eventually { gitHub.count("revoked") > 0 }
        #expect(gitHub.count("revoked") == 1)
        #expect(try await redis.run("hexists", "browsekit:visitor:\(visitor.key)", "token").hasPrefix("0"))
    }

    @Test func `have a visitor's favorites after a restart, with the configuration of Deploy`() async throws {
        let gitHub = try GitHubServer()
        let durable = try await RedisServer(options: deployedOptions("redis-durable.conf"))
        let visitor = WebVisitor(keys, transport)
        do {
            let site = try await keys.start(durable, gitHub)
            let page = try await visitor.open("/github/users/user-1", at: site)
            #expect(try await visitor.press("favorite on ", on: page).offers("favorite off "))
        }
        let fresh = try await keys.start(durable, gitHub)
        #expect(try await visitor.open("/favorites", at: fresh).rows.count == 1)
    }

    /// The options of `redis-server` in a file of Deploy, besides its address and its folder.
    private func deployedOptions(_ name: String) throws -> [String] {
        // This file is in Tests/ProcessTests.
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let text = try String(contentsOf: package.appending(path: "Deploy/" + name), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ") }
        return lines.filter { !["port", "bind", "dir"].contains($0[0]) }.flatMap { words in
            ["--" + words[0]] + words.dropFirst().map { $0.filter { $0 != "\"" } }
        }
    }

    @Test(arguments: [
        (["--maxmemory-policy", "volatile-lru"], "volatile-lru"), (["--appendonly", "no"], "append-only"),
    ])
    func `refuse a durable server that evicts, and report one that can lose data`(_ options: [String], _ text: String)
        async throws
    {
        let unsuitable = try await RedisServer(options: options)
        let folder = FileManager.default.temporaryDirectory.appending(path: "website-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = ["WEB_DATA": folder.path(percentEncoded: false)]
        let process = try keys.spawn(unsuitable, data, mergesErrors: true)
        let line = try await process.line { $0.contains("Redis server") || $0.hasPrefix("http://") }
        #expect(line.contains(text))
        guard text == "volatile-lru" else { return }
        // It has ended, and printed no address.
        #expect(await process.finished().allSatisfy { !$0.hasPrefix("http://") })
    }

    @Test(arguments: 0..<3)
    func `lose no confirmed favorite when one is killed during writes`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let gitHub = try GitHubServer()
        let (victim, other) = (try await keys.start(redis, gitHub), try await keys.start(redis, gitHub))
        let visitor = WebVisitor(keys, transport)
        let followers = try await visitor.open("/github/users/octocat/followers", at: victim)
        #expect(followers.rows.count >= 40)
        let open = try await visitor.open("/favorites", at: other)
        let events = try visitor.events(of: open)
        let confirmed = Monitor<Set<String>>([])
        let enough = Int.random(in: 1..<30, using: &random)
        await withTaskGroup { group in
            for start in 0..<4 {
                group.addTask { [visitor] in
                    for row in followers.rows[start...].enumerated() where row.offset.isMultiple(of: 4) {
                        let page = try? await visitor.press("favorite on \(row.element)", on: followers)
                        guard let page, page.offers("favorite off \(row.element)"), !page.hasNotice else { return }
                        confirmed.withLock { _ = $0.insert(row.element) }
                    }
                }
            }
            await confirmed.wait { $0.count >= enough }
            victim.kill()
        }
        let stored = try await storedFavorites(of: visitor)
        #expect(confirmed.value.isSubset(of: stored))
        // One more in each task may have been stored without a confirmation.
        #expect(stored.count <= confirmed.value.count + 4)
        // The visitor goes on with the other process, on the page that's open there too.
        let next = try await visitor.open("/github/users/octocat/followers", at: other)
        let last = try #require(next.rows.first { !stored.contains($0) })
        #expect(stored.allSatisfy { next.offers("favorite off \($0)") })
        let before = events.lines.count
        try await visitor.press("favorite on \(last)", on: next)
        try await events.line(from: before) { $0.contains("favorite off") }
        #expect(try await visitor.open("/favorites", at: other).rows.count == stored.count + 1)
    }

    private func storedFavorites(of visitor: WebVisitor) async throws -> Set<String> {
        let favorites = RedisFavoriteRepository(redis.client(), visitor: visitor.key)
        return Set(try await favorites.ids().map(\.key))
    }

    @Test func `refresh a token once`() async throws {
        let gitHub = try GitHubServer()
        let sites = [try await keys.start(redis, gitHub), try await keys.start(redis, gitHub)]
        let visitor = WebVisitor(keys, transport)
        try await signIn(visitor, "first", at: gitHub, expiresIn: -1)
        gitHub.hold(.delayed)
        // Both processes read the expired token; one sends the refresh, and the other waits for the lock.
        let pages = try await withThrowingTaskGroup(of: WebPage.self) { group in
            for site in sites { group.addTask { try await visitor.open("/account", at: site, isComplete: false) } }
            await gitHub.wait(for: "held")
            try await redis.waitForLockAttempts(of: visitor, 3) { gitHub.count("refreshed") > 0 }
            gitHub.hold(nil)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for page in pages {
            if !page.text.contains("octocat") { try await visitor.events(of: page).line { $0.contains("octocat") } }
        }
        #expect(gitHub.count("refreshed") == 1)
        #expect(gitHub.count("rejected") == 0)
    }

    @Test func `continue a session when one loses its lease during a refresh`() async throws {
        let gitHub = try GitHubServer()
        let (suspended, other) = (
            try await keys.start(redis, gitHub), try await keys.start(redis, gitHub)
        )
        let visitor = WebVisitor(keys, transport)
        try await signIn(visitor, "first", at: gitHub, expiresIn: -1)
        gitHub.hold(.delayed)
        async let opening = visitor.open("/account", at: suspended, isComplete: false)
        await gitHub.wait(for: "held")
        // As if it had been suspended for longer than its lease, while the other refreshes the token.
        try await redis.expireLock(of: visitor)
        #expect(try await visitor.open("/account", at: other).text.contains("octocat"))
        gitHub.hold(nil)
        // GitHub refuses its refresh token, so it uses the newer token in the store.
        await gitHub.wait(for: "rejected")
        let page = try await opening
        if !page.text.contains("octocat") { try await visitor.events(of: page).line { $0.contains("octocat") } }
        #expect(try await visitor.open("/account", at: other).text.contains("octocat"))
        #expect(gitHub.count("refreshed") == 1)
    }

    @Test func `continue a session when one is killed before GitHub has received its refresh`() async throws {
        let gitHub = try GitHubServer()
        let (victim, other) = (try await keys.start(redis, gitHub), try await keys.start(redis, gitHub))
        let visitor = WebVisitor(keys, transport)
        try await signIn(visitor, "first", at: gitHub, expiresIn: -1)
        try await kill(victim, duringRefreshOf: visitor, .beforeExchange, gitHub)
        async let opening = visitor.open("/account", at: other, isComplete: false)
        try await redis.waitForLockAttempts(of: visitor, 1) { gitHub.count("refreshed") > 0 }
        try await redis.expireLock(of: visitor)
        let page = try await opening
        if !page.text.contains("octocat") { try await visitor.events(of: page).line { $0.contains("octocat") } }
        #expect(gitHub.count("refreshed") == 1)
        #expect(gitHub.count("rejected") == 0)
    }

    @Test func `lose a session, but no favorite, when one is killed with GitHub's only response`() async throws {
        let gitHub = try GitHubServer()
        let (victim, other) = (try await keys.start(redis, gitHub), try await keys.start(redis, gitHub))
        let visitor = WebVisitor(keys, transport)
        // The process that knows the visitor refreshes the token as soon as it's stored.
        let repos = try await visitor.open("/github/users/octocat/repos", at: victim)
        try await visitor.press("favorite on \(try #require(repos.rows.first))", on: repos)
        gitHub.hold(.afterExchange)
        try await signIn(visitor, "first", at: gitHub, expiresIn: -1)
        try await kill(victim, duringRefreshOf: visitor, .afterExchange, gitHub)
        async let opening = visitor.open("/account", at: other, isComplete: false)
        try await redis.waitForLockAttempts(of: visitor, 1) { gitHub.count("rejected") > 0 }
        try await redis.expireLock(of: visitor)
        // The refresh token is used up, so the visitor must sign in again.
        await gitHub.wait(for: "rejected")
        let page = try await opening
        let events = try visitor.events(of: page)
        if !page.text.contains("/sign-in") { try await events.line { $0.contains("/sign-in") } }
        #expect(try await visitor.open("/favorites", at: other).rows.count == 1)
        let before = events.lines.count
        try await signIn(visitor, "second", at: gitHub)
        try await events.line(from: before) { $0.contains("octocat") }
    }

    /// Kills a process while it refreshes a visitor's token.
    private func kill(
        _ site: Website,
        duringRefreshOf visitor: WebVisitor,
        _ hold: GitHubServer.RefreshHold,
        _ gitHub: GitHubServer
    ) async throws {
        gitHub.hold(hold)
        let task = Task { try await visitor.open("/account", at: site, isComplete: false) }
        await gitHub.wait(for: "held")
        site.kill()
        _ = await task.result
        gitHub.hold(nil)
        // The killed process still has its lease.
        #expect(try await redis.run("exists", "browsekit:refresh:\(visitor.key)").hasPrefix("1"))
    }

    @Test func `stop at a limit of 60 requests that they share, with 1,000 visitors`() async throws {
        let gitHub = try GitHubServer(limit: 60)
        let sites = [try await keys.start(redis, gitHub), try await keys.start(redis, gitHub)]
        let statuses = try await withThrowingTaskGroup(of: [String: Int].self) { group in
            for start in 0..<20 {
                group.addTask {
                    var statuses: [String: Int] = [:]
                    for number in stride(from: start, to: 1_000, by: 20) {
                        // Each visitor wants another page.
                        let visitor = WebVisitor(keys, transport)
                        let page = try await visitor.open("/github/users/user-\(number)", at: sites[number % 2])
                        statuses["\(page.status) \(page.contentStatus)", default: 0] += 1
                    }
                    return statuses
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        // Each response has the remaining count of both, so only requests that are in flight then can be refused.
        #expect(gitHub.count("refused") <= 20)
        #expect(gitHub.count("accepted") == 60)
        #expect(statuses["200 ready"] == gitHub.count("accepted"), "\(statuses)")
        #expect(statuses["200 failed"] == 1_000 - gitHub.count("accepted"), "\(statuses)")
        // The browser counts down to the end of the limit.
        let page = try await WebVisitor(keys, transport).open("/github/users/user-1000", at: sites[0])
        #expect(page.text.contains("data-until=\""))
    }

    @Test func `show pages from the network while Redis is away, and everything afterward`() async throws {
        let gitHub = try GitHubServer()
        let (here, elsewhere) = (try await keys.start(redis, gitHub), try await keys.start(redis, gitHub))
        let visitor = WebVisitor(keys, transport)
        let newcomer = WebVisitor(keys, transport)
        try await signIn(visitor, "first", at: gitHub)
        let repos = try await visitor.open("/github/users/octocat/repos", at: here)
        #expect(repos.rows.count >= 2)
        try await visitor.press("favorite on \(repos.rows[0])", on: repos)
        #expect(try await visitor.open("/account", at: here).text.contains("octocat"))
        let favorites = try await visitor.open("/favorites", at: elsewhere)
        let favoriteEvents = try visitor.events(of: favorites)

        redis.stop()
        for (number, site) in [here, elsewhere].enumerated() {
            // Cached or not, by visitors that a process knows or doesn't know.
            #expect(try await newcomer.open("/github/users/user-\(number)", at: site).contentStatus == "ready")
            #expect(try await visitor.open("/github/users/octocat/repos", at: site).rows == repos.rows)
        }
        #expect(try await visitor.open("/account", at: here).text.contains("octocat"))
        // A notice, and the mark isn't set.
        let refused = try await visitor.press("favorite on \(repos.rows[1])", on: repos)
        #expect(refused.hasNotice)
        #expect(refused.offers("favorite on \(repos.rows[1])"))

        try await redis.start()
        // What was stored is there, and changes are stored and reported again.
        try await eventually { try await visitor.open("/favorites", at: here).rows.count == 1 }
        let again = try await visitor.open("/github/users/octocat/repos", at: here)
        #expect(again.offers("favorite off \(repos.rows[0])"))
        let before = favoriteEvents.lines.count
        try await visitor.press("favorite on \(repos.rows[1])", on: again)
        try await favoriteEvents.line(from: before) { $0.contains("favorite off") }
        // A process that has just started has all of it.
        let fresh = try await keys.start(redis, gitHub)
        try await eventually { try await visitor.open("/account", at: fresh).text.contains("octocat") }
        try await eventually { try await visitor.open("/favorites", at: fresh).rows.count == 2 }
    }
}

extension RedisServer {
    /// Waits until a process has tried a number of times to take the refresh lock that another one has.
    ///
    /// - Parameter isTaken: Whether it has taken the lock, so that it doesn't try again.
    fileprivate func waitForLockAttempts(of visitor: WebVisitor, _ count: Int, orUntil isTaken: () -> Bool) async throws
    {
        #expect(try await run("exists", "browsekit:refresh:\(visitor.key)").hasPrefix("1"))
        func calls() async throws -> Int {
            let start = "cmdstat_set:calls="
            let line = try await run("info", "commandstats").split(whereSeparator: \.isNewline).first {
                $0.hasPrefix(start)
            }
            return line.flatMap { Int($0.dropFirst(start.count).prefix { $0 != "," }) } ?? 0
        }
        let first = try await calls()
        try await eventually {
            if isTaken() { return true }
            return try await calls() >= first + count
        }
    }

    /// Ends the lease of a killed process, as half a minute does.
    fileprivate func expireLock(of visitor: WebVisitor) async throws {
        try await run("del", "browsekit:refresh:\(visitor.key)")
    }
}
