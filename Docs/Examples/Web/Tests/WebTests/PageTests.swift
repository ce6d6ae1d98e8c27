import BrowseKit
import BrowseMocks
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import WebSupport

@testable import WebApp

@Suite("Pages")
struct PageTests {
    @Test(
        "Every screen is rendered with its content",
        arguments: [
            ("/users?q=octocat", "octocat"), ("/users/octocat", "The Octocat"), ("/users/octocat/followers", "row-"),
            ("/users/octocat/following", "row-"), ("/users/octocat/repos", "row-"), ("/repos?q=swift", "row-"),
            ("/favorites", "No Favorites"), ("/account", "Not Signed In"), ("/sign-in", "Sign In with GitHub"),
            ("/characters", "Ada Quark"), ("/characters/1", "Ada Quark"), ("/episodes", "S01E01"),
            ("/episodes/1", "S01E01"), ("/locations", "row-"), ("/locations/1", "row-"), ("/apps?q=tea", "row-"),
        ]
    )
    func screens(_ address: String, _ text: String) async throws {
        try await withSite { _, client in
            let page = try await Browser(client).open(address)
            #expect(page.status == .ok)
            #expect(page.html.contains(text))
            #expect(page.matches(/(<h1>)/).count == 1)
            #expect(page.html.contains("<main id=\"main\""))
        }
    }

    @Test("The number of pages in the address is loaded")
    func pages() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            #expect(try await browser.open("/users/octocat/followers").rows.count == 100)
            let all = try await browser.open("/users/octocat/followers?pages=3")
            #expect(all.rows.count == 257)
            #expect(Set(all.rows).count == 257)
            #expect(!all.html.contains("rel=\"next\""))
        }
    }

    @Test("The link at the end of a list leads to its next page")
    func more() async throws {
        try await withSite { _, client in
            let page = try await Browser(client).open("/users/octocat/followers?filter=")
            #expect(page.html.contains("href=\"/users/octocat/followers?pages=2#more\""))
        }
    }

    @Test("Text is in the browser's language until another one is chosen")
    func languages() async throws {
        try await withSite { _, client in
            let browser = Browser(client, language: "ko-KR,ko;q=0.9,en;q=0.8")
            let korean = try await browser.open("/characters/1")
            #expect(korean.html.contains("<html lang=\"ko\">"))
            #expect(korean.html.contains("생존"))
            let english = try await browser.press("language en", on: korean)
            #expect(english.html.contains("<html lang=\"en\">"))
            #expect(english.html.contains("Alive"))
            #expect(english.title == korean.title)
        }
    }

    @Test(
        "Headings have no gaps in their levels",
        arguments: ["/characters/1", "/users?q=o", "/favorites", "/nothing"]
    )
    func headings(_ address: String) async throws {
        try await withSite { _, client in
            let levels = try await Browser(client).open(address).matches(/<h([1-6])>/).compactMap { Int($0) }
            #expect(levels.first == 1)
            for (level, next) in zip(levels, levels.dropFirst()) { #expect(next <= level + 1) }
        }
    }

    @Test("Text from a service is never markup")
    func escaping() async throws {
        let profile = """
            {"login":"mallory","id":66,"type":"User","name":"<b>M</b>","bio":"<script>alert(1)</script>",
            "followers":0,"blog":"javascript:alert(1)","html_url":"http://example.com","created_at":"2011-01-25T18:44:36Z"}
            """
        let data = try OfflineData.bundled.adding(OfflineData(files: ["GitHub/user-mallory": Data(profile.utf8)]))
        try await withSite(SiteConfiguration(source: .fixtures(OfflineServices(data: data)))) { _, client in
            let page = try await Browser(client).open("/users/mallory")
            #expect(page.html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
            #expect(!page.html.contains("<script>alert"))
            #expect(!page.html.contains("href=\"javascript"))
            // Links leave the site over https only.
            #expect(!page.html.contains("href=\"http://"))
        }
    }

    @Test(
        "Addresses that lead nowhere are errors in the site's layout",
        arguments: ["/nothing", "/users/a%2Fb", "/characters/one", "/apps/1/screenshots/x"]
    )
    func missing(_ address: String) async throws {
        try await withSite { _, client in
            let page = try await Browser(client).open(address)
            #expect(page.status == .notFound)
            #expect(page.title == "Page Not Found")
        }
    }

    @Test("An address that's too long is refused")
    func longAddress() async throws {
        try await withSite { _, client in
            let page = try await Browser(client).open("/users?q=" + String(repeating: "a", count: 2_000))
            #expect(page.status == .badRequest)
        }
    }
}
