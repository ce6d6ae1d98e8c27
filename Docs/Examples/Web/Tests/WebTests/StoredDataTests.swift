import BrowseKit
import BrowseMocks
import Crypto
import Foundation
import RedisStores
import ServerStores
import Testing
import TestServers
import WebSupport

@testable import WebApp
@testable import WebServer

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

    @Test("A cookie in the second half of its time is renewed, and only then")
    func renewal() async throws {
        let configuration = SiteConfiguration()
        try await RunningSite.run(configuration) { running in
            let (site, browser) = (running.site, TestBrowser(running))
            let id = VisitorID()
            func cookie(days: Double) -> String {
                String(site.cookie.setting(id, at: Date(timeIntervalSinceNow: -days * 86_400)).prefix { $0 != ";" })
            }
            browser.cookie = cookie(days: 10)
            let page = try await browser.open("/users?q=octocat")
            #expect(page.response.field("Set-Cookie") == nil)
            _ = try await browser.press("favorite on 583231", on: page)
            browser.cookie = cookie(days: 16)
            #expect(try await browser.open("/favorites").response.field("Set-Cookie") != nil)
            #expect(site.cookie.visitor(in: [browser.cookie])?.id == id)
            #expect(site.cookie.visitor(in: [browser.cookie], at: Date(timeIntervalSinceNow: 20 * 86_400)) != nil)
            #expect(try await browser.open("/favorites").response.field("Set-Cookie") == nil)
            #expect(try await browser.open("/favorites").response.body.contains("user/583231"))
        }
    }

    /// Runs a site on fixtures with stores in Redis.
    private func withRedis(
        _ durable: RedisServer,
        _ cache: RedisServer,
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (RunningSite) async throws -> Void
    ) async throws {
        let redis = RedisStores(
            durable: RedisClient(durable.address),
            cache: RedisClient(cache.address),
            secret: SymmetricKey(size: .bits256)
        )
        var configuration = SiteConfiguration(stores: .redis(redis), clock: clock)
        configuration.limits.visitorsPerAddress = RequestRate(burst: 100_000, perSecond: 1)
        try await RunningSite.run(configuration, body)
    }

    @Test("Page views of visitors who store nothing leave no keys, and write nothing")
    func noKeys() async throws {
        let (durable, cache) = (try await RedisServer(), try await RedisServer())
        try await withRedis(durable, cache) { running in
            for _ in 0..<100 { #expect(try await TestBrowser(running).open("/sign-in").response.status == 200) }
            let browser = TestBrowser(running)
            for _ in 0..<20 { #expect(try await browser.open("/users?q=octocat").response.status == 200) }
            #expect(try await durable.keyCount() == 0)
            let page = try await browser.open("/users?q=octocat")
            _ = try await browser.press("favorite on 583231", on: page)
            #expect(try await durable.keyCount() == 6)
            try await durable.run("config", "resetstat")
            for _ in 0..<20 { #expect(try await browser.open("/favorites").response.body.contains("user/583231")) }
            let commands = try await durable.run("info", "commandstats")
            for name in ["set", "pexpire", "expire", "hset", "zadd", "del"] {
                #expect(!commands.contains("cmdstat_\(name):"), "\(name)")
            }
        }
    }

    @Test("While Redis hangs, the site shows what it can, isn't ready, and logs one line a minute")
    func hanging() async throws {
        let (durable, cache) = (try await RedisServer(), try await RedisServer())
        try await withRedis(durable, cache) { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            _ = try await browser.press("favorite on 583231", on: page)
            durable.suspend()
            cache.suspend()
            let start = ContinuousClock.now
            for _ in 0..<20 {
                #expect(try await browser.open("/users?q=octocat").response.body.contains("octocat"))
                #expect(try await TestBrowser(running).open("/characters").response.status == 200)
            }
            // Before, each page waited for two to three seconds.
            #expect(start.duration(to: .now) < .seconds(40))
            #expect(try await browser.send("GET", "/health").status == 200)
            let ready = try await browser.send("GET", "/ready")
            #expect(ready.status == 503 && ready.body == "Not ready: cache, durable\n")
            #expect(running.site.metrics.text.contains(#/browse_durable_failures_total [1-9]/#))
            durable.suspend(false)
            cache.suspend(false)
            try await eventually { try await browser.send("GET", "/ready").status == 200 }
            try await eventually { try await browser.open("/favorites").response.body.contains("user/583231") }
        }
    }
}
