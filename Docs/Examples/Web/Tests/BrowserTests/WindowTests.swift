import BrowseMocks
import Foundation
import TestServers
import Testing
@testable import WebApp
import WebDriver

extension BrowserSuite {
    /// Several windows of one visitor, and pages that were away for a while.
    struct WindowTests {
        @Test("A star appears in eight visible windows without using them, also after some were closed")
        func turns() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    let star = "button.star[aria-label*=\"mockworks/velvet-comet\"]"
                    try await browser.signIn(as: "haneul-kim", at: site)
                    try await browser.open("/repos?q=velvet-comet", of: site)
                    let first = try await browser.window
                    var windows: [Window] = []
                    for _ in 2...8 {
                        windows.append(try await browser.openWindow())
                        try await browser.open("/github/users/mockworks/repos", of: site)
                        try await browser.wait(for: "\(star)[aria-pressed=false]")
                    }
                    // The last windows hold the visitor's four streams.
                    for _ in 1...2 {
                        try await browser.closeWindow()
                        windows.removeLast()
                        try await browser.select(windows[windows.count - 1])
                    }
                    try await browser.select(first)
                    try await browser.click("\(star)[aria-pressed=false]")
                    for window in windows + [first] {
                        try await browser.select(window)
                        try await browser.wait(for: "\(star)[aria-pressed=true]")
                    }
                }
            }
        }

        @Test("Going back shows what changed meanwhile")
        func history() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=octocat", of: site)
                    try await browser.setFavorite("octocat")
                    try await browser.open("/favorites", of: site)
                    try await browser.click("#rows button.favorite")
                    try await browser.waitForNo("#rows .row")
                    try await browser.goBack()
                    try await browser.waitForFavorite("octocat", false)
                    try await browser.setFavorite("octocat")
                }
            }
        }

        @Test("A page that a browser stores for going back shows what changed meanwhile")
        func stored() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    // Chromium doesn't store pages with `Cache-Control: no-store`; other browsers may.
                    let send = "dispatchEvent(new PageTransitionEvent(arguments[0], { persisted: true }))"
                    try await browser.open("/users?q=octocat", of: site)
                    let stored = try await browser.window
                    try await browser.execute(send, "pagehide")
                    try await browser.openWindow()
                    try await browser.open("/users?q=octocat", of: site)
                    try await browser.setFavorite("octocat")
                    try await browser.closeWindow()
                    try await browser.select(stored)
                    try await browser.execute(send, "pageshow")
                    try await browser.waitForFavorite("octocat")
                }
            }
        }

        @Test("A page continues after the server was restarted, and keeps the text that is being typed")
        func restart() async throws {
            let driver = try await Driver.start()
            try await driver.withBrowser { browser in
                let configuration = SiteConfiguration(source: .fixtures(OfflineServices()))
                let port = Int(try freePort())
                try await TestSite.serve(configuration, at: port, for: driver) { site in
                    try await browser.open("/users", of: site)
                    try await browser.find("input[name=q]").type("octocat")
                    try await browser.setFavorite("octocat")
                    try await browser.find("input[name=q]").type("!")
                    try await browser.execute("window.marker = 'the same document'")
                }
                // The visitor is the same, because the signer is; favorites were only in memory.
                try await TestSite.serve(configuration, at: port, for: driver) { site in
                    try await browser.find("input[name=q]").type("\u{E003}")
                    try await browser.setFavorite("octocat")
                    #expect(try await browser.find("input[name=q]").property("value") == "octocat")
                    #expect(try await browser.execute("return window.marker") == "the same document")
                }
            }
            await driver.stop()
        }
    }
}
