import BrowseMocks
import Foundation
import Testing
import WebDriver

extension BrowserSuite {
    struct VisitorTests {
        @Test("A script in a user's bio is shown as text and doesn't run")
        func script() async throws {
            let bio = "<script>document.title = 'hacked'</script><img src=x onerror=\"document.title='hacked'\">"
            let data = try OfflineData(files: ["GitHub/user-mallory": Self.profile(bio: bio)])
            let services = OfflineServices(data: try OfflineData.bundled.adding(data))
            try await TestSite.run(services) { site in
                try await site.browse { browser in
                    try await browser.open("/users/mallory", of: site)
                    try await browser.wait(for: "main", containing: "<script>document.title = 'hacked'</script>")
                    #expect(try await browser.title.contains("mallory"))
                    #expect(try await browser.findAll("main script, main [onerror], main a[href^=javascript]").isEmpty)
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
