import BrowseKit
import BrowseMocks
import Foundation
import Logging
import TestServers
import Testing

@testable import WebApp

@Suite("Lifetimes")
struct LifetimeTests {
    @Test("A page without a stream is released after a minute; a page with one stays")
    func pages() {
        let pages = Registry<String, Probe>(countLimit: 10, tickLimit: 6)
        weak var released: Probe?
        do {
            let probe = Probe()
            released = probe
            _ = pages.value(for: "a") { probe }
        }
        _ = pages.value(for: "b") { Probe() }
        pages.use("b", 1)
        for _ in 0..<6 { pages.tick() }
        #expect(released != nil)
        pages.tick()
        #expect(released == nil)
        #expect(pages.count == 1)
        pages.use("b", -1)
        for _ in 0..<7 { pages.tick() }
        #expect(pages.count == 0)
    }

    @Test("A full registry removes the value that was used longest ago, but not one in use")
    func full() {
        let registry = Registry<Int, Probe>(countLimit: 3, tickLimit: 6)
        for key in 0..<3 { _ = registry.value(for: key) { Probe() } }
        registry.use(0, 1)
        _ = registry.value(for: 1)
        _ = registry.value(for: 3) { Probe() }
        #expect(registry.value(for: 0) != nil)
        #expect(registry.value(for: 1) != nil)
        #expect(registry.value(for: 2) == nil)
        #expect(registry.count == 3)
    }

    @Test("If the site has too many pages, the visitor with the most loses the one that was used longest ago")
    func pageLimit() async throws {
        var configuration = SiteConfiguration()
        configuration.limits.pages = 4
        try await withSite(configuration) { site, client in
            let (one, many) = (Browser(client), Browser(client))
            _ = try await one.open("/users")
            let first = try await many.open("/users")
            for _ in 0..<6 { _ = try await many.open("/users") }
            #expect(site.visitors.values.map(\.pages.count).sorted() == [1, 3])
            let id = first.matches(/data-page="([^"]*)"/).first ?? ""
            #expect(site.visitors.values.allSatisfy { $0.pages.value(for: id) == nil })
        }
    }

    @Test("A visitor who is forgotten releases their pages and stores", .timeLimit(.minutes(1)))
    func visitor() async throws {
        let site = Site()
        site.start(at: try #require(URL(string: Browser.origin)))
        weak var session: VisitorSession?
        do {
            let visitor = await site.visitor(VisitorID())
            session = visitor.session
            _ = visitor.session.container(in: .english).favoriteRepository()
            _ = visitor.session.container(in: .korean).gitHubSession()
            for path in ["users", "account", "sign-in", "favorites"] {
                #expect(await site.openPage(RandomID.make(), at: PageAddress(path: path), for: visitor) != nil)
            }
        }
        // As when the site has too many visitors, before their pages are released.
        site.visitors.removeAll()
        #expect(site.visitors.count == 0)
        // What the pages have started ends.
        try await eventually { session == nil }
    }

    @Test("A visitor who is at GitHub for longer than a visitor without pages stays can finish signing in")
    func signingIn() async throws {
        try await RunningSite.run { running in
            func leave() async {
                for _ in 0...running.site.configuration.limits.visitorTicks { await running.site.sweep() }
            }
            let browser = TestBrowser(running)
            let page = try await browser.startSignIn()
            await leave()
            let callback = try await browser.callback(from: page, as: "octocat")
            await leave()
            #expect(try await browser.send("GET", callback).field("Location") == "/account")
            await leave()
            #expect(running.site.visitors.count == 0)
        }
    }

    @Test("Requests that open a page at once get the same one")
    func samePage() async throws {
        let site = Site()
        site.start(at: try #require(URL(string: Browser.origin)))
        let (visitor, id) = (await site.visitor(VisitorID()), RandomID.make())
        let pages = await withTaskGroup(of: ObjectIdentifier?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let open = await site.openPage(id, at: PageAddress(path: "users"), for: visitor)
                    return open.map(ObjectIdentifier.init)
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(pages.count == 1)
        #expect(pages == [visitor.pages.value(for: id).map(ObjectIdentifier.init)])
    }

    @Test("The sweeper counts time with the site's clock")
    func sweeper() async throws {
        let clock = TestClock()
        var configuration = SiteConfiguration(clock: clock)
        configuration.limits.visitorTicks = 1
        let site = Site(configuration)
        site.start(at: try #require(URL(string: Browser.origin)))
        _ = await site.visitor(VisitorID())
        let sweeping = Task { await Sweeper(site: site, logger: Logger(label: "tests")).run() }
        for _ in 0..<3 {
            await clock.waitForSleepers(1)
            await clock.advance(by: configuration.limits.tick)
        }
        await clock.waitForSleepers(1)
        #expect(site.visitors.count == 0)
        sweeping.cancel()
        await sweeping.value
    }
}

private final class Probe: Sendable {}
