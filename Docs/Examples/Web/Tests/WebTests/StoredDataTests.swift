import BrowseData
import BrowseKit
import BrowseMocks
import Crypto
import Foundation
import RedisStores
import ServerStores
import Testing
import TestServers

@testable import WebApp

@Suite("Stored data", .timeLimit(.minutes(10)))
struct StoredDataTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "stored-\(UUID().uuidString)")

    private func files() throws -> [String] {
        (try? FileManager.default.subpathsOfDirectory(atPath: folder.path())) ?? []
    }

    @Test("Visitors who store nothing leave no files, and those who do return to them")
    func nothingInFiles() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await RunningSite.run(SiteConfiguration(stores: .files(in: folder))) { running in
            for _ in 0..<20 {
                #expect(try await TestBrowser(running).open("/users?q=octocat").response.status == 200)
                #expect(try await TestBrowser(running).open("/sign-in").response.status == 200)
            }
            #expect(try files() == [])
            let browser = TestBrowser(running)
            _ = try await browser.press("favorite on 583231", on: browser.open("/users?q=octocat"))
            #expect(try !files().isEmpty)
        }
    }

    /// peeringdb/peeringdb#1213
    @Test("Following the favorites of other processes leaves no files, and reports the first one")
    func nothingByFollowing() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await RunningSite.run(SiteConfiguration(stores: .files(in: folder))) { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            let key = try #require(running.site.visitors.values.first).id.key
            // As in another process.
            let favorites = SQLiteFavoriteRepository(folder: folder.appending(path: key))
            var changes = favorites.changes.makeAsyncIterator()
            await favorites.reportExternalChanges()
            #expect(try files() == [])
            #expect(try await browser.press("favorite on 583231", on: page).status == 200)
            await favorites.reportExternalChanges()
            #expect(await changes.next() != nil)
        }
    }

    @Test("The next page follows a session that another process has ended or begun in the same files")
    func sessionOfAnotherProcess() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await RunningSite.run(SiteConfiguration(stores: .files(in: folder))) { running in
            let browser = TestBrowser(running)
            func showsRows() async throws -> Bool {
                try await browser.open("/github/repos").response.body.contains("data-row=")
            }
            try await browser.signIn(as: "octocat")
            #expect(try await showsRows())
            let key = try #require(running.site.visitors.values.first).id.key
            let server = running.site.services.container.configuration.gitHub.url
            let store = FileTokenStore(
                folder: folder.appending(path: key),
                name: SessionName(GitHubSettings.name, at: server)
            )
            let credentials = try #require(try await store.load())
            try await store.delete()
            #expect(try await !showsRows())
            try await store.save(credentials)
            // The list starts over when the session is ready. Until then, the page says that it's loading.
            try await eventually { try await showsRows() }
        }
    }

    @Test("The folder of a visitor is deleted 32 days after the last visit, and not before")
    func expiredFiles() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await RunningSite.run(SiteConfiguration(stores: .files(in: folder))) { running in
            let browser = TestBrowser(running)
            _ = try await browser.press("favorite on 583231", on: browser.open("/users?q=octocat"))
            let key = try #require(running.site.visitors.values.first).id.key
            let path = folder.appending(path: key).path()
            let ids = try #require(running.site.configuration.stores.ids)
            func setAge(_ days: Double) throws {
                let date = Date(timeIntervalSinceNow: -days * 86_400)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            }
            try setAge(31)
            try await ids.deleteExpired()
            #expect(try await browser.open("/favorites").response.body.contains("user/583231"))
            // The visit has changed the date.
            let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            #expect(try #require(date).timeIntervalSinceNow > -60)
            try setAge(33)
            try await ids.deleteExpired()
            #expect(try files().isEmpty)
        }
    }

    @Test("A code that couldn't be stored for other processes stays until the person has typed it")
    func unstoredCode() async throws {
        let stores = SiteStores { _ in
            let user = UserStores(favorites: InMemoryFavoriteRepository()) { _ in InMemoryTokenStore(nil) }
            return VisitorStores(user: user, signIn: UnwritableValue())
        }
        // Nothing advances the clock of the polls.
        try await RunningSite.run(SiteConfiguration(stores: stores, clock: TestClock())) { running in
            let browser = TestBrowser(running)
            _ = try await browser.press("sign-in-by-code", on: browser.open("/sign-in"))
            let code = try #require(try await browser.open("/sign-in").code)
            #expect(try await browser.open("/sign-in").code == code)
        }
    }

    @Test("The folder of a sign-in that was only started is deleted after an hour")
    func startedSignIn() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await RunningSite.run(SiteConfiguration(stores: .files(in: folder))) { running in
            let (browser, other) = (TestBrowser(running), TestBrowser(running))
            _ = try await browser.press("sign-in-by-browser", on: browser.open("/sign-in"))
            _ = try await other.press("favorite on 583231", on: other.open("/users?q=octocat"))
            let ids = try #require(running.site.configuration.stores.ids)
            func folders() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path()) }
            let all = try folders()
            #expect(all.count == 2)
            for (hours, count) in [(0.5, 2), (1.5, 1)] {
                for name in all {
                    let path = folder.appending(path: name).path()
                    let date = Date(timeIntervalSinceNow: -hours * 3_600)
                    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
                }
                try await ids.deleteExpired()
                #expect(try folders().count == count)
            }
            #expect(try await other.open("/favorites").response.body.contains("user/583231"))
        }
    }

    @Test("An id that can't be read isn't one that was never replaced")
    func unreadableID() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let ids = FileVisitorIDs(folder: folder)
        #expect(try await ids.current(of: "mona") == nil)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "mona/id"),
            withIntermediateDirectories: true
        )
        await #expect(throws: (any Error).self) { try await ids.current(of: "mona") }
        #expect(try await ids.current(of: "hubot") == nil)
    }

    @Test("A cookie in the second half of its time is renewed, and only then")
    func renewal() async throws {
        let configuration = SiteConfiguration()
        try await RunningSite.run(configuration) { running in
            let (site, browser) = (running.site, TestBrowser(running))
            let id = VisitorID()
            func cookie(days: Double) -> String {
                "visitor=" + site.visitorCookie.value(of: id, at: Date(timeIntervalSinceNow: -days * 86_400))
            }
            browser.cookie = cookie(days: 10)
            let page = try await browser.open("/users?q=octocat")
            #expect(page.response.field("Set-Cookie") == nil)
            _ = try await browser.press("favorite on 583231", on: page)
            browser.cookie = cookie(days: 16)
            #expect(try await browser.open("/favorites").response.field("Set-Cookie") != nil)
            #expect(site.visitorCookie.visitor(in: browser.cookieValue)?.id == id)
            let later = Date(timeIntervalSinceNow: 20 * 86_400)
            #expect(site.visitorCookie.visitor(in: browser.cookieValue, at: later) != nil)
            #expect(try await browser.open("/favorites").response.field("Set-Cookie") == nil)
            #expect(try await browser.open("/favorites").response.body.contains("user/583231"))
        }
    }

    /// Runs a site on fixtures with stores in Redis.
    private func withRedis(
        _ durable: RedisServer,
        visitors: Int = 5_000,
        _ body: (RunningSite) async throws -> Void
    ) async throws {
        let redis = RedisStores(durable: RedisClient(durable.address), secret: SymmetricKey(size: .bits256))
        var configuration = SiteConfiguration(stores: .redis(redis))
        configuration.limits.visitors = visitors
        try await RunningSite.run(configuration, body)
    }

    @Test("Page views of visitors who store nothing leave no keys, and write nothing")
    func noKeys() async throws {
        let durable = try await RedisServer()
        try await withRedis(durable) { running in
            for _ in 0..<100 { #expect(try await TestBrowser(running).open("/sign-in").response.status == 200) }
            let browser = TestBrowser(running)
            for _ in 0..<20 { #expect(try await browser.open("/users?q=octocat").response.status == 200) }
            #expect(try await durable.keyCount() == 0)
            let page = try await browser.open("/users?q=octocat")
            _ = try await browser.press("favorite on 583231", on: page)
            #expect(try await durable.keyCount() == 1)
            try await durable.run("config", "resetstat")
            for _ in 0..<20 { #expect(try await browser.open("/favorites").response.body.contains("user/583231")) }
            let commands = try await durable.run("info", "commandstats")
            for name in ["set", "pexpire", "expire", "hset", "zadd", "del"] {
                #expect(!commands.contains("cmdstat_\(name):"), "\(name)")
            }
        }
    }

    @Test("10,000 visitors leave no keys, and a started sign-in leaves some for an hour")
    func manyVisitors() async throws {
        let durable = try await RedisServer()
        try await withRedis(durable, visitors: 100) { running in
            let site = running.site
            for number in 0..<10_000 {
                let visitor = await site.visitor(VisitorID())
                guard number.isMultiple(of: 100) else { continue }
                for path in ["favorites", "account", "sign-in"] {
                    #expect(await site.openPage(RandomID.make(), at: PageAddress(path: path), for: visitor) != nil)
                }
            }
            #expect(try await durable.keyCount() == 0)
            let browser = TestBrowser(running)
            _ = try await browser.press("sign-in-by-browser", on: browser.open("/sign-in"))
            let keys = try await durable.run("keys", "*").split(separator: "\n")
            #expect(keys.count == 2)
            for key in keys {
                let rest = Int(try await durable.run("ttl", String(key)).filter(\.isNumber)) ?? 0
                #expect((1...3_600).contains(rest), "\(key)")
            }
        }
    }

    @Test("While Redis hangs, a visitor whom the process doesn't know loses nothing, and nothing seems to be stored")
    func hangingUnknown() async throws {
        let durable = try await RedisServer()
        try await withRedis(durable) { running in
            let (site, browser, id) = (running.site, TestBrowser(running), VisitorID())
            let date = Date(timeIntervalSinceNow: -16 * 86_400)
            let aging = "visitor=" + site.visitorCookie.value(of: id, at: date)
            browser.cookie = aging
            _ = try await browser.press("favorite on 583231", on: browser.open("/users?q=octocat"))
            // As after a restart, with the cookie that isn't renewed yet.
            site.visitors.removeAll()
            browser.cookie = aging
            durable.suspend()
            for _ in 0..<3 {
                let page = try await browser.open("/users?q=octocat")
                #expect(page.response.status == 200 && page.response.field("Set-Cookie") == nil)
                let accept = ["Accept": "text/html"]
                for action in ["favorite on 583231", "more"] {
                    #expect(try await browser.press(action, on: page).status == 503)
                    let form = ["csrf": page.token, "page": page.id, "address": page.address, "do": action]
                    #expect(try await browser.post(form, accept).body.contains("<h1>"))
                }
                let signIn = try await browser.open("/sign-in")
                #expect(try await browser.press("sign-in-by-browser", on: signIn).status == 503)
                #expect(try await browser.send("GET", "/sign-in/callback?code=a&state=b").status == 503)
                try await browser.stream(page) { stream in
                    let head = try await stream.read(until: "\r\n")
                    #expect(head.contains("503"))
                }
            }
            #expect(browser.cookie == aging)
            // A new visitor has stores of the own cookie, though nothing can be stored yet.
            let newcomer = TestBrowser(running)
            let page = try await newcomer.open("/users?q=octocat")
            #expect(try await newcomer.press("more", on: page).status == 200)
            durable.suspend(false)
            try await eventually { try await browser.open("/favorites").response.body.contains("user/583231") }
            #expect(browser.cookie != aging && site.visitorCookie.visitor(in: browser.cookieValue)?.id == id)
            try await eventually { try await newcomer.press("favorite on 583231", on: page).status == 200 }
            #expect(try await newcomer.open("/favorites").response.body.contains("user/583231"))
        }
    }

    @Test("If Redis hangs while the cookie is replaced, the visitor keeps the favorites and the session")
    func hangingReplacement() async throws {
        let durable = try await RedisServer()
        try await withRedis(durable) { running in
            let browser = TestBrowser(running)
            try await browser.signIn(as: "octocat")
            _ = try await browser.press("favorite on 583231", on: browser.open("/users?q=octocat"))
            let account = try await browser.open("/account")
            _ = try await browser.press("ask-to-sign-out", on: account)
            let cookie = browser.cookie
            durable.suspend()
            #expect(try await browser.press("sign-out", on: account).status == 503)
            #expect(browser.cookie == cookie)
            // It performs the commands that it has received.
            durable.suspend(false)
            try await eventually { try await browser.open("/favorites").response.body.contains("user/583231") }
            #expect(try await browser.open("/account").response.body.contains("octocat"))
            try await eventually { try await browser.press("sign-out", on: browser.open("/account")).status == 200 }
            #expect(browser.cookie != cookie)
            #expect(try await browser.open("/favorites").response.body.contains("user/583231"))
        }
    }

    @Test("While Redis hangs, the site shows what it can without waiting, and isn't ready")
    func hanging() async throws {
        let durable = try await RedisServer()
        try await withRedis(durable) { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            _ = try await browser.press("favorite on 583231", on: page)
            func openPages() async throws -> Duration {
                let start = ContinuousClock.now
                for _ in 0..<20 {
                    #expect(try await browser.open("/users?q=octocat").response.body.contains("octocat"))
                    #expect(try await TestBrowser(running).open("/characters").response.status == 200)
                }
                return start.duration(to: .now)
            }
            let usual = try await openPages()
            durable.suspend()
            // If each page waited for Redis, they would take over a minute longer, also on a busy machine.
            #expect(try await openPages() < usual * 2 + .seconds(30))
            #expect(try await browser.send("GET", "/health").status == 200)
            let ready = try await browser.send("GET", "/ready")
            #expect(ready.status == 503 && ready.body == "The stores can't be used\n")
            durable.suspend(false)
            try await eventually { try await browser.send("GET", "/ready").status == 200 }
            try await eventually { try await browser.open("/favorites").response.body.contains("user/583231") }
        }
    }
}

/// A value that can be read, but not written.
private struct UnwritableValue: VisitorValueStore {
    func load() -> PendingSignIn? { nil }
    func take() -> PendingSignIn? { nil }
    func save(_ value: PendingSignIn?) throws {
        throw BrowseError.storageFailed(StorageFailure(reason: .full, file: "Redis"))
    }
}
