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
                    try await browser.find("button.favorite").click()
                    try await browser.waitForNo("#rows .row")
                    try await browser.select(search)
                    try await browser.waitForFavorite("octocat", false)
                    try await browser.setFavorite("octocat")
                    try await browser.reload()
                    try await browser.waitForFavorite("octocat")
                }
            }
        }
    }
}
