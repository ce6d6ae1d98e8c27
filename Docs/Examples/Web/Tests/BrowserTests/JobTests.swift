import Foundation
import Testing
import WebDriver

extension BrowserSuite {
    /// The jobs of the five apps that BrowseKit replaces, in both engines.
    struct JobTests {
        @Test("Followers, a profile, and favorites", arguments: BrowserEngine.allCases)
        func followers(engine: BrowserEngine) async throws {
            try await TestSite.run(in: engine) { site in
                try await site.browse { browser in
                    try await browser.open("/github/users/octocat", of: site)
                    try await browser.wait(for: "h1", containing: "octocat")
                    try await browser.follow("Followers: 257")
                    try await browser.follow("haneul-kim")
                    try await browser.wait(for: "h1", containing: "haneul-kim")
                    try await browser.setFavorite("haneul-kim")
                    try await browser.follow("Favorites")
                    try await browser.wait(for: "#rows .row", containing: "haneul-kim")
                    try await browser.follow("haneul-kim")
                    try await browser.wait(for: "h1", containing: "haneul-kim")
                }
            }
        }

        @Test("A search, a sign-in, and a star, which is set after signing in", arguments: BrowserEngine.allCases)
        func stars(engine: BrowserEngine) async throws {
            try await TestSite.run(in: engine) { site in
                try await site.browse { browser in
                    try await browser.open("/repos?q=velvet-comet", of: site)
                    let name = "button.star[aria-label*=\"mockworks/velvet-comet\"]"
                    try await browser.waitForNavigation { try await browser.click("\(name)[aria-pressed=false]") }
                    #expect(try await browser.url.path() == "/sign-in")
                    try await browser.waitForNavigation { try await browser.press(button: "Sign In with GitHub") }
                    try await browser.waitForNavigation { try await browser.press(button: "haneul-kim") }
                    try await browser.open("/repos?q=velvet-comet", of: site)
                    try await browser.wait(for: "\(name)[aria-pressed=true]")
                    try await browser.open("/github/stars", of: site)
                    try await browser.wait(for: "#rows .row", containing: "velvet-comet")
                }
            }
        }

        @Test("A search and favorites, which the search can be limited to", arguments: BrowserEngine.allCases)
        func favorites(engine: BrowserEngine) async throws {
            try await TestSite.run(in: engine) { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=everyone", of: site)
                    for number in ["0001", "0002"] {
                        try await browser.setFavorite("everyone-\(number)")
                    }
                    try await browser.open("/users?q=2&scope=favorites", of: site)
                    try await browser.wait(forTitles: ["everyone-0002"])
                    try await browser.open("/favorites", of: site)
                    try await browser.wait(for: 2, of: "#rows .row")
                }
            }
        }

        @Test("A character, an episode, and a resident of a location", arguments: BrowserEngine.allCases)
        func characters(engine: BrowserEngine) async throws {
            try await TestSite.run(in: engine) { site in
                try await site.browse { browser in
                    try await browser.open("/characters", of: site)
                    try await browser.followLink(to: "/rick-and-morty/characters/1")
                    let name = try await browser.wait(for: "the name") { try await browser.findAll("h1").first?.text }
                    try await browser.followLink(in: "main", startingWith: "/rick-and-morty/episodes/")
                    try await browser.wait(for: "main", containing: name)
                    try await browser.followLink(in: "main", startingWith: "/rick-and-morty/characters/")
                    try await browser.followLink(in: "main", startingWith: "/rick-and-morty/locations/")
                    try await browser.followLink(in: "main", startingWith: "/rick-and-morty/characters/")
                    try await browser.wait(for: "h1")
                }
            }
        }

        @Test("The lookup of an app and its gallery", arguments: BrowserEngine.allCases)
        func apps(engine: BrowserEngine) async throws {
            try await TestSite.run(in: engine) { site in
                try await site.browse { browser in
                    try await browser.open("/apps?mode=look-up", of: site)
                    try await browser.find("input[name=q]").type("1500000001")
                    try await browser.waitForNavigation { try await browser.press(button: "Search") }
                    let app = try await browser.wait(for: "the app") {
                        try await browser.findAll("#rows a[href^=\"/app-store/apps/\"]").first?.text
                    }
                    try await browser.followLink(in: "#rows", startingWith: "/app-store/apps/1500000001")
                    try await browser.wait(for: "h1", containing: app)
                    try await browser.wait(for: ".stars")
                    try await browser.followLink(
                        in: ".pictures",
                        startingWith: "/app-store/apps/1500000001-us/screenshots/"
                    )
                    try await browser.wait(for: "main img")
                }
            }
        }
    }
}

extension Browser {
    /// Clicks the link to an address, once it exists, and waits for its page.
    func followLink(to address: String) async throws {
        try await waitForNavigation { try await click("main a[href=\"\(address)\"]") }
    }

    /// Clicks the first link in an element whose address starts with a text, and waits for its page.
    func followLink(in element: String, startingWith address: String) async throws {
        try await waitForNavigation { try await click("\(element) a[href^=\"\(address)\"]") }
    }
}
