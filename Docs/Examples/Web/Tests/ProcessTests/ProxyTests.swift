import BrowseKit
import Foundation
import TestServers
import Testing
import WebDriver

/// Two processes behind nginx, with TLS and a Redis server.
@Suite(.timeLimit(.minutes(10)))
struct `Two processes behind nginx` {
    /// What runs: the processes can be killed and started again.
    private struct Deployment {
        let keys = WebsiteKeys()
        let gitHub: GitHubServer
        let durable: RedisServer
        let ports: [UInt16]
        let proxy: Proxy

        init(hasAffinity: Bool = true) async throws {
            (gitHub, durable) = (try GitHubServer(), try await RedisServer())
            ports = [try freePort(), try freePort()]
            proxy = try await Proxy(try freePort(), ports, hasAffinity: hasAffinity)
        }

        /// Runs a closure with a browser, which accepts the proxy's certificate.
        func browse(_ body: (Browser) async throws -> Void) async throws {
            let driver = try await Driver.start()
            var options = BrowserOptions()
            options.acceptsAnyCertificate = true
            try await driver.withBrowser(options, body)
            await driver.stop()
        }

        /// Opens a page, and marks its document.
        func open(_ path: String, in browser: Browser) async throws {
            try await browser.open(try #require(URL(string: proxy.url + path)))
            try await browser.execute("window.marker = 'the same document'")
        }

        func start(_ index: Int) async throws -> Website {
            try await keys.start(
                durable,
                gitHub,
                ["PORT": "\(ports[index])", "WEB_URL": proxy.url]
            )
        }
    }

    @Test func `serve a browser that signs in, searches, stars, and marks favorites, also when one is killed`()
        async throws
    {
        let deployment = try await Deployment()
        var first: Website? = try await deployment.start(0)
        let second = try await deployment.start(1)
        let driver = try await Driver.start()
        var options = BrowserOptions()
        options.acceptsAnyCertificate = true
        try await driver.withBrowser(options) { browser in
            func open(_ path: String) async throws {
                try await browser.open(try #require(URL(string: deployment.proxy.url + path)))
                try await browser.execute("window.marker = 'the same document'")
            }
            try await open("/sign-in")
            try await browser.waitForNavigation { try await browser.press(button: "Sign In with GitHub") }
            try await browser.wait(for: "main", containing: "octocat")
            #expect(deployment.gitHub.count("exchanged") == 1)

            // Search while typing, and star.
            try await open("/repos")
            try await browser.find("input[name=q]").type("hello")
            try await browser.click("#rows button.star[aria-pressed=false]")
            try await browser.wait(for: "#rows button.star[aria-pressed=true]")
            #expect(try await browser.execute("return window.marker") == "the same document")

            // Favorites on two pages at once.
            try await open("/users?q=octocat")
            let search = try await browser.window
            let favorites = try await browser.openWindow()
            try await open("/favorites")
            for round in 0..<4 {
                try await browser.select(search)
                try await browser.setFavorite("octocat", round.isMultiple(of: 2))
                try await browser.select(favorites)
                if round.isMultiple(of: 2) {
                    try await browser.wait(for: "#rows .row", containing: "octocat")
                } else {
                    try await browser.waitForNo("#rows .row")
                }
            }

            // Both processes are killed, one after the other; open pages continue.
            first?.kill()
            first = nil
            try await browser.select(search)
            try await browser.setFavorite("octocat")
            try await browser.select(favorites)
            try await browser.wait(for: "#rows .row", containing: "octocat")
            first = try await deployment.start(0)
            second.kill()
            try await browser.click("#rows button.favorite")
            try await browser.waitForNo("#rows .row")
            try await browser.select(search)
            try await browser.waitForFavorite("octocat", false)
            try await browser.setFavorite("octocat")
            // No document was loaded again.
            for window in [search, favorites] {
                try await browser.select(window)
                #expect(try await browser.execute("return window.marker") == "the same document")
            }
            let severe = try await browser.consoleMessages().filter { $0.level == "SEVERE" }
            #expect(!severe.contains { $0.message.contains("Refused") || $0.message.contains("Uncaught") }, "\(severe)")
        }
        await driver.stop()
        let failed = try deployment.proxy.failures
        #expect(failed == [])
        // No codes to sign in with, and no searches.
        let logged = try deployment.proxy.requests
        #expect(logged.contains { $0.contains("GET /sign-in/callback\" 303") } && !logged.contains { $0.contains("?") })
        await deployment.proxy.stop()
    }

    @Test(arguments: [true, false])
    func `send few requests to GitHub, and fewer to a visitor without a token`(hasToken: Bool) async throws {
        let deployment = try await Deployment()
        let sites = [try await deployment.start(0), try await deployment.start(1)]
        try await deployment.browse { browser in
            func requests(_ action: () async throws -> Void) async throws -> Int {
                let before = deployment.gitHub.count("accepted")
                try await action()
                return deployment.gitHub.count("accepted") - before
            }
            if hasToken {
                try await deployment.open("/sign-in", in: browser)
                try await browser.waitForNavigation { try await browser.press(button: "Sign In with GitHub") }
                try await browser.wait(for: "main", containing: "octocat")
            }
            // One letter every 450 ms, on the page's own clock.
            try await deployment.open("/users", in: browser)
            try await browser.execute(Self.pageClock)
            let typed = try await requests {
                for length in 1...7 {
                    try await browser.execute("typeText(arguments[0])", .string(String("octocat".prefix(length))))
                    try await browser.execute("return advance(450)")
                }
                #expect(try await browser.execute("return advance(2000)") == (hasToken ? 7 : 1))
                try await browser.wait(for: "#rows .row", containing: "octocat")
            }
            #expect(hasToken || typed == 1, "\(typed)")
            // Typing, and Enter.
            try await deployment.open("/users", in: browser)
            let entered = try await requests {
                try await browser.find("input[name=q]").type("everyone-0042\u{E007}")
                try await browser.wait(forTitles: ["everyone-0042"])
                // What was typed is due by then.
                for number in 1...10 { try await deployment.open("/github/users/user-\(number)", in: browser) }
            }
            // One search, and ten pages, of which each has a stream.
            #expect(entered == 11)
        }
        await deployment.proxy.stop()
        withExtendedLifetime(sites) {}
    }

    /// Replaces a page's timers by a clock; `advance(ms)` returns how many requests were sent so far.
    private static let pageClock = """
        let now = 0, last = 0, timers = new Map(), sent = [];
        const { fetch } = window;
        window.fetch = (...arguments) => { sent.push(fetch(...arguments)); return sent.at(-1); };
        window.setTimeout = (run, wait) => { timers.set(++last, { run, end: now + wait }); return last; };
        window.clearTimeout = id => timers.delete(id);
        window.advance = async wait => {
            now += wait;
            for (const [id, { run, end }] of [...timers]) if (end <= now) { timers.delete(id); run(); }
            await Promise.all(sent);
            return sent.length;
        };
        window.typeText = text => {
            const field = document.querySelector('input[name=q]');
            field.value = text;
            field.dispatchEvent(new Event('input', { bubbles: true }));
        };
        """

    @Test func `say that they are back soon while both are away, and then the page comes by itself`() async throws {
        let deployment = try await Deployment()
        try await deployment.browse { browser in
            try await browser.open(try #require(URL(string: deployment.proxy.url + "/users?q=octocat")))
            // At once: the page loads itself again and again.
            #expect(try await browser.execute("return document.querySelector('h1').textContent") == "Back Soon")
            let status = "return performance.getEntriesByType('navigation')[0].responseStatus"
            #expect(try await browser.execute(status) == 503)
            // A form isn't sent again by loading a page, so nothing says so.
            let form = ["-sk", "--max-time", "60", "-d", "do=retry", deployment.proxy.url + "/actions"]
            let answer = await (try SpawnedProcess("/usr/bin/curl", form)).finished().joined()
            #expect(answer.contains("Go back") && !answer.contains("http-equiv=refresh"), "\(answer)")
            // nginx/unit#372
            #expect(try !deployment.proxy.errors.contains("octocat"))
            let site = try await deployment.start(1)
            try await browser.wait(for: "#rows .row", containing: "octocat")
            withExtendedLifetime(site) {}
        }
        await deployment.proxy.stop()
    }

    @Test func `are protected by the proxy's limits of requests, connections, and bodies`() async throws {
        let deployment = try await Deployment()
        let url = deployment.proxy.url
        func statuses(_ arguments: [String]) async throws -> [String: Int] {
            let curl = ["-sk", "-o", "/dev/null", "-w", "%{http_code}\n", "--max-time", "60"]
            let lines = await (try SpawnedProcess("/usr/bin/curl", curl + arguments)).finished()
            return lines.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        // No process is running, so what isn't refused gets 503.
        let body = String(repeating: "a", count: 70_000)
        #expect(try await statuses(["-d", body, "\(url)/actions"]) == ["413": 1])
        let fast = try await statuses(["--parallel", "--parallel-max", "100", "\(url)/users?[1-5000]"])
        #expect(fast["503"] ?? 0 >= 1_000 && fast["429"] ?? 0 > 0, "\(fast)")
        await deployment.proxy.stop()
        // Another one, which hasn't counted those, in front of processes that don't respond.
        let proxy = try await Proxy(try freePort(), deployment.ports)
        let silent = try deployment.ports.map(SilentServer.init)
        let held = ["--parallel", "--parallel-max", "300", "--max-time", "10", "\(proxy.url)/events?[1-300]"]
        // A client can't choose the address that counts (migadu/alps#18).
        async let first = statuses(held + ["-H", "X-Forwarded-For: 203.0.113.1"])
        async let second = statuses(held + ["-H", "X-Forwarded-For: 203.0.113.2"])
        let all = try await [first, second].reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        #expect(all["429"] ?? 0 >= 90 && all["429"] ?? 0 < 300, "\(all)")
        withExtendedLifetime(silent) {}
        await proxy.stop()
    }

    @Test(arguments: [true, false])
    func `keep what pages show when one after the other is killed`(hasAffinity: Bool) async throws {
        let deployment = try await Deployment(hasAffinity: hasAffinity)
        var sites: [Website?] = [try await deployment.start(0), try await deployment.start(1)]
        let driver = try await Driver.start()
        var options = BrowserOptions()
        options.acceptsAnyCertificate = true
        try await driver.withBrowser(options) { browser in
            func open(_ path: String) async throws {
                try await browser.open(try #require(URL(string: deployment.proxy.url + path)))
                try await browser.execute("window.marker = 'the same document'")
            }
            try await open("/users")
            try await browser.find("input[name=q]").type("everyone")
            try await browser.wait(for: 100, of: "#rows .row")
            let search = try await browser.window
            let list = try await browser.openWindow()
            try await open("/github/users/octocat/followers")
            try await browser.execute("document.querySelector('#more a').click()")
            try await browser.wait(for: 200, of: "#rows .row")
            for (index, text) in [(0, "everyone-00"), (0, "everyone-01"), (1, "everyone-02"), (1, "everyone-0042")] {
                // The page moves on at one process; the other one still has what it was when that was killed before.
                try await browser.select(search)
                try await browser.find("input[name=q]").clear()
                try await browser.find("input[name=q]").type(text)
                try await browser.wait(for: "#rows .row", containing: text)
                try await browser.wait(until: "the rows of \(text)") {
                    try await browser.rowTitles.allSatisfy { $0.hasPrefix(text) }
                }
                let titles = try await browser.rowTitles
                sites[index]?.kill()
                sites[index] = nil
                // A favorite that is set right after is set.
                try await browser.click("#rows .row:first-child button.favorite[aria-pressed=false]")
                try await browser.wait(for: "#rows .row:first-child button.favorite[aria-pressed=true]")
                try await browser.waitForStream()
                #expect(try await Array(browser.rowTitles.prefix(titles.count)) == titles, "\(text)")
                #expect(try await browser.find("input[name=q]").property("value") == .string(text))
                try await browser.click("#rows .row:first-child button.favorite[aria-pressed=true]")
                try await browser.wait(for: "#rows .row:first-child button.favorite[aria-pressed=false]")
                try await browser.select(list)
                try await browser.focusWindow()
                try await browser.waitForStream()
                #expect(try await browser.findAll("#rows .row").count == 200, "\(text)")
                for window in [search, list] {
                    try await browser.select(window)
                    #expect(try await browser.execute("return window.marker") == "the same document")
                }
                sites[index] = try await deployment.start(index)
            }
        }
        await driver.stop()
        await deployment.proxy.stop()
        withExtendedLifetime(sites) {}
    }

    @Test func `serve 100 visitors without an error while one is killed and started again`() async throws {
        let deployment = try await Deployment()
        let (first, second) = (try await deployment.start(0), try await deployment.start(1))
        let finished = Finished()
        try await withThrowingTaskGroup { group in
            for start in 0..<5 {
                group.addTask {
                    for number in stride(from: start, to: 100, by: 5) {
                        let visitor = ProxyVisitor(deployment.proxy)
                        defer { visitor.leave() }
                        let page = try await visitor.load("/users?q=octocat")
                        let marked = try await visitor.press("favorite on 583231", on: page)
                        #expect(marked.contains("favorite off 583231"), "visitor \(number)")
                        #expect(try await visitor.load("/favorites").contains("user/583231"), "visitor \(number)")
                        await finished.add()
                    }
                }
            }
            group.addTask {
                try await eventually { await finished.count >= 20 }
                first.kill()
                let again = try await deployment.start(0)
                try await eventually { await finished.count >= 50 }
                second.kill()
                let other = try await deployment.start(1)
                try await eventually { await finished.count == 100 }
                withExtendedLifetime((again, other)) {}
            }
            for try await _ in group {}
        }
        let failed = try deployment.proxy.failures
        #expect(failed == [])
        await deployment.proxy.stop()
    }
}

private actor Finished {
    private(set) var count = 0

    func add() { count += 1 }
}

extension Browser {
    /// Opens the page's stream again, and waits until the page is what the server has.
    fileprivate func waitForStream() async throws {
        try await execute("dispatchEvent(new Event('pagehide')); dispatchEvent(new Event('pageshow'))")
        try await wait(until: "the stream") { try await execute("return document.body.dataset.live != null") == true }
    }
}
