import BrowseMocks
import Foundation
import Testing
import WebDriver

extension BrowserSuite {
    struct VisitorTests {
        @Test("Two visitors have separate favorites and sessions")
        func separate() async throws {
            try await TestSite.run { site in
                try await site.browse { one in
                    try await site.browse { two in
                        try await one.signIn(as: "haneul-kim", at: site)
                        try await one.open("/users?q=octocat", of: site)
                        try await one.setFavorite("octocat")

                        try await two.open("/favorites", of: site)
                        try await two.wait(for: "#status [data-status=empty]")
                        try await two.open("/account", of: site)
                        #expect(try await !two.text.contains("haneul-kim"))
                        try await two.signIn(as: "octocat", at: site)

                        try await one.open("/github/repos", of: site)
                        try await one.wait(for: "#rows .row", containing: "moonlit-diary")
                        try await two.open("/github/repos", of: site)
                        try await two.wait(for: "#rows .row", containing: "secret-garden")
                        #expect(try await !two.text.contains("moonlit-diary"))
                        #expect(try await !one.text.contains("secret-garden"))
                    }
                }
            }
        }

        @Test("A script in a user's bio is shown as text and doesn't run")
        func script() async throws {
            let bio = "<script>document.title = 'hacked'</script><img src=x onerror=\"document.title='hacked'\">"
            let data = try Fixtures.gitHub.adding(Fixtures(["user-mallory": Self.profile(bio: bio)]))
            let services = OfflineServices(gitHub: try OfflineGitHub(data: data))
            try await TestSite.run(services) { site in
                try await site.browse { browser in
                    try await browser.open("/github/users/mallory", of: site)
                    try await browser.wait(for: "main", containing: "<script>document.title = 'hacked'</script>")
                    #expect(try await browser.title.contains("mallory"))
                    #expect(try await browser.findAll("main script, main [onerror], main a[href^=javascript]").isEmpty)
                }
            }
        }

        @Test("Scripts that were in the page anyway would be blocked")
        func policy() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users", of: site)
                    let title = try await browser.title
                    try await browser.execute(
                        """
                        const script = document.createElement('script');
                        try {
                            script.textContent = "document.title = 'hacked'";
                            document.body.append(script);
                        } catch {}
                        """
                    )
                    #expect(try await browser.title == title)
                    // The browser reports the blocked script; all other messages would be errors.
                    let messages = try await browser.consoleMessages().map(\.message)
                    #expect(!messages.isEmpty)
                    #expect(messages.allSatisfy { $0.contains("Content Security Policy") || $0.contains("Trusted") })
                }
            }
        }

        private static func profile(bio: String) throws -> Data {
            try JSONSerialization.data(withJSONObject: [
                "login": "mallory", "id": 666, "type": "User", "bio": bio, "name": bio,
                "avatar_url": "https://avatars.githubusercontent.com/u/666?v=4",
                "html_url": "https://github.com/mallory",
                "blog": "javascript:document.title='hacked'", "company": bio, "location": bio,
                "public_repos": 0, "public_gists": 0, "followers": 0, "following": 0,
                "created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z",
            ])
        }
    }
}
