import BrowseMocks
import Foundation
import TestServers
import Testing
@testable import WebApp
import WebDriver

extension BrowserSuite {
    /// What a person sees and can use; where it's about looks, pixels are compared.
    struct VisibleTests {
        private func visit(
            _ path: String,
            _ options: BrowserOptions = BrowserOptions(),
            on services: OfflineServices = OfflineServices(),
            _ body: @escaping @Sendable (Browser, TestSite) async throws -> Void
        ) async throws {
            try await TestSite.run(services) { site in
                try await site.browse(options) { browser in
                    try await browser.open(path, of: site)
                    try await body(browser, site)
                }
            }
        }

        @Test("The focus of a row's link can be seen")
        func focusRing() async throws {
            try await visit("/users?q=octocat") { browser, _ in
                let before = try await browser.find("#rows .row").screenshot
                try await browser.execute("document.querySelector('#rows .row h2 a').focus()")
                let after = try await browser.find("#rows .row").screenshot
                let changed = try await browser.execute(Self.changedPixels, .string(before), .string(after))
                // A ring of two pixels around the row, and not only its corners.
                #expect(changed.number ?? 0 > 1_000, "\(changed)")
            }
        }

        /// Returns the number of pixels that differ in two images.
        private static let changedPixels = """
            const pixels = async base64 => {
                const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
                const image = await createImageBitmap(new Blob([bytes]));
                const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext('2d');
                context.drawImage(image, 0, 0);
                return new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
            };
            const [before, after] = await Promise.all([pixels(arguments[0]), pixels(arguments[1])]);
            return before.filter((pixel, index) => pixel !== after[index]).length;
            """

        @Test("In forced colors, marks, stars, and the current page can be seen")
        func forcedColors() async throws {
            try await visit("/apps?q=tea") { browser, _ in
                let features: JSON = [["name": "forced-colors", "value": "active"]]
                try await browser.devTools("Emulation.setEmulatedMedia", ["features": features])
                for (selector, change) in [
                    ("button.favorite", "e.classList.remove('mark')"),
                    (".stars", "for (const star of e.children) star.className = ''"),
                    (".site nav li:has(> a[href='/apps'])", "e.firstElementChild.removeAttribute('aria-current')"),
                ] {
                    let shown = try await browser.find(selector).screenshot
                    try await browser.execute(
                        "const e = document.querySelector(arguments[0]); \(change)",
                        .string(selector)
                    )
                    // As large as before, and without the symbol.
                    #expect(try await browser.find(selector).screenshot != shown, "\(selector)")
                }
                let last = ".row:last-child button.favorite"
                let empty = try await browser.find(last).screenshot
                try await browser.click("\(last)[aria-pressed=false]")
                try await browser.wait(for: "\(last)[aria-pressed=true]")
                #expect(try await browser.find(last).screenshot != empty)
            }
        }

        @Test("A search that was typed has the address of its text alone, and Enter keeps the page and the focus")
        func typedAddress() async throws {
            try await visit("/users") { browser, _ in
                try await browser.execute("window.marker = 'the same document'")
                try await browser.find("input[name=q]").type("everyone")
                try await browser.wait(for: 100, of: "#rows .row")
                #expect(try await browser.location == "/users?q=everyone&scope=github")
                try await browser.find("input[name=q]").type("-0042\u{E007}")
                try await browser.wait(forTitles: ["everyone-0042"])
                #expect(try await browser.execute("return window.marker") == "the same document")
                #expect(try await browser.execute("return document.activeElement.name") == "q")
                #expect(try await browser.location == "/users?q=everyone-0042&scope=github")
            }
        }

        @Test("A rate limit counts down without a time of day, and the page tries again by itself")
        func countdown() async throws {
            let services = OfflineServices()
            try await TestSite.run(services) { site in
                try await site.browse { browser in
                    // Not before the browser has started, which can take longer.
                    services.gitHub.scenario = .rateLimited(until: Date(timeIntervalSinceNow: 15))
                    try await browser.open("/users?q=octocat", of: site)
                    try await browser.wait(for: "#status .help .retry:enabled")
                    let text = try await browser.find("#status").text
                    #expect(text.contains("about a minute") && !text.contains("AM") && !text.contains("PM"), "\(text)")
                    try await browser.wait(for: "#status [role=timer]", containing: "0:0")
                    try await browser.wait(for: "#rows .row", containing: "octocat")
                }
            }
        }

        @Test("A page that nobody sees doesn't use up the next limit")
        func hiddenCountdown() async throws {
            let services = OfflineServices()
            try await visit("/users", on: services) { browser, site in
                // Not before the browser has started, which can take longer.
                services.gitHub.scenario = .rateLimited(until: Date(timeIntervalSinceNow: 15))
                try await browser.open("/users?q=octocat", of: site)
                try await browser.wait(for: "#status [role=timer]", containing: "0:0")
                try await browser.execute(
                    """
                    Object.defineProperty(document, 'hidden', { configurable: true, value: true });
                    [window.requests, window.ticks] = [0, 0];
                    const [send, find] = [window.fetch, document.querySelectorAll.bind(document)];
                    window.fetch = (...request) => { window.requests += 1; return send(...request); };
                    document.querySelectorAll = (selector) => {
                        if (selector === '[data-until]') window.ticks += 1;
                        return find(selector);
                    };
                    """
                )
                try await browser.wait(for: "#status [role=timer]", containing: "0:00")
                try await browser.execute("window.ticks = 0")
                try await browser.wait(until: "the countdown is over") {
                    try await browser.execute("return window.ticks > 2") == true
                }
                #expect(try await browser.execute("return window.requests") == 0)
                try await browser.execute("delete document.hidden")
                try await browser.wait(for: "#rows .row", containing: "octocat")
            }
        }

        @Test("A notice is in view at the end of a long page, and so is the status of its next rows")
        func notices() async throws {
            let (services, clock) = (OfflineServices(), TestClock())
            try await TestSite.run(services, clock: clock) { site in
                try await site.browse { browser in
                    try await browser.open("/github/users/lonely", of: site)
                    try await browser.execute(
                        """
                        document.body.style.paddingBottom = '5000px';
                        window.scrollTo(0, 5000);
                        document.querySelector('button[value=followers]').click();
                        """
                    )
                    try await browser.wait(for: ".notice button[value=dismiss]")
                    let isInView = try await browser.execute(
                        """
                        const r = document.querySelector('.notice').getBoundingClientRect();
                        return r.top >= 0 && r.bottom <= innerHeight
                        """
                    )
                    #expect(isInView == true)
                    try await browser.open("/github/users/octocat/followers", of: site)
                    services.gitHub.scenario = .slow(.seconds(1))
                    try await browser.execute(
                        """
                        window.places = new Set();
                        new MutationObserver(() => {
                            const status = document.querySelector('[data-status=loading]');
                            if (status) window.places.add(status.closest('.part').id);
                        }).observe(document.body, { childList: true, subtree: true, attributes: true });
                        document.querySelector('#more a').click();
                        """
                    )
                    // A page shows the newest state only, so one that is over at once may not be shown.
                    try await browser.wait(until: "the status") {
                        try await browser.execute("return window.places.size > 0") == true
                    }
                    try await browser.wait(until: "the next rows") {
                        await clock.advance(by: .milliseconds(100))
                        return try await browser.findAll("#rows .row").count == 200
                    }
                    #expect(try await browser.execute("return [...window.places]") == ["more"])
                }
            }
        }

        @Test("While the server is away, buttons and links say so, and the page stays")
        func away() async throws {
            let driver = try await Driver.start()
            try await driver.withBrowser { browser in
                let configuration = SiteConfiguration(source: .fixtures(OfflineServices()))
                let port = Int(try freePort())
                try await TestSite.serve(configuration, at: port, for: driver) { site in
                    try await browser.open("/users?q=octocat", of: site)
                    try await browser.execute("window.marker = 'the same document'")
                }
                try await browser.click("button.favorite[aria-pressed=false]")
                try await browser.wait(for: "#trouble:not([hidden])")
                try await browser.click("#trouble button")
                try await browser.execute("document.querySelector('.site nav a[href=\"/favorites\"]').click()")
                try await browser.wait(for: "#trouble:not([hidden])")
                #expect(try await browser.location == "/users?q=octocat")
                try await TestSite.serve(configuration, at: port, for: driver) { _ in
                    try await browser.setFavorite("octocat")
                    #expect(try await browser.execute("return window.marker") == "the same document")
                    try await browser.wait(for: "#trouble[hidden]")
                }
            }
            await driver.stop()
        }

        /// anomalyco/opencode#17680 and PostHog/posthog#362
        @Test("A page that loses the server while it loads says so, until the server is back")
        func awayWhileLoading() async throws {
            let driver = try await Driver.start()
            try await driver.withBrowser { browser in
                let configuration = SiteConfiguration(source: .fixtures(OfflineServices()))
                let port = Int(try freePort())
                try await TestSite.serve(configuration, at: port, for: driver) { site in
                    try await browser.open("/users?q=octocat", of: site)
                    try await browser.wait(for: "body[data-live]")
                    // As if the rows hadn't arrived yet.
                    try await browser.execute("document.querySelector('[data-status]').dataset.status = 'loading'")
                }
                try await browser.wait(for: "#trouble:not([hidden])")
                try await TestSite.serve(configuration, at: port, for: driver) { _ in
                    try await browser.wait(for: "#trouble[hidden]")
                }
            }
            await driver.stop()
        }

        @Test("Pages that lose the server at the same time don't come back at the same time")
        func returns() async throws {
            let driver = try await Driver.start()
            try await driver.withBrowser { browser in
                let configuration = SiteConfiguration(source: .fixtures(OfflineServices()))
                try await TestSite.serve(configuration, at: Int(try freePort()), for: driver) { site in
                    try await browser.open("/users?q=octocat", of: site)
                    try await browser.wait(for: "body[data-live]")
                    try await browser.execute(
                        """
                        window.pauses = [];
                        const set = window.setTimeout;
                        window.setTimeout = (run, pause) => {
                            if (run.name === 'open') window.pauses.push(pause);
                            return set(run, pause);
                        };
                        Math.random = () => 0.25;
                        """
                    )
                }
                try await browser.wait(until: "the next attempt is planned") {
                    try await browser.execute("return window.pauses.length > 0") == true
                }
                #expect(try await browser.execute("return window.pauses[0]") == 750)
            }
            await driver.stop()
        }

        @Test("A notice takes no room on the page")
        func noticeRoom() async throws {
            try await visit("/users?q=everyone") { browser, site in
                for number in 1...2 { try await browser.setFavorite("everyone-000\(number)") }
                try await browser.open("/favorites", of: site)
                let top =
                    "return document.getElementById('form').getBoundingClientRect().bottom"
                    + " - document.getElementById('status').getBoundingClientRect().top"
                let before = try await browser.execute(top)
                try await browser.click("button.favorite")
                try await browser.wait(for: "#notice [role=status]", containing: "was removed")
                #expect(try await browser.execute(top) == before)
            }
        }

        @Test("What is over at once doesn't hide that the site works on something else")
        func busy() async throws {
            try await visit("/users?q=octocat") { browser, _ in
                try await browser.execute(
                    """
                    window.ends = [];
                    window.fetch = () => new Promise((end) => {
                        window.ends.push(() => end(new Response(null, { status: 204 })));
                    });
                    document.querySelector('button.favorite').click();
                    """
                )
                try await browser.wait(for: "#busy:not([hidden])")
                try await browser.execute("document.querySelector('button.favorite').click(); window.ends[1]()")
                #expect(try await browser.execute("return document.getElementById('busy').hidden") == false)
                try await browser.execute("window.ends[0]()")
                try await browser.wait(for: "#busy[hidden]")
            }
        }

        @Test("A filter says that only loaded rows are filtered, and offers to load all")
        func filter() async throws {
            try await visit("/github/users/octocat/followers?filter=nobody-has-this") { browser, _ in
                // The message has the same button as long as nothing matches.
                try await browser.find("input[name=filter]").clear()
                try await browser.find("input[name=filter]").type("e")
                let message = try await browser.wait(for: "the message") {
                    try await browser.findAll("#more .message").first?.text
                }
                #expect(message.contains("100 "), "\(message)")
                try await browser.click("#more .help button[value=load-all]")
                try await browser.waitForNo("#more .message")
                try await browser.waitForNo("#more a")
            }
        }

        @Test("A favorite that was removed in the list comes back by Undo", arguments: [true, false])
        func undo(runsScripts: Bool) async throws {
            try await visit("/users?q=everyone-000", BrowserOptions(runsScripts: runsScripts)) { browser, site in
                func press(_ button: String) async throws {
                    guard !runsScripts else { return try await browser.click(button) }
                    try await browser.waitForNavigation { try await browser.click(button) }
                }
                for number in 1...2 { try await browser.setFavorite("everyone-000\(number)") }
                try await browser.open("/favorites", of: site)
                let first = "#rows .row:first-child button.favorite"
                for button in ["undo", "dismiss"] {
                    try await press(first)
                    try await browser.wait(forTitles: ["everyone-0002"])
                    #expect(try await browser.find("#notice").text.contains("everyone-0001 was removed"))
                    try await press("#notice button[value^=\(button)]")
                    try await browser.waitForNo("#notice .notice")
                    let titles = ["everyone-0001", "everyone-0002"].suffix(button == "undo" ? 2 : 1)
                    try await browser.wait(forTitles: Array(titles))
                }
                // What was stored is what is shown.
                try await browser.open("/favorites", of: site)
                #expect(try await browser.rowTitles == ["everyone-0002"])
                #expect(try await browser.findAll("#notice .notice").isEmpty)
            }
        }

        @Test("A picture that can't be loaded is a placeholder, not the browser's broken picture")
        func placeholder() async throws {
            let services = OfflineServices()
            services.images.scenario = .serverError
            try await TestSite.run(services) { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=octocat", of: site)
                    let image = "document.querySelector('#rows img')"
                    try await browser.wait(until: "the picture") {
                        try await browser.execute("return \(image).complete") == true
                    }
                    #expect(try await browser.execute("return \(image).naturalWidth > 0") == true)
                }
            }
        }

        @Test("A large screenshot is larger than its thumbnail, and an app has one icon")
        func pictures() async throws {
            try await visit("/app-store/apps/1500000001") { browser, site in
                func size(_ selector: String) async throws -> [Double] {
                    let box = "document.querySelector(arguments[0]).getBoundingClientRect()"
                    try await browser.wait(until: "the picture") {
                        try await browser.execute(
                            "const e = document.querySelector(arguments[0]); return e?.complete && e.naturalWidth > 0",
                            .string(selector)
                        ) == true
                    }
                    return try await browser.execute("return [\(box).width, \(box).height]", .string(selector)).array?
                        .compactMap(\.number) ?? []
                }
                let thumbnail = try await size(".pictures img")
                try await browser.followLink(in: ".pictures", startingWith: "/app-store/apps/1500000001")
                let large = try await size(".gallery img")
                #expect(large[0] > thumbnail[0] && large[1] > thumbnail[1], "\(large), \(thumbnail)")
            }
        }

        @Test("A page of nothing has the status 404, says so once, and leads to the start")
        func missing() async throws {
            try await visit("/github/users/nobody-has-this") { browser, site in
                for path in ["/github/users/nobody-has-this", "/nothing"] {
                    try await browser.open(path, of: site)
                    let status = try await browser.execute(
                        "return performance.getEntriesByType('navigation')[0].responseStatus"
                    )
                    #expect(status == 404, "\(path)")
                    let text = try await browser.find("main").text
                    #expect(text.components(separatedBy: "Not Found").count == 2, "\(text)")
                    #expect(try await browser.findAll("main a[href=\"/\"]").count == 1)
                    #expect(
                        try await browser.findAll("#status .message + .help, #status [data-status] + .help").count == 1
                    )
                }
                // The browser reports the status.
                _ = try await browser.consoleMessages()
            }
        }

        @Test("A star of a signed-out visitor says why to sign in, and comes back with the star")
        func star() async throws {
            try await visit("/repos?q=velvet-comet") { browser, _ in
                let star = "button.star[aria-label*=\"mockworks/velvet-comet\"]"
                try await browser.waitForNavigation { try await browser.click("\(star)[aria-pressed=false]") }
                try await browser.wait(for: "main", containing: "Sign in to star")
                try await browser.waitForNavigation { try await browser.press(button: "Sign In with GitHub") }
                try await browser.waitForNavigation { try await browser.press(button: "haneul-kim") }
                #expect(try await browser.location.hasPrefix("/repos?"))
                try await browser.wait(for: ".notice", containing: "the star is set")
                try await browser.wait(for: "\(star)[aria-pressed=true]")
            }
        }

        @Test("The colors of the site can be chosen, and stay")
        func theme() async throws {
            try await visit("/") { browser, _ in
                let color = "return getComputedStyle(document.body).backgroundColor"
                let light = try await browser.execute(color)
                try await browser.choose("Dark")
                let dark = try await browser.execute(color)
                #expect(dark != light)
                try await browser.follow("Users: octocat")
                #expect(try await browser.rowTitles.contains("octocat"))
                #expect(try await browser.execute(color) == dark)
                try await browser.choose("System")
                #expect(try await browser.execute(color) == light)
                #expect(try await browser.findAll(".settings [value='theme system'][aria-current]").count == 1)
            }
        }

        @Test(
            "On a phone, the header has 96 pixels and shows its links, and the form leaves room for results",
            arguments: ["en", "ko"]
        )
        func phone(language: String) async throws {
            try await visit("/characters", BrowserOptions(language: language, viewport: .phone)) { browser, site in
                for width in [320, 375] {
                    try await browser.devTools(
                        "Emulation.setDeviceMetricsOverride",
                        ["width": .number(Double(width)), "height": 800, "deviceScaleFactor": 2, "mobile": true]
                    )
                    let header = "return document.querySelector('.site').offsetHeight"
                    #expect(try await browser.execute(header).number ?? 999 <= 96, "\(width)")
                    let links = """
                        return [...document.querySelectorAll('.site a')].filter(link => {
                            const box = link.getBoundingClientRect();
                            return link.checkVisibility() && box.left >= 0 && box.right <= innerWidth;
                        }).map(link => link.pathname)
                        """
                    let shown: JSON = [
                        "/", "/favorites", "/account", "/users", "/characters", "/apps", "/characters", "/episodes",
                        "/locations",
                    ]
                    #expect(try await browser.execute(links) == shown)
                }
                try await browser.open("/repos?q=kernel", of: site)
                let height = try await browser.execute("return document.getElementById('form').offsetHeight")
                #expect(height.number ?? 999 < 200)
            }
        }
    }
}
