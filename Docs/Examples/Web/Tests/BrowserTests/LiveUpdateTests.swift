import Testing
import WebDriver

extension BrowserSuite {
    struct LiveUpdateTests {
        @Test("A favorite appears on the other page of a visitor, and survives a reload")
        func favorite() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=octocat", of: site)
                    let search = try await browser.window
                    let favorites = try await browser.openWindow()
                    try await browser.open("/favorites", of: site)
                    try await browser.select(search)
                    try await browser.setFavorite("octocat")
                    try await browser.select(favorites)
                    try await browser.wait(for: "#rows .row", containing: "octocat")
                    try await browser.click("button.favorite")
                    try await browser.waitForNo("#rows .row")
                    try await browser.select(search)
                    try await browser.waitForFavorite("octocat", false)
                    try await browser.setFavorite("octocat")
                    try await browser.reload()
                    try await browser.waitForFavorite("octocat")
                }
            }
        }

        @Test("A star appears on the other page of a visitor")
        func star() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    let star = "button.star[aria-label*=\"mockworks/velvet-comet\"]"
                    try await browser.signIn(as: "haneul-kim", at: site)
                    try await browser.open("/repos?q=velvet-comet", of: site)
                    let search = try await browser.window
                    let repos = try await browser.openWindow()
                    try await browser.open("/github/users/mockworks/repos", of: site)
                    try await browser.wait(for: "\(star)[aria-pressed=false]")
                    try await browser.select(search)
                    try await browser.click("\(star)[aria-pressed=false]")
                    try await browser.wait(for: "\(star)[aria-pressed=true]")
                    try await browser.select(repos)
                    try await browser.click("\(star)[aria-pressed=true]")
                    try await browser.select(search)
                    try await browser.wait(for: "\(star)[aria-pressed=false]")
                }
            }
        }

        /// FlorianZ/hadashboard#2
        @Test("A page whose stream has had no event for too long opens it again, as after a sleep")
        func silence() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=octocat", of: site)
                    try await browser.wait(for: "body[data-live]")
                    try await browser.execute(
                        """
                        document.body.dataset.live = 'before';
                        const now = Date.now;
                        Date.now = () => now() + 3_600_000;
                        """
                    )
                    try await browser.wait(for: "body[data-live]:not([data-live=before])")
                }
            }
        }

        @Test("Eight pages of a browser show a favorite, although a browser opens six connections")
        func eightPages() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=octocat", of: site)
                    let first = try await browser.window
                    var windows: [Window] = []
                    for _ in 2...8 {
                        // A browser shows one tab of a window; the stream of a hidden page is closed.
                        try await browser.hideWindow()
                        windows.append(try await browser.openWindow())
                        try await browser.open("/favorites", of: site)
                        try await browser.wait(for: "#status [data-status=empty]")
                    }
                    try await browser.hideWindow()
                    try await browser.select(first)
                    try await browser.showWindow()
                    try await browser.setFavorite("octocat")
                    for window in windows {
                        try await browser.hideWindow()
                        try await browser.select(window)
                        try await browser.showWindow()
                        try await browser.wait(for: "#rows .row", containing: "octocat")
                    }
                }
            }
        }

        /// eclipse-sw360/sw360-frontend#1339
        @Test("A request that ends because another page begins to load is no trouble")
        func leaving() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=octocat", of: site)
                    try await browser.wait(for: "body[data-live]")
                    for isLeaving in [true, false] {
                        try await browser.execute(
                            """
                            window.fetch = () => new Promise((_, reject) => { window.fail = reject; });
                            document.querySelector('button.favorite').click();
                            if (arguments[0]) window.dispatchEvent(new Event('beforeunload'));
                            window.fail(new TypeError());
                            """,
                            .bool(isLeaving)
                        )
                        let isHidden = try await browser.execute("return document.querySelector('#trouble').hidden")
                        #expect(isHidden == .bool(isLeaving))
                        // Later than the last page began to load.
                        try await browser.execute("const now = Date.now; Date.now = () => now() + 1")
                    }
                }
            }
        }

        @Test("Eight visible pages of a browser show a favorite, at the latest when they're used")
        func eightVisiblePages() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=octocat", of: site)
                    let first = try await browser.window
                    var windows: [Window] = []
                    for _ in 2...8 {
                        windows.append(try await browser.openWindow())
                        try await browser.open("/favorites", of: site)
                    }
                    try await browser.select(first)
                    try await browser.setFavorite("octocat")
                    for window in windows {
                        try await browser.select(window)
                        try await browser.focusWindow()
                        try await browser.wait(for: "#rows .row", containing: "octocat")
                    }
                }
            }
        }
    }
}
