import BrowseKit
import BrowseMocks
import Crypto
import Foundation
import HTTPTypes
import HummingbirdCore
import HummingbirdTesting
import NIOCore
import Testing
import TestServers
@testable import WebApp

/// What was reported about other servers; the table is Tests/Reports/Tables/Website.md.
@Suite(.timeLimit(.minutes(10)))
struct `Reports about the website` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "reports-\(UUID().uuidString)")

    private func form(_ action: String, on page: TestBrowser.Page) -> [String: String] {
        ["csrf": page.token, "page": page.id, "address": page.address, "do": action]
    }

    /// Returns the text of a file in `Deploy`.
    private func deployment(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Deploy")
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// Returns the cookie of a new visitor, which the next page renews.
    private func agingCookie(of running: RunningSite) -> String {
        "visitor=" + running.site.visitorCookie.value(of: VisitorID(), at: Date(timeIntervalSinceNow: -16 * 86_400))
    }

    /// pallets-eco/flask-session#71
    @Test(arguments: [false, true])
    func `Favorites that two tabs add at two processes at once are all kept`(isInRedis: Bool) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (services, signer, secret) = (OfflineServices(), Signer(), SymmetricKey(size: .bits256))
        let redis = try await isInRedis ? RedisServer() : nil
        func configuration() -> SiteConfiguration {
            let stores = redis.map { SiteStores.redis($0.stores(secret)) } ?? .files(in: folder)
            return SiteConfiguration(source: .fixtures(services), stores: stores, signer: signer)
        }
        try await RunningSite.run(configuration()) { one in
            try await RunningSite.run(configuration()) { two in
                let browser = TestBrowser(one)
                let page = try await browser.open("/users?q=everyone")
                for number in [1, 3, 5, 7] {
                    let tabs = [(one, number), (two, number + 1)].map { site, number in
                        site.tab(browser.cookie) { try await $0.press("favorite on 900000000\(number)", on: page) }
                    }
                    for tab in tabs { #expect(try await tab.value.status == 200) }
                }
                for site in [one, two] {
                    let shown = try await site.tab(browser.cookie) { try await $0.send("GET", "/favorites") }.value
                    for number in 1...8 { #expect(shown.body.contains("user/900000000\(number)"), "\(number)") }
                }
            }
        }
    }

    /// valery-barysok/session-file-store#55 and authlib/authlib#376
    @Test(arguments: [true, false])
    func `A page that ends after a sign-out, or during a sign-in, leaves the session alone`(isEnd: Bool) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let services = OfflineServices()
        let none = ScriptedServer.Response.json(#"{"total_count":0,"incomplete_results":false,"items":[]}"#)
        let search = services.gitHub.script.on(.get, "/search/users", query: ["q": "slow"], response: none.held())
        var configuration = SiteConfiguration(source: .fixtures(services), stores: .files(in: folder))
        // The page ends when the search does, however slow the machine is.
        configuration.clock = TestClock()
        try await RunningSite.run(configuration) { running in
            let browser = TestBrowser(running)
            browser.cookie = agingCookie(of: running)
            if isEnd { try await browser.signIn(as: "octocat") }
            let late = running.tab(browser.cookie) { try await $0.send("GET", "/users?q=slow") }
            await search.waitForRequests(1)
            let callback = try await isEnd ? nil : browser.callback(from: browser.startSignIn(), as: "octocat")
            if isEnd { try await browser.signOut() }
            services.gitHub.script.release()
            #expect(try await late.value.field("Set-Cookie") == nil)
            if let callback { #expect(try await browser.send("GET", callback).field("Location") == "/account") }
            for _ in 0..<2 {
                let account = try await browser.open("/account").response.body
                #expect(account.contains("Not Signed In") == isEnd && account.contains("octocat") != isEnd)
                // Again from the files.
                running.site.visitors.removeAll()
            }
        }
    }

    /// spring-projects/spring-security#3120
    @Test func `A button of a page from before the sign-out changes nothing, and leads on`() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            try await browser.signIn(as: "octocat")
            let (users, repos) = (try await browser.open("/users?q=octocat"), try await browser.open("/repos?q=velvet"))
            try await browser.signOut()
            let favorite = try await browser.post(form("favorite on 583231", on: users)).field("Location")
            #expect(favorite == users.address)
            #expect(try await browser.open(users.address).response.body.contains("favorite on 583231"))
            let row = repos.response.text(from: "data-row=\"", to: "\"")
            let star = try await browser.post(form("star on \(row)", on: repos))
            let signIn = try await browser.open(try #require(star.field("Location"))).response.body
            #expect(signIn.contains("Sign in to star") && signIn.contains("sign-in-by-browser"))
            #expect(!signIn.contains("Sign in to see"))
        }
    }

    /// Somebody else can have the login by the time the link is used.
    @Test func `The account leads to its public profile by its number`() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            try await browser.signIn(as: "octocat")
            let account = try await browser.open("/account").response.body
            #expect(account.contains("href=\"/github/accounts/583231/octocat\""))
        }
    }

    /// hotwired/turbo#193
    @Test func `A list in the history learns that a star was removed, and doesn't set it again`() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            try await browser.signIn(as: "haneul-kim")
            let list = try await browser.open("/github/users/mockworks/repos")
            let row = list.response.text(from: "data-row=\"", to: "\"")
            #expect(try await browser.press("star on \(row)", on: list).body.contains("star off \(row)"))
            let repo = try await browser.open(list.response.text(from: "<h2><a href=\"", to: "\""))
            #expect(try await browser.press("star off ", on: repo).body.contains("star on "))
            try await browser.stream(list, showing: "") { stream in
                let seen = try await stream.read(until: "star on \(row)")
                #expect(seen.contains("star on \(row)"))
            }
            _ = try await browser.press("star off \(row)", on: list)
            #expect(try await browser.open(list.address).response.body.contains("star on \(row)"))
        }
    }

    /// hotwired/turbo-rails#117
    @Test func `A notice after a redirect is on one page, once`() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let repos = try await browser.open("/github/users/mockworks/repos")
            let signIn = try await browser.press("star on \(try #require(repos.rows.first))", on: repos)
            let page = try await browser.press("sign-in-by-browser", on: signIn)
            let fields = page.fields.merging(["login": "haneul-kim"]) { $1 }
            let back = try await browser.follow(browser.post("/login/oauth/authorize", fields: fields))
            #expect(back.html.contains("the star is set"))
            for address in ["/github/users/mockworks/repos", "/github/users/octocat", "/github/users/mockworks/repos"] {
                #expect(try await !browser.open(address).html.contains("the star is set"))
            }
        }
    }

    /// auth0/express-openid-connect#43
    @Test(arguments: [0, 1])
    func `A sign-in that was started in two tabs can be finished in either`(tab: Int) async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let pages = [try await browser.startSignIn(), try await browser.startSignIn()]
            let callback = try await browser.callback(from: pages[tab], as: "octocat")
            #expect(try await browser.send("GET", callback).field("Location") == "/account")
            #expect(try await browser.open("/account").response.body.contains("octocat"))
        }
    }

    /// joaomlneto/jitaspace#665
    @Test(arguments: [
        "/\\evil.example", "//evil.example", "/\t/evil.example", "https:evil.example", "https://evil.example",
        "/github/users/octocat?tab=repos",
    ])
    func `Signing in leads back to pages of this site only`(origin: String) async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let signIn = try await browser.open(PageAddress(path: "sign-in", query: ["from": origin]).text)
            let page = try await browser.press("sign-in-by-browser", on: signIn)
            let fields = page.fields.merging(["login": "octocat"]) { $1 }
            let agreed = try await browser.post("/login/oauth/authorize", fields: fields)
            let callback = try #require(agreed.headers[.location]).dropFirst(Browser.origin.count)
            let location = try await browser.send(String(callback)).headers[.location]
            #expect(location == (origin.contains("evil") ? "/account" : origin))
        }
    }

    /// sabha-co/sabha#98
    @Test func `The way back belongs to one sign-in, and stays if that is denied`() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            func callback(from address: String, as login: String) async throws -> HTTPFields {
                let page = try await browser.press("sign-in-by-browser", on: browser.open(address))
                let fields = page.fields.merging(["login": login]) { $1 }
                let answer = try await browser.post("/login/oauth/authorize", fields: fields)
                let location = try #require(answer.headers[.location])
                return try await browser.send(String(location.dropFirst(Browser.origin.count))).headers
            }
            let signIn = PageAddress(path: "sign-in", query: ["from": "/github/users/octocat"]).text
            #expect(try await callback(from: signIn, as: "")[.location] == signIn)
            // Abandoned.
            _ = try await browser.press("sign-in-by-browser", on: browser.open(signIn))
            _ = try await browser.press("cancel", on: browser.open("/sign-in"))
            #expect(try await callback(from: "/sign-in", as: "octocat")[.location] == "/account")
        }
    }

    /// rails/rails#28299
    @Test func `A form without a referrer is accepted if the browser says whose it is`() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            let form = form("favorite on 583231", on: page)
            let own = ["Origin": "null", "Sec-Fetch-Site": "same-origin"]
            #expect(try await browser.post(form, own).status == 200)
            #expect(try await browser.post(form.merging(["csrf": "x"]) { $1 }, own).status == 403)
            for fields in [["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"]] {
                #expect(try await browser.post(form, own.merging(fields) { $1 }).status == 403, "\(fields)")
            }
        }
    }

    /// streamlit/streamlit#15589; RFC 9110, section 9.2.1
    @Test(
        arguments: [("HEAD", [:]), ("GET", ["Sec-Purpose": "prefetch;prerender"]), ("GET", ["Purpose": "prefetch"])]
            as [(String, [String: String])]
    )
    func `The code of a sign-in isn't used up by a request that looks ahead`(
        method: String,
        fields: [String: String]
    ) async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let callback = try await browser.callback(from: browser.startSignIn(), as: "octocat")
            let ahead = try await browser.send(method, callback, fields)
            #expect(ahead.status == 503 && ahead.field("Set-Cookie") == nil)
            #expect(try await browser.send("GET", callback).field("Location") == "/account")
            #expect(try await browser.open("/account").response.body.contains("octocat"))
        }
    }

    /// vapor/vapor#1617
    @Test(arguments: ["/", "/github/users/octocat"])
    func `HEAD has the fields of GET and no body, stores nothing, and keeps the connection`(path: String) async throws {
        try await RunningSite.run(SiteConfiguration(stores: .files(in: folder))) { running in
            let get = try await TestBrowser(running).send("GET", path)
            let end = "HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n\r\n"
            try await TestBrowser.connect(running.port) { connection in
                try await connection.write("HEAD \(path) \(end)")
                let head = TextResponse(try await connection.read(until: "\r\n\r\n"))
                for name in ["Content-Type", "Cache-Control", "Content-Security-Policy"] {
                    #expect(head.status == 200 && head.field(name) == get.field(name), "\(name)")
                }
                try await connection.write("GET /health \(end)")
                #expect(try await connection.read(until: "OK\n").hasPrefix("HTTP/1.1 200"))
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path()))
        }
    }

    /// monarch-initiative/monarch-app#1414
    @Test func `Robots may read the start, and not the pages that are requests to a service`() async throws {
        try await RunningSite.run { running in
            let rules = try await TestBrowser(running).send("GET", "/robots.txt")
            #expect(rules.status == 200 && rules.field("Content-Type")?.hasPrefix("text/plain") == true)
            #expect(rules.fields("Set-Cookie") == [] && running.site.visitors.count == 0)
            let lines = rules.body.split(separator: "\n")
            #expect(lines.first == "User-agent: *" && lines.last == "Disallow: /" && lines.contains("Allow: /$"))
        }
    }

    /// rage-rb/iodine#7, RFC 9110, section 14.1.2
    @Test(arguments: ["bytes=-10", "bytes=999999999-", "bytes=9223372036854775807-", "bytes=5-2", "lines=1-2"])
    func `No other part of a file is sent than the one that was asked for`(range: String) async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let file = try await browser.send("GET", "/assets/icon.svg").body
            let part = try await browser.send("GET", "/assets/icon.svg", ["Range": range])
            #expect(part.status == 200 && part.body == file && part.field("Content-Length") == "\(file.utf8.count)")
        }
    }

    /// rack/rack#337
    @Test func `An address with a malformed escape is text or an error of the client`() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let queries = ["%9g", "100%", "%C0%AF"].map { "/users?q=" + $0 } + ["/sign-in/callback?code=%9g&state=%"]
            for path in queries + ["/%", "/github/users/%FF", "/images/%9g", "/events?page=%9g&address=%"] {
                let status = try await browser.send("GET", path).status
                #expect((200..<500).contains(status), "\(path)")
            }
            #expect(try await browser.send("POST", "/actions", body: "csrf=%9g&do=%").status == 400)
        }
    }

    /// arXiv/arxiv-auth#62
    @Test(arguments: [true, false])
    func `Of several cookies of the name, the one that this site has issued counts`(isLast: Bool) async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            try await browser.signIn(as: "octocat")
            for old in ["visitor=abc", "visitor=" + VisitorCookie(signer: Signer()).value(of: VisitorID())] {
                let cookies = isLast ? "\(old); \(browser.cookie)" : "\(browser.cookie); \(old)"
                let account = try await browser.send("GET", "/account", ["Cookie": cookies])
                #expect(account.body.contains("octocat") && account.field("Set-Cookie") == nil)
            }
        }
    }

    /// FreshRSS/FreshRSS#7762, on lost responses
    @Test func `A callback responds with the new cookie in time, even if the service hangs`() async throws {
        let services = OfflineServices()
        let refusal = ScriptedServer.Response.json(#"{"error":"temporarily_unavailable"}"#)
        let exchange = services.gitHub.script.on(.post, "/login/oauth/access_token", response: refusal.held())
        var configuration = SiteConfiguration(source: .fixtures(services))
        let (clock, cookie) = (TestClock(), Monitor(""))
        (configuration.clock, configuration.limits.loading) = (clock, .seconds(3))
        try await RunningSite.run(configuration) { running in
            let browser = TestBrowser(running)
            let callback = try await browser.callback(from: browser.startSignIn(), as: "octocat")
            let former = browser.cookie
            let response = running.tab(former) { tab in
                let answer = try await tab.send("GET", callback)
                cookie.withLock { $0 = tab.cookie }
                return answer
            }
            await exchange.waitForRequests(1)
            // The site's sweeps, and its wait for the sign-in.
            await clock.waitForSleepers(2)
            await clock.advance(by: .seconds(6))
            let answer = try await response.value
            browser.cookie = cookie.value
            #expect(answer.status == 303 && answer.field("Location") == "/sign-in" && browser.cookie != former)
            #expect(try await browser.open("/sign-in").response.body.contains("Signing in…"))
            services.gitHub.script.release()
            try await eventually { try await browser.open("/sign-in").response.body.contains("Couldn’t Sign In") }
            // That button would do nothing here.
            #expect(try await !browser.open("/sign-in").response.body.contains("Try Again"))
        }
    }

    /// TEAMMATES/teammates#2620
    @Test func `Of two tabs that send forms at once, each shows its own result`() async throws {
        let services = OfflineServices()
        try await RunningSite.run(SiteConfiguration(source: .fixtures(services))) { running in
            let browser = TestBrowser(running)
            try await browser.signIn(as: "haneul-kim")
            let one = try await browser.open("/users?q=octocat")
            let two = try await browser.open("/repos?q=velvet-comet")
            let row = two.response.text(from: "data-row=\"", to: "\"")
            services.gitHub.scenarios.set(.serverError, for: .put("/user/starred/mockworks/velvet-comet"))
            let (favorite, star) = (form("favorite on 583231", on: one), form("star on \(row)", on: two))
            let tabs = [favorite, star].map { form in running.tab(browser.cookie) { try await $0.post(form) } }
            let (first, second) = (try await tabs[0].value.body, try await tabs[1].value.body)
            #expect(first.contains("favorite off 583231") && !first.contains("data-notice"))
            #expect(second.contains("data-notice=\"failure\"") && second.contains("star on \(row)"))
        }
    }

    /// expressjs/session#251
    @Test(arguments: [[:], ["X-Forwarded-Proto": "https"], ["X-Forwarded-Proto": "http"]])
    func `Behind TLS, the cookie is secure and stays, whatever the proxy says`(fields: [String: String]) async throws {
        var configuration = SiteConfiguration()
        (configuration.publicURL, configuration.hosts) = (URL(string: "https://example.org"), ["example.org"])
        try await RunningSite.run(configuration) { running in
            let (browser, all) = (TestBrowser(running), fields.merging(["Host": "example.org"]) { $1 })
            let cookie = try #require(try await browser.send("GET", "/users", all).field("Set-Cookie"))
            #expect(cookie.hasPrefix("__Host-visitor=") && cookie.contains("Secure"))
            for _ in 0..<2 { #expect(try await browser.send("GET", "/users", all).field("Set-Cookie") == nil) }
        }
    }

    /// rolling-scopes/rsschool-app#3084
    @Test func `nginx closes an idle connection before the site does`() throws {
        let text = try deployment("nginx.conf")
        let time = try #require(text.firstMatch(of: /keepalive_timeout (\d+)s;/).flatMap { Int64($0.output.1) })
        let idle = Site(SiteConfiguration()).connections.idleTimeout ?? .hours(24)
        #expect(idle > .seconds(time))
    }

    /// OWASP, host header injection
    @Test func `nginx leads from http to the name of the site only`() throws {
        #expect(try deployment("nginx.conf").contains("return 301 https://$server_name$request_uri;"))
    }

    /// bayesimpact/bayes-platform#795
    @Test func `A container has the time that a process needs to end its responses`() throws {
        let time = try deployment("compose.yaml").firstMatch(of: /stop_grace_period: (\d+)s/)
        #expect(try #require(time.flatMap { Int($0.output.1) }) > 12)
    }

    /// laravel/framework#17471
    @Test(arguments: ["999999999999999999", "9223372036854775808", "-1", "0", "1e3", "%2B2", ""])
    func `Any number of rows in the address is a list that GitHub can have`(rows: String) async throws {
        try await RunningSite.run { running in
            let page = try await TestBrowser(running).open("/users?q=everyone&rows=\(rows)").response.body
            #expect(page.matches(of: /data-row=/).count == (rows == "999999999999999999" ? 1_000 : 100))
        }
    }

    /// bigskysoftware/htmx#1201 and HTTPArchive/almanac.httparchive.org#716
    // PennyDreadfulMTG/Penny-Dreadful-Tools#6615
    @Test(arguments: [
        [:], ["Accept-Language": "ko"], ["Accept-Language": "en", "Accept": "application/json"],
        ["Accept": "text/event-stream", "X-Requested-With": "XMLHttpRequest"],
    ])
    func `What a cache may store is in no language, and has no cookie`(fields: [String: String]) async throws {
        try await RunningSite.run { running in
            let page = try await TestBrowser(running).open("/users?q=octocat")
            let image = page.response.text(from: "<img src=\"", to: "\"")
            for cookie in ["", agingCookie(of: running)] {
                func send(_ path: String) async throws -> TextResponse {
                    try await running.tab(cookie) { try await $0.send("GET", path, fields) }.value
                }
                for path in ["/", "/users?q=octocat", "/characters", "/sign-in", "/github/users/octocat?rows=200"] {
                    let response = try await send(path)
                    #expect(response.field("Cache-Control") == "no-store", "\(path)")
                    #expect(response.body.contains("<!doctype html>") && response.body.contains("</html>"), "\(path)")
                }
                for path in ["/assets/app.js", "/assets/app.css", "/assets/icon.svg", "/health", image] {
                    let response = try await send(path)
                    #expect(response.fields("Set-Cookie") == [] && response.status == 200, "\(path)")
                }
                // Some caches store any status (auth0/nextjs-auth0#2112).
                let callback = try await send("/sign-in/callback?code=a&state=b")
                #expect(callback.status == 303 && callback.fields("Set-Cookie").count == 1)
                #expect(callback.field("Cache-Control") == "no-store")
            }
        }
    }

    /// RFC 9110, section 4.1
    @Test(arguments: ["a", "가", "🌈"])
    func `The longest text that the field takes has an address, and so has signing in from the longest search`(
        letter: String
    ) async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            func text(_ length: Int) -> String { String(repeating: letter, count: length / letter.utf16.count) }
            func address(_ text: String) -> String { PageAddress(path: "repos", query: ["q": text]).text }
            let page = try await browser.open(address(text(400)))
            #expect(page.status == .ok && page.html.contains("value=\"\(text(400))\" maxlength=\"400\""))
            let signIn = PageAddress(path: "sign-in", query: ["for": "star", "from": address(text(256))]).text
            #expect(try await browser.open(signIn).title == "Sign In")
        }
    }

    /// getkirby/kirby#754 and vaadin/web-components#7982
    @Test func `A pasted link with a long name isn't cut off, and a text that is too long has a hint`() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let name = String(repeating: "%EA%B0%80", count: 30)
            let link = "https://apps.apple.com/us/app/\(name)/id1500000001"
            let apps = try await browser.open(PageAddress(path: "apps", query: ["q": link]).text)
            let limit = apps.matches(/maxlength="(\d+)"/).first.flatMap { Int($0) }
            #expect(!apps.rows.isEmpty && link.utf16.count <= limit ?? 0)
            let text = String(repeating: "a", count: 300)
            #expect(try await browser.open("/users?q=\(text)").html.contains("Remove 44 characters."))
        }
    }

    /// ppy/osu-web#1287
    @Test(arguments: [
        "JaVaScRiPt:alert('x-attack')", " \tjavascript:alert('x-attack')", "data:text/html,<x-attack>",
        "java\nscript://x-attack.example/%0aalert(1)", "vbscript:x-attack",
    ])
    func `An address that could run is text`(link: String) async throws {
        let services = try HostileData.services(link: link)
        try await RunningSite.run(SiteConfiguration(source: .fixtures(services))) { running in
            let browser = TestBrowser(running)
            for path in ["/github/users/octocat", "/github/users/octocat/repos", "/app-store/apps/1500000001"] {
                let page = try await browser.open(path).response
                for tag in page.body.matches(of: /<a [^>]*href="([^"]*)"[^>]*>/) {
                    #expect(tag.1.hasPrefix("/") || tag.1.hasPrefix("#") || tag.1.hasPrefix("https://"), "\(tag.1)")
                    #expect(tag.1.hasPrefix("https") == tag.0.contains("rel=\"noopener noreferrer nofollow\""))
                }
                let blog = page.text(from: "Website</dt>", to: "</dd>")
                #expect(blog.contains("x-attack") || path != "/github/users/octocat")
                #expect(page.status == 200 && !page.body.contains("<x-attack"))
            }
        }
    }

    /// remix-run/remix#5646, bigbluebutton/bigbluebutton#25311
    @Test func `A browser doesn't restore choices that the list doesn't have, and knows the server's time`()
        async throws
    {
        try await RunningSite.run { running in
            let body = try await TestBrowser(running).open("/repos?q=swift").response.body
            let selects = body.components(separatedBy: "<select").dropFirst()
            #expect(!selects.isEmpty && selects.allSatisfy { $0.prefix { $0 != ">" }.contains("autocomplete=\"off\"") })
            // The script changes the hidden fields: rails/rails#42610, laminas/laminas-form#68.
            #expect(body.contains("<form id=\"actions\" method=\"post\" action=\"/actions\" autocomplete=\"off\">"))
            let now = try #require(body.firstMatch(of: /data-now="(\d+)"/).flatMap { TimeInterval($0.1) })
            #expect(abs(now - Date().timeIntervalSince1970) < 60)
        }
    }

    /// shopgate/pwa#1196
    @Test func `A favorite that was added again isn't called removed`() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let search = try await browser.open("/users?q=everyone")
            for number in 1...2 { _ = try await browser.press("favorite on 900000000\(number)", on: search) }
            let list = try await browser.open("/favorites")
            #expect(try await browser.press("favorite off user/9000000001", on: list).body.contains("was removed"))
            _ = try await browser.press("favorite on 9000000001", on: search)
            let filter = ["filter": "everyone-0002", "address": "/favorites?filter=everyone-0002"]
            #expect(try await !browser.press("input", on: list, filter).body.contains("was removed"))
        }
    }

    /// SatyamPandey-07/WorkSphere#102, in the list of favorites
    @Test func `The second of two clicks on a heart or on Undo finds it done`() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            _ = try await browser.press("favorite on 583231", on: browser.open("/users?q=octocat"))
            let list = try await browser.open("/favorites")
            for _ in 1...2 {
                let answer = try await browser.press("favorite off user/583231", on: list)
                #expect(answer.status == 200 && answer.body.contains("was removed"))
            }
            for _ in 1...2 {
                let answer = try await browser.press("undo", on: list)
                #expect(answer.status == 200 && !answer.body.contains("was removed"))
            }
            #expect(try await browser.open("/favorites").response.body.contains("user/583231"))
        }
    }

    /// LibreHardwareMonitor/LibreHardwareMonitor#1587, in the description of an app
    @Test func `The second of two clicks on More doesn't fold the text again`() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let app = try await browser.open("/app-store/apps/1500000001")
            for _ in 1...2 { #expect(try await browser.press("unfold on", on: app).body.contains("unfold off")) }
            // A page without a stream is released after a minute, and Less opens it again.
            running.site.visitors.removeAll()
            #expect(try await browser.press("unfold off", on: app).body.contains("unfold on"))
        }
    }

    /// ninenines/cowboy#212
    @Test func `Slow clients don't delay a visitor`() async throws {
        try await RunningSite.run { running in
            let (waiting, isDone) = (Monitor(0), Monitor(false))
            try await withThrowingTaskGroup { group in
                for number in 0..<100 {
                    let rest = number.isMultiple(of: 2) ? "Accept: " : "Content-Length: 9\r\n\r\na"
                    let start = "POST /actions HTTP/1.1\r\nHost: 127.0.0.1:\(running.port)\r\n" + rest
                    group.addTask {
                        try await TestBrowser.connect(running.port) { connection in
                            try await connection.write(start)
                            waiting.withLock { $0 += 1 }
                            await isDone.wait { $0 }
                        }
                    }
                }
                await waiting.wait { $0 == 100 }
                #expect(try await TestBrowser(running).open("/users?q=octocat").response.body.contains("octocat"))
                isDone.withLock { $0 = true }
                try await group.waitForAll()
            }
        }
    }
}
