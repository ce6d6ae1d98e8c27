import BrowseKit
import BrowseMocks
import Crypto
import Foundation
import RedisStores
import TestServers
import Testing

@testable import WebApp

/// Two sites with shared stores, as in two processes: any of them can respond.
@Suite("Several sites", .timeLimit(.minutes(10)))
struct SeveralSitesTests {
    /// Runs two sites with the same keys, servers, and services.
    private func withSites(
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (RunningSite, RunningSite, RedisServer) async throws -> Void
    ) async throws {
        let durable = try await RedisServer()
        let (services, secret, signer) = (OfflineServices(), SymmetricKey(size: .bits256), Signer())
        func configuration() -> SiteConfiguration {
            var configuration = SiteConfiguration(
                source: .fixtures(services),
                stores: .redis(durable.stores(secret)),
                signer: signer,
                clock: clock
            )
            configuration.publicURL = URL(string: "http://127.0.0.1:8080")
            // No sweep: streams end by themselves.
            configuration.limits.tick = .seconds(86_400)
            return configuration
        }
        try await RunningSite.run(configuration()) { one in
            try await RunningSite.run(configuration()) { two in
                try await body(one, two, durable)
            }
        }
    }

    /// Returns the callback to which the authorization page of the fixtures leads.
    private func callback(of browser: TestBrowser, as login: String) async throws -> String {
        let answer = try await browser.press("sign-in-by-browser", on: browser.open("/sign-in"))
        let location = try JSONDecoder().decode([String: String].self, from: Data(answer.body.utf8))["location"]
        let path = String(try #require(location).dropFirst("http://127.0.0.1:8080".count))
        let page = try await browser.open(path)
        let form = ["csrf": page.token, "query": String(path.drop { $0 != "?" }.dropFirst()), "login": login]
        let agreed = try await browser.post(form, to: "/login/oauth/authorize")
        return String(try #require(agreed.field("Location")).dropFirst("http://127.0.0.1:8080".count))
    }

    @Test("A sign-in that starts at one site is finished by another one, once")
    func signIn() async throws {
        try await withSites { one, two, redis in
            let (here, elsewhere) = (TestBrowser(one), TestBrowser(two))
            let callback = try await callback(of: here, as: "octocat")
            #expect(try await redis.run("exists", "browsekit:sign-in:\(key(of: here, one))").hasPrefix("1"))
            elsewhere.cookie = here.cookie
            #expect(try await elsewhere.open("/sign-in").response.body.contains("Signing in"))
            #expect(try await elsewhere.send("GET", callback).field("Location") == "/account")
            #expect(elsewhere.cookie != here.cookie)
            #expect(try await elsewhere.open("/account").response.body.contains("octocat"))
            // The former cookie is worthless, and the sign-in used up.
            #expect(try await here.send("GET", callback).field("Location") == "/sign-in")
            #expect(try await !here.open("/account").response.body.contains("octocat"))
            here.cookie = elsewhere.cookie
            #expect(try await here.open("/account").response.body.contains("octocat"))
            #expect(try await !here.open("/sign-in").response.body.contains("Signing in"))
            #expect(try await here.send("GET", callback).field("Location") == "/sign-in")
            #expect(try await here.open("/account").response.body.contains("octocat"))
        }
    }

    @Test("A stream of a planted cookie at another site ends when the person signs in, and shows no account")
    func plantedStream() async throws {
        try await withSites { one, two, _ in
            let (attacker, victim) = (TestBrowser(two), TestBrowser(one))
            for path in ["/account", "/github/repos", "/favorites"] {
                attacker.cookie = ""
                let trap = try await attacker.open(path)
                victim.cookie = attacker.cookie
                try await attacker.stream(trap) { stream in
                    _ = try await stream.read(until: "retry")
                    let callback = try await callback(of: victim, as: "octocat")
                    #expect(try await victim.send("GET", callback).field("Location") == "/account")
                    let search = try await victim.open("/users?q=octocat")
                    _ = try await victim.press("favorite on 583231", on: search)
                    let seen = try await stream.read(until: "octocat")
                    #expect(!seen.contains("octocat"), "\(path)")
                }
                #expect(try await victim.open("/account").response.body.contains("octocat"))
                #expect(try await !attacker.open("/account").response.body.contains("octocat"))
            }
        }
    }

    @Test("A callback while Redis is away leads to the sign-in, which goes on afterward")
    func callbackWithoutRedis() async throws {
        try await withSites { one, _, redis in
            let browser = TestBrowser(one)
            let callback = try await callback(of: browser, as: "octocat")
            redis.stop()
            #expect(try await browser.send("GET", callback).field("Location") == "/sign-in")
            try await redis.start()
            try await eventually { try await browser.send("GET", callback).field("Location") == "/account" }
        }
    }

    @Test("A callback of another sign-in changes nothing: neither the cookie nor the sign-in in progress")
    func foreignCallback() async throws {
        try await withSites { one, two, _ in
            let (browser, stranger) = (TestBrowser(one), TestBrowser(two))
            let foreign = try await callback(of: stranger, as: "haneul-kim")
            let own = try await callback(of: browser, as: "octocat")
            let elsewhere = TestBrowser(two)
            elsewhere.cookie = browser.cookie
            for attempt in [foreign, "/sign-in/callback", "/sign-in/callback?code=x&state=y"] {
                let response = try await elsewhere.send("GET", attempt)
                #expect(response.field("Location") == "/sign-in" && response.field("Set-Cookie") == nil)
            }
            #expect(try await elsewhere.send("GET", own).field("Location") == "/account")
            #expect(try await elsewhere.open("/account").response.body.contains("octocat"))
        }
    }

    @Test("A code to sign in with is the same at every site, and leads to an account at all of them")
    func code() async throws {
        let clock = TestClock()
        try await withSites(clock: clock) { one, two, _ in
            let (here, elsewhere) = (TestBrowser(one), TestBrowser(two))
            _ = try await here.press("sign-in-by-code", on: here.open("/sign-in"))
            elsewhere.cookie = here.cookie
            #expect(try await elsewhere.open("/sign-in").code != nil)
            for browser in [here, elsewhere] {
                try await eventually {
                    await clock.advance(by: .seconds(5))
                    return try await browser.open("/account").response.body.contains("octocat")
                }
            }
            // The site that got the token deletes the code after that.
            try await eventually {
                await clock.advance(by: .seconds(5))
                return try await !here.open("/sign-in").response.body.contains("class=\"code\"")
            }
        }
    }

    @Test("A page continues at another site, and each of them performs its actions")
    func page() async throws {
        try await withSites { one, two, _ in
            let (here, elsewhere) = (TestBrowser(one), TestBrowser(two))
            let page = try await here.open("/github/users/octocat/followers")
            elsewhere.cookie = here.cookie
            let rows = page.response.body.matches(of: /data-row="([^"]*)"/).map { String($0.output.1) }
            let (row, other) = (try #require(rows.first), try #require(rows.last))
            try await elsewhere.stream(page, showing: "") { stream in
                #expect(try await stream.event("update").contains("\"order\""))
                // At the site without the stream, the response has the page; the stream has what changed.
                let answer = try await here.press("favorite on \(row)", on: page)
                #expect(answer.status == 200 && answer.body.contains("favorite off \(row)"))
                _ = try await stream.read(until: "favorite off \(row)")
                // At the site with the stream, the response is empty.
                #expect(try await elsewhere.press("favorite on \(other)", on: page).status == 204)
                _ = try await stream.read(until: "favorite off \(other)")
                #expect(try await elsewhere.press("more", on: page).status == 204)
                _ = try await stream.read(until: "\"order\"")
            }
            try await eventually { two.site.streams.count == 0 }
            #expect(try await elsewhere.press("favorite off \(other)", on: page).status == 200)
            #expect(try await !here.open("/favorites").response.body.contains("user/\(other)"))
        }
    }

    @Test("A page from before a sign-in at another site loads again when one of its buttons is pressed")
    func formerPage() async throws {
        try await withSites { one, two, _ in
            let (here, elsewhere) = (TestBrowser(one), TestBrowser(two))
            let page = try await here.open("/users?q=octocat")
            let callback = try await callback(of: here, as: "octocat")
            _ = try await here.send("GET", callback)
            elsewhere.cookie = here.cookie
            let answer = try await elsewhere.press("favorite on 583231", on: page)
            #expect(answer.status == 200 && answer.body.contains("location"))
            #expect(try await elsewhere.open("/users?q=octocat").response.body.contains("favorite on 583231"))
        }
    }

    @Test("Without JavaScript, a question or a notice is in the response, whichever site gives it")
    func noScript() async throws {
        try await withSites { one, two, _ in
            let (here, elsewhere) = (TestBrowser(one), TestBrowser(two))
            let callback = try await callback(of: here, as: "octocat")
            _ = try await here.send("GET", callback)
            elsewhere.cookie = here.cookie
            let account = try await here.open("/account")
            let form = ["csrf": account.token, "page": account.id, "address": "/account"]
            let question = try await elsewhere.post(form.merging(["do": "ask-to-sign-out"]) { $1 })
            #expect(question.status == 200 && question.body.contains("value=\"sign-out\""))
            let asked = TestBrowser.Page(address: "/account", response: question)
            #expect(asked.token == account.token)
            let answer = try await here.post(form.merging(["do": "sign-out"]) { $1 })
            #expect(answer.status == 303)
            #expect(try await here.open("/account").response.body.contains("Not Signed In"))
            #expect(try await !elsewhere.open("/account").response.body.contains("octocat"))
        }
    }

    private func key(of browser: TestBrowser, _ running: RunningSite) throws -> String {
        try #require(running.site.visitorCookie.visitor(in: browser.cookieValue)).id.key
    }
}
