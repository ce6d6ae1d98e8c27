import Testing
import WebDriver

extension BrowserSuite {
    struct NoScriptTests {
        @Test("Without JavaScript, lists are read to their end by links")
        func reading() async throws {
            try await TestSite.run { site in
                try await site.browse(BrowserOptions(runsScripts: false)) { browser in
                    try await browser.open("/github/users/octocat/followers", of: site)
                    #expect(try await browser.findAll("#rows .row").count == 100)
                    try await browser.waitForNavigation { try await browser.click("#more a") }
                    #expect(try await browser.findAll("#rows .row").count == 200)
                    // The first new row is in view, and a row of which a button was pressed.
                    func top(_ row: Int) async throws -> Double {
                        let script =
                            "return document.querySelectorAll('#rows .row')[arguments[0]].getBoundingClientRect().top"
                        return try await browser.execute(script, .number(Double(row))).number ?? -1
                    }
                    #expect(try await (0..<700).contains(top(100)))
                    let mark = ".row:nth-child(150) button.favorite"
                    try await browser.waitForNavigation { try await browser.click(mark) }
                    #expect(try await browser.findAll("\(mark)[aria-pressed=true]").count == 1)
                    #expect(try await (0..<700).contains(top(149)))
                    try await browser.waitForNavigation { try await browser.click("#more a") }
                    #expect(try await browser.findAll("#rows .row").count == 257)
                    #expect(try await browser.findAll("#more a").isEmpty)
                }
            }
        }

        @Test("Without JavaScript, forms search, filter, and set marks")
        func forms() async throws {
            try await TestSite.run { site in
                try await site.browse(BrowserOptions(runsScripts: false)) { browser in
                    try await browser.open("/users", of: site)
                    try await browser.find("input[name=q]").type("octocat")
                    try await browser.waitForNavigation { try await browser.press(button: "Search") }
                    #expect(try await browser.rowTitles.contains("octocat"))
                    try await browser.setFavorite("octocat")
                    try await browser.follow("Favorites")
                    #expect(try await browser.rowTitles == ["octocat"])
                    try await browser.waitForNavigation { try await browser.click("button.favorite") }
                    #expect(try await browser.findAll("#rows .row").isEmpty)
                }
            }
        }

        @Test("Without JavaScript, a visitor signs in, stars a repository, and signs out")
        func session() async throws {
            try await TestSite.run { site in
                try await site.browse(BrowserOptions(runsScripts: false)) { browser in
                    try await browser.signIn(as: "haneul-kim", at: site)
                    try await browser.open("/github/users/mockworks/repos", of: site)
                    let star = "button.star[aria-label*=\"mockworks/velvet-comet\"]"
                    try await browser.waitForNavigation { try await browser.click("\(star)[aria-pressed=false]") }
                    #expect(try await browser.findAll("\(star)[aria-pressed=true]").count == 1)
                    try await browser.open("/account", of: site)
                    for button in ["ask-to-sign-out", "sign-out"] {
                        try await browser.waitForNavigation { try await browser.click("button[value=\(button)]") }
                    }
                    #expect(try await !browser.text.contains("haneul-kim"))
                }
            }
        }

        @Test("Without JavaScript, every page shows its content", arguments: LayoutTests.pages)
        func pages(_ page: String) async throws {
            try await TestSite.run { site in
                try await site.browse(BrowserOptions(runsScripts: false)) { browser in
                    try await browser.open(page, of: site)
                    #expect(try await !browser.find("h1").text.isEmpty)
                    #expect(try await browser.findAll("[data-status=loading], [data-status=failed]").isEmpty)
                }
            }
        }
    }
}
