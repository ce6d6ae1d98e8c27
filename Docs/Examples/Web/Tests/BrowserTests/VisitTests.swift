import BrowseMocks
import Foundation
import Testing
@testable import WebApp
import WebDriver

extension BrowserSuite {
    /// What a visitor meets on the way through the site, in the order of a visit.
    struct VisitTests {
        private func visit(
            _ path: String,
            _ options: BrowserOptions = BrowserOptions(),
            _ services: OfflineServices = OfflineServices(),
            _ body: @escaping @Sendable (Browser, TestSite) async throws -> Void
        ) async throws {
            try await TestSite.run(services) { site in
                try await site.browse(options) { browser in
                    try await browser.open(path, of: site)
                    try await body(browser, site)
                }
            }
        }

        private static let star = "button.star[aria-label*=\"mockworks/velvet-comet\"]"

        @Test("The start says what this is, shows a live list, and has a title and a description")
        func start() async throws {
            try await visit("/") { browser, _ in
                #expect(try await browser.title == "BrowseKit")
                let description = "return document.querySelector('meta[name=description]').content.length"
                #expect(try await browser.execute(description).number ?? 0 > 80)
                try await browser.wait(for: 6, of: "#rows .row")
                #expect(try await browser.findAll(".card .links a").count == 6)
                try await browser.click("#rows .row:first-child button.favorite")
                try await browser.wait(for: "#rows .row:first-child button[aria-pressed=true]")
            }
        }

        @Test("A star that GitHub refuses after the sign-in isn't called set", arguments: [true, false])
        func refusedStar(isRefused: Bool) async throws {
            let services = OfflineServices()
            try await visit("/repos?q=velvet-comet", BrowserOptions(), services) { browser, site in
                try await browser.waitForNavigation { try await browser.click("\(Self.star)[aria-pressed=false]") }
                try await browser.waitForNavigation { try await browser.press(button: "Sign In with GitHub") }
                if isRefused {
                    services.gitHub.scenarios.set(.serverError, for: .put("/user/starred/mockworks/velvet-comet"))
                }
                try await browser.waitForNavigation { try await browser.press(button: "haneul-kim") }
                #expect(try await !browser.location.contains("done"))
                try await browser.wait(for: ".notice", containing: isRefused ? "the star isn’t set" : "the star is set")
                try await browser.wait(for: "\(Self.star)[aria-pressed=\(!isRefused)]")
                // It waits once, and an address claims nothing.
                try await browser.open("/repos?q=velvet-comet&done=star", of: site)
                #expect(try await browser.findAll("#notice .notice").isEmpty)
            }
        }

        @Test("Signing in leads back to the row whose star was pressed")
        func row() async throws {
            try await visit("/github/users/mockworks/repos") { browser, _ in
                let last = "#rows .row:last-child button.star"
                let name = try await browser.find(last).attribute("aria-label") ?? ""
                try await browser.waitForNavigation {
                    try await browser.execute("document.querySelector('\(last)').click()")
                }
                try await browser.waitForNavigation { try await browser.press(button: "Sign In with GitHub") }
                try await browser.waitForNavigation { try await browser.press(button: "haneul-kim") }
                let isInView = """
                    const box = document.querySelector('.row:target').getBoundingClientRect();
                    return box.top >= 0 && box.bottom <= innerHeight
                    """
                #expect(try await browser.execute(isInView) == true)
                // Its count changes.
                let repo = name.prefix { $0 != "," }
                #expect(
                    try await browser.find(".row:target button.star").attribute("aria-label")?.hasPrefix(repo) == true
                )
                try await browser.wait(for: ".row:target button.star[aria-pressed=true]")
            }
        }

        @Test("A page that was signed out elsewhere asks to sign in for the star, and leads back")
        func signedOutElsewhere() async throws {
            try await visit("/") { browser, site in
                try await browser.signIn(as: "haneul-kim", at: site)
                try await browser.open("/repos?q=velvet-comet", of: site)
                try await browser.wait(for: "\(Self.star)[aria-pressed=false]")
                let first = try await browser.window
                try await browser.openWindow()
                try await browser.open("/account", of: site)
                try await browser.click("button[value=ask-to-sign-out]")
                try await browser.click("button[value=sign-out]")
                try await browser.wait(for: "main a[href^=\"/sign-in\"]")
                try await browser.select(first)
                try await browser.waitForNavigation { try await browser.click("\(Self.star)") }
                try await browser.wait(for: "main", containing: "Sign in to star")
                #expect(try await browser.findAll("main a[href^=\"/sign-in\"]").isEmpty)
                try await browser.waitForNavigation { try await browser.press(button: "Sign In with GitHub") }
                try await browser.waitForNavigation { try await browser.press(button: "haneul-kim") }
                #expect(try await browser.location.hasPrefix("/repos?"))
            }
        }

        @Test("Back finds the same row at the same place, and each settled search")
        func back() async throws {
            try await visit("/github/users/octocat/followers") { browser, site in
                try await browser.wait(for: 257, of: "#rows .row", scrolling: true)
                let place =
                    "return Math.round(document.querySelectorAll('#rows .row')[239].getBoundingClientRect().top)"
                try await browser.execute(
                    "document.querySelectorAll('#rows .row')[239].scrollIntoView({block: 'center'})"
                )
                let before = try await browser.execute(place).number ?? -1
                try await browser.waitForNavigation {
                    try await browser.execute("document.querySelectorAll('#rows .row a')[239].click()")
                }
                try await browser.goBack()
                try await browser.wait(for: 257, of: "#rows .row")
                try await browser.wait(until: "the row is where it was") {
                    abs((try await browser.execute(place).number ?? -999) - before) < 8
                }
                try await browser.open("/users", of: site)
                for text in ["octocat", "-nobody"] {
                    try await browser.find("input[name=q]").type(text + "\u{E007}")
                    try await browser.wait(forLocation: "/users?q=octocat\(text == "octocat" ? "" : text)&scope=github")
                }
                try await browser.goBack()
                try await browser.wait(forLocation: "/users?q=octocat&scope=github")
                try await browser.wait(for: "#rows .row", containing: "octocat")
                try await browser.goBack()
                try await browser.wait(forLocation: "/users")
            }
        }

        @Test("Titles keep the name of the site, and name the search")
        func titles() async throws {
            try await visit("/users?q=octo") { browser, _ in
                #expect(try await browser.title == "octo – Users – BrowseKit")
                try await browser.find("input[name=q]").type("cat")
                try await browser.wait(until: "the title") { try await browser.title == "octocat – Users – BrowseKit" }
            }
        }

        @Test("Results, counts of a filter, and failures are in the live region")
        func announcements() async throws {
            let services = OfflineServices()
            let path = "/github/users/octocat/followers?filter=haneul"
            try await visit(path, BrowserOptions(), services) { browser, site in
                let region = "return document.querySelector('#status [role=status]').textContent"
                #expect(try await browser.execute(region).string?.contains("item") == true)
                services.gitHub.scenario = .serverError
                try await browser.open("/repos?q=kernel-\(Int.random(in: 0..<99_999))", of: site)
                try await browser.wait(for: "#status[data-part] .help, #status .help")
                #expect(try await browser.execute(region).string?.count ?? 0 > 30)
            }
        }

        @Test("Undo with the keyboard moves the focus to the row, and a notice covers no focused row")
        func focus() async throws {
            try await visit("/users?q=everyone-000") { browser, site in
                for number in 1...2 { try await browser.setFavorite("everyone-000\(number)") }
                try await browser.open("/favorites", of: site)
                try await browser.click("#rows .row:first-child button.favorite")
                try await browser.wait(forTitles: ["everyone-0002"])
                // The notice is before the row that has the focus.
                for button in ["dismiss", "undo"] {
                    try await browser.press(.tab, with: .shift)
                    let value = try await browser.execute("return document.activeElement.value").string
                    #expect(value?.hasPrefix(button) == true)
                }
                try await browser.press(.enter)
                try await browser.wait(forTitles: ["everyone-0001", "everyone-0002"])
                try await browser.wait(until: "the row has the focus") {
                    let text = "document.activeElement.closest('.row')?.querySelector('.text').textContent.trim()"
                    return try await browser.execute("return \(text)").string?.hasPrefix("everyone-0001") == true
                }
                try await browser.execute(
                    """
                    document.body.style.paddingTop = '1000px';
                    const link = document.querySelector('#rows .row:last-child a');
                    scrollTo(0, 0);
                    const box = link.getBoundingClientRect();
                    scrollTo(0, box.bottom - innerHeight + 4);
                    link.focus({ preventScroll: true });
                    """
                )
                try await browser.execute("document.querySelector('#rows .row:first-child button.favorite').click()")
                try await browser.wait(for: "#notice .notice")
                try await browser.wait(until: "the focus isn't covered") {
                    try await browser.execute(
                        """
                        const focused = document.activeElement.getBoundingClientRect();
                        return focused.bottom <= document.querySelector('#notice .notice').getBoundingClientRect().top
                        """
                    ) == true
                }
            }
        }
    }
}
