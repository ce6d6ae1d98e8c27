import BrowseKit
import BrowseMocks
import Foundation
import Logging
import ServerStores
import Testing

@testable import WebApp

@Suite("Names, and malformed requests", .timeLimit(.minutes(10)))
struct ProxyTests {
    private func configuration() -> SiteConfiguration {
        var configuration = SiteConfiguration()
        configuration.publicURL = URL(string: "https://example.org")
        configuration.hosts = ["example.org", "127.0.0.1", "www.example.org"]
        return configuration
    }

    @Test("Behind a proxy, pages are at the public name, and its forms are accepted")
    func behindProxy() async throws {
        try await RunningSite.run(configuration()) { running in
            let browser = TestBrowser(running)
            for host in ["example.org"] {
                let page = TestBrowser.Page(
                    address: "/users?q=octocat",
                    response: try await browser.send("GET", "/users?q=octocat", ["Host": host])
                )
                #expect(page.response.status == 200)
                #expect(page.response.field("Strict-Transport-Security") != nil)
                #expect(browser.cookie.hasPrefix("__Host-visitor="))
                let form = ["csrf": page.token, "page": page.id, "address": page.address, "do": "favorite on 583231"]
                let own = ["Host": host, "Origin": "https://example.org", "Sec-Fetch-Site": "same-origin"]
                #expect(try await browser.post(form, own).status == 200)
                #expect(try await browser.post(form, ["Host": host, "Origin": "https://evil.example"]).status == 403)
            }
            #expect(try await browser.send("GET", "/users", ["Host": "evil.example"]).status == 421)
        }
    }

    @Test("Other names of the site lead to the public one, so that there is one cookie")
    func aliases() async throws {
        try await RunningSite.run(configuration()) { running in
            let browser = TestBrowser(running)
            let response = try await browser.send("GET", "/users?q=a%20b", ["Host": "www.example.org"])
            #expect(response.status == 307)
            #expect(response.field("Location") == "https://example.org/users?q=a%20b")
            #expect(browser.cookie.isEmpty)
            #expect(try await browser.send("GET", "/users", ["Host": "example.org"]).status == 200)
        }
        try await RunningSite.run { running in
            let host = ["Host": "localhost:\(running.port)"]
            let response = try await TestBrowser(running).send("GET", "/users", host)
            #expect(response.field("Location") == "http://127.0.0.1:\(running.port)/users")
        }
    }

    @Test("Load balancers ask for the health with any name, and get the readiness of the stores")
    func health() async throws {
        var configuration = configuration()
        let isReady = Monitor(true)
        configuration.stores.isReady = { isReady.value }
        try await RunningSite.run(configuration) { running in
            let browser = TestBrowser(running)
            for host in ["10.0.0.7:8080", "example.org"] {
                #expect(try await browser.send("GET", "/health", ["Host": host]).status == 200)
                #expect(try await browser.send("GET", "/ready", ["Host": host]).status == 200)
            }
            isReady.withLock { $0 = false }
            let response = try await browser.send("GET", "/ready")
            #expect(response.status == 503 && response.body == "The stores can't be used\n")
            #expect(try await browser.send("GET", "/health").status == 200)
        }
    }

    @Test("A request with two hosts, or a malformed body, is refused")
    func malformed() async throws {
        try await RunningSite.run { running in
            let host = "Host: 127.0.0.1:\(running.port)\r\n"
            let requests = [
                "GET /health HTTP/1.1\r\n\(host)Host: evil.example\r\nConnection: close\r\n\r\n",
                "GET /users HTTP/1.1\r\n\(host)\(host)Connection: close\r\n\r\n",
                "POST /actions HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nxyz\r\nabc\r\n",
                "POST /actions HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabcdef\r\n",
            ]
            for request in requests {
                try await TestBrowser.connect(running.port) { connection in
                    try await connection.write(request)
                    let response = try await connection.read(until: "\r\n\r\n")
                    #expect(response.hasPrefix("HTTP/1.1 400"), "\(request)")
                }
            }
        }
    }

    @Test("Stores that can't be used are logged once a minute")
    func failureLog() async throws {
        let (clock, isReady, lines) = (TestClock(), Monitor(true), Monitor<[String]>([]))
        var configuration = SiteConfiguration(clock: clock)
        configuration.stores.isReady = { isReady.value }
        let site = Site(configuration)
        site.start(at: try #require(URL(string: Browser.origin)))
        let sweeper = Sweeper(site: site, logger: Logger(label: "tests") { _ in LineLog(lines: lines) })
        let sweeping = Task { await sweeper.run() }
        for tick in 0..<24 {
            await clock.waitForSleepers(1)
            isReady.withLock { $0 = !(9..<17).contains(tick) }
            await clock.advance(by: configuration.limits.tick)
        }
        await clock.waitForSleepers(1)
        #expect(lines.value == ["The stores can't be used"])
        sweeping.cancel()
        await sweeping.value
    }

    /// onetimesecret/onetimesecret#3848, mastodon/mastodon#28424
    @Test("Without the script, a page leads to the authorization page, because Chrome checks each redirect of a form")
    func formTargets() async throws {
        let secret = try Secret("client-secret")
        let live = Configuration().with {
            let redirect = URL(string: "http://127.0.0.1/sign-in/callback")
            $0.gitHub.app = .gitHub(clientID: "client", clientSecret: secret, redirect: redirect)
        }
        try await RunningSite.run(SiteConfiguration(source: .live(live))) { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/sign-in")
            let form = ["csrf": page.token, "page": page.id, "address": page.address, "do": "sign-in-by-browser"]
            let answer = try await browser.post(form)
            #expect(answer.status == 200 && answer.field("Location") == nil)
            #expect(answer.field("Content-Security-Policy")?.contains("form-action 'self';") == true)
            let address = "https://github.com/login/oauth/authorize?response_type=code&amp;client_id=client"
            #expect(answer.body.contains("content=\"0;url=\(address)"), "\(answer.body)")
        }
    }
}

/// Collects the lines of a log.
private struct LineLog: LogHandler {
    let lines: Monitor<[String]>
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }
}
