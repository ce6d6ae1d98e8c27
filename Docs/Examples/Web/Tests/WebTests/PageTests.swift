import BrowseKit
import BrowseMocks
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import WebApp

@Suite("Pages")
struct PageTests {
    @Test(
        "Every screen is rendered with its content",
        arguments: [
            ("/users?q=octocat", "octocat"), ("/github/users/octocat", "The Octocat"),
            ("/github/users/octocat/followers", "row-"),
            ("/github/users/octocat/following", "row-"), ("/github/users/octocat/repos", "row-"),
            ("/repos?q=swift", "row-"),
            ("/github/repos/5000043831", "&lt;script&gt;alert(&quot;an arm &amp; a leg&quot;)&lt;/script&gt;"),
            ("/github/users/octocat/repos/linguist-fork", "/github/repos/416480767"),
            ("/favorites", "No Favorites"), ("/account", "Not Signed In"), ("/sign-in", "Sign In with GitHub"),
            ("/characters", "Ada Quark"), ("/rick-and-morty/characters/1", "Ada Quark"), ("/episodes", "S01E01"),
            ("/rick-and-morty/episodes/1", "S01E01"), ("/locations", "row-"), ("/rick-and-morty/locations/1", "row-"),
            ("/apps?q=tea", "row-"),
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

    @Test(
        "Every page has its place in the navigation",
        arguments: [
            ("/github/users/octocat", "users"), ("/github/accounts/583231/octocat", "users"),
            ("/github/repos/416480767", "repos"), ("/github/stars", "repos"),
            ("/sign-in?from=%2Fusers", "account"), ("/rick-and-morty/characters/1", "characters"),
        ]
    )
    func place(_ address: String, _ list: String) async throws {
        try await withSite { _, client in
            let page = try await Browser(client).open(address)
            let current = page.matches(/<a href="\/([a-z]+)" aria-current="page">/)
            #expect(Set(current) == [list])
        }
    }

    @Test("The number of rows in the address is loaded")
    func pages() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            #expect(try await browser.open("/github/users/octocat/followers").rows.count == 100)
            let all = try await browser.open("/github/users/octocat/followers?rows=257")
            #expect(all.rows.count == 257)
            #expect(Set(all.rows).count == 257)
            #expect(!all.html.contains("rel=\"next\""))
        }
    }

    @Test("The link at the end of a list leads to its next page")
    func more() async throws {
        try await withSite { _, client in
            let page = try await Browser(client).open("/github/users/octocat/followers?filter=")
            let last = try #require(page.rows.last)
            #expect(page.html.contains("href=\"/github/users/octocat/followers?rows=101#row-\(last)\""))
        }
    }

    // yurtbayemre/sinnlos#14, ohdearquant/khive#2780
    @Test("A list that is longer than a page says so, and has no button that does nothing")
    func rowLimit() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            func page(_ filter: String) async throws -> Document {
                try await browser.open("/github/users/haneul-kim/followers?rows=2000&filter=\(filter)")
            }
            let all = try await page("")
            #expect(all.rows.count == 2_000 && all.html.contains("A page shows at most 2,000 items."))
            let (some, none) = (try await page("1"), try await page("zzz"))
            #expect(!some.rows.isEmpty && none.rows.isEmpty)
            for page in [some, none] { #expect(page.html.contains("Only the 2,000 items loaded so far")) }
            for page in [all, some, none] {
                #expect(!page.html.contains("value=\"load-all\"") && !page.html.contains("rel=\"next\""))
                // A page that is open loads no more, whatever its filter hides.
                let fields = page.fields.merging(["do": "more"]) { $1 }
                #expect(Document(try await browser.post("/actions", fields: fields)).rows == page.rows)
            }
        }
    }

    @Test("Without JavaScript, a page that is still loading is asked for again, also after an action")
    func loading() async throws {
        let services = OfflineServices()
        let none = ScriptedServer.Response.json(#"{"total_count":0,"incomplete_results":false,"items":[]}"#)
        let search = services.gitHub.script.on(.get, "/search/users", query: ["q": "slow"], response: none.held())
        var configuration = SiteConfiguration(source: .fixtures(services))
        configuration.limits.loading = .milliseconds(1)
        try await withSite(configuration) { _, client in
            let browser = Browser(client)
            let page = try await browser.open("/users?q=slow")
            await search.waitForRequests(1)
            let fields = page.fields.merging(["do": "dismiss"]) { $1 }
            let answer = Document(try await browser.post("/actions", fields: fields))
            #expect(answer.html.contains("<meta http-equiv=\"refresh\" content=\"5;url=/users?q=slow\">"))
            services.gitHub.script.release()
        }
        try await withSite { _, client in
            let page = try await Browser(client).open("/users?q=octocat")
            #expect(!page.rows.isEmpty && !page.html.contains("http-equiv"))
        }
    }

    @Test("A page of a thing says that some related ones can't be read")
    func unreadableRelated() async throws {
        let episodes = String(decoding: try Fixtures.rickAndMorty["episode-1"], as: UTF8.self)
        let damaged = Data(episodes.replacing("\"A Cold Start\"", with: "null").utf8)
        let data = Fixtures.rickAndMorty.adding(Fixtures(["episode-1": damaged]))
        let services = OfflineServices(gitHub: OfflineGitHub(), rickAndMorty: try OfflineRickAndMorty(data: data))
        try await withSite(SiteConfiguration(source: .fixtures(services))) { _, client in
            let page = try await Browser(client).open("/rick-and-morty/characters/1")
            #expect(page.rows.count == 42 && page.html.contains("1 item can’t be shown"))
        }
    }

    @Test("Text is in the browser's language until another one is chosen")
    func languages() async throws {
        try await withSite { _, client in
            let browser = Browser(client, language: "ko-KR,ko;q=0.9,en;q=0.8")
            let korean = try await browser.open("/rick-and-morty/characters/1")
            #expect(korean.html.contains("<html lang=\"ko\">"))
            #expect(korean.html.contains("생존"))
            let english = try await browser.press("language en", on: korean)
            #expect(english.html.contains("<html lang=\"en\">"))
            #expect(english.html.contains("Alive"))
            #expect(english.title == korean.title)
        }
    }

    @Test("A page follows the browser's languages of its own request, and a choice for good")
    func languageOrder() async throws {
        try await withSite { site, client in
            func language(_ browser: Browser) async throws -> String? {
                try await browser.open("/characters").matches(/<html lang="([^"]*)"/).first
            }
            let browser = Browser(client, language: "fr, ko;q=0.7, en;q=0.3")
            #expect(try await language(browser) == "ko")
            browser.language = "en, ko"
            #expect(try await language(browser) == "en")
            let chosen = try await browser.press("language ko", on: browser.open("/characters"))
            #expect(chosen.html.contains("<html lang=\"ko\">"))
            #expect(try await language(browser) == "ko")
            // Also after the visitor was forgotten.
            for _ in 0...site.configuration.limits.visitorTicks { await site.sweep() }
            #expect(site.visitors.count == 0)
            #expect(try await language(browser) == "ko")
        }
    }

    @Test("A page that a form leads back to is in one language, even if it was chosen meanwhile")
    func oneLanguage() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let page = try await browser.open("/github/users/lonely")
            _ = try await browser.post("/actions", fields: page.fields.merging(["do": "followers"]) { $1 })
            let korean = try await browser.press("language ko", on: page)
            #expect(korean.html.contains("<html lang=\"ko\">") && !korean.html.contains("No Followers"))
        }
    }

    @Test(
        "A gallery that can't be shown says why, and offers what helps",
        arguments: ["/app-store/apps/999999999/screenshots/1", "/app-store/apps/999999999"]
    )
    func missingGallery(_ address: String) async throws {
        try await withSite { _, client in
            let page = try await Browser(client).open(address)
            #expect(page.status == .notFound && page.html.contains("data-status=\"failed\""))
            // The layout has a hidden text for pages that are being left.
            let content = try #require(page.matches(/(?s)(<main.*<\/main>)/).first)
            #expect(!content.contains("Loading") && !page.title.contains("Loading"))
        }
    }

    @Test("A missing character has no heading of episodes, and lists lead to the account that they belong to")
    func context() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            #expect(try await browser.open("/rick-and-morty/characters/1").html.contains("<h2>Episodes</h2>"))
            let missing = try await browser.open("/rick-and-morty/characters/999999")
            #expect(missing.status == .notFound && !missing.html.contains("<h2>Episodes</h2>"))
            for list in ["followers", "following", "repos"] {
                let page = try await browser.open("/github/users/octocat/\(list)")
                #expect(page.html.contains("<a href=\"/github/users/octocat\">"), "\(list)")
            }
        }
    }

    @Test("A gallery shows one screenshot with its position, and leads to its neighbors")
    func gallery() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let app = try await browser.open("/app-store/apps/1500000001")
            let links = app.matches(/href="(\/app-store\/apps\/1500000001\/screenshots\/[0-9]+)"/)
            #expect(links.count > 1)
            let first = try await browser.open(try #require(links.first))
            #expect(first.title == app.title && first.html.contains("Screenshot 1"))
            #expect(first.html.contains("1 of \(links.count)"))
            #expect(first.html.contains("href=\"\(links[1])\"") && !first.html.contains("screenshots/-1"))
            let last = try await browser.open("/app-store/apps/1500000001/screenshots/999999999999")
            #expect(last.html.contains("\(links.count) of \(links.count)"))
            // Both links are on each page, so they stay in their places.
            for page in [first, last] { #expect(page.matches(/<a role="link" (aria-disabled)="true">/).count == 1) }
        }
    }

    @Test("The start leads to the project's documents if it has an address, and has a picture for previews")
    func start() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let page = try await browser.open("/")
            #expect(!page.html.contains("#readme"))
            let picture = try #require(page.matches(/property="og:image" content="([^"]*)"/).first)
            let response = try await browser.send(String(picture.dropFirst(Browser.origin.count)))
            #expect(picture.hasPrefix(Browser.origin) && response.headers[.contentType] == "image/png")
        }
        let configuration = SiteConfiguration(projectURL: URL(string: "https://example.org/kit"))
        try await withSite(configuration) { _, client in
            let page = try await Browser(client).open("/")
            #expect(page.html.contains("https://example.org/kit#readme"))
        }
    }

    @Test("A repository has no facts without a value, and its README has headings and styles")
    func repo() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let list = try await browser.open("/repos?q=linguist-fork")
            #expect(list.html.contains(/aria-label="Star: [^"]*linguist[^"]*, [0-9.]+K?"/))
            let page = try await browser.open("/github/users/octocat/repos/linguist-fork")
            let values = page.matches(/<dd>([^<]*)</)
            #expect(values.count > 3 && !values.contains("None") && !values.contains("Unknown"))
            let readme = try await browser.open("/github/repos/5000043831").html
            #expect(readme.contains("octocat/<wbr><span>hello-tentacles</span></h1>"))
            #expect(readme.contains("<h3>hello-tentacles 🐙</h3><p>") && readme.contains("<strong>eight arms</strong>"))
        }
    }

    @Test("An app's rating and category are shown once, and its buttons begin with a capital letter")
    func app() async throws {
        try await withSite { _, client in
            let page = try await Browser(client).open("/app-store/apps/1500000001")
            #expect(page.html.components(separatedBy: "Food &amp; Drink").count == 2)
            #expect(page.html.components(separatedBy: "12K").count == 2)
            #expect(page.html.contains(">More</button>") && page.html.contains("Drink · $1.99</p>"))
        }
    }

    @Test("A list that filters says so, and one without favorites leads to lists")
    func favorites() async throws {
        try await withSite { _, client in
            let page = try await Browser(client).open("/favorites")
            #expect(page.html.contains("<button>Filter</button>"))
            let content = try #require(page.matches(/(?s)(<main.*<\/main>)/).first)
            for list in ["users", "repos", "characters", "apps"] { #expect(content.contains("href=\"/\(list)\"")) }
            let followers = try await Browser(client).open("/github/users/octocat/followers")
            #expect(followers.html.contains("<button>Filter</button>"))
            // mastodon/mastodon#7549: iPhones capitalize and correct usernames.
            for page in [page, followers] {
                let fields = page.matches(/(<input type="search"[^>]*>)/)
                let exact = [#"autocapitalize="none""#, #"autocorrect="off""#]
                #expect(!fields.isEmpty && fields.allSatisfy { field in exact.allSatisfy(field.contains) })
            }
        }
    }

    // Noveum/orbit#292
    @Test("A filter that hides all rows says that the next page failed, and loads all again")
    func failedBehindFilter() async throws {
        let services = OfflineServices()
        try await withSite(SiteConfiguration(source: .fixtures(services))) { _, client in
            let browser = Browser(client)
            let list = try await browser.open("/github/users/octocat/followers?filter=zzz")
            services.gitHub.scenario = .serverError
            let failed = try await browser.press("load-all", on: list)
            #expect(failed.html.contains("data-status=\"failed\"") && failed.html.contains("GitHub has a problem."))
            services.gitHub.scenario = .normal
            let all = try await browser.press("load-all", on: failed)
            #expect(all.html.contains("Nothing matches the filter."))
        }
    }

    @Test("A limit of 73 seconds is about a minute, and a service that can't be reached isn't the visitor's fault")
    func failures() async throws {
        let services = OfflineServices()
        services.gitHub.scenario = .rateLimited(until: Date(timeIntervalSinceNow: 73))
        try await withSite(SiteConfiguration(source: .fixtures(services))) { _, client in
            let limited = try await Browser(client).open("/users?q=octocat")
            #expect(limited.html.contains("about a minute.</span> <span"))
        }
        services.gitHub.scenario = .offline
        try await withSite(SiteConfiguration(source: .fixtures(services))) { _, client in
            let offline = try await Browser(client).open("/users?q=octocat")
            #expect(offline.html.contains("This site can’t reach") && !offline.html.contains("your internet"))
        }
    }

    @Test(
        "HEAD is as GET without the body",
        arguments: ["/assets/app.js", "/assets/app.css", "/health", "/users?q=octocat", "/characters", "/nothing"]
    )
    func head(_ address: String) async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let get = try await browser.send(address)
            let head = try await browser.send(address, .head)
            #expect(head.status == get.status && head.body.readableBytes == 0)
            for name in [HTTPField.Name.contentType, .cacheControl, .eTag] {
                #expect(head.headers[name] == get.headers[name])
            }
        }
    }

    @Test("Text from a service is never markup")
    func escaping() async throws {
        let profile = """
            {"login":"mallory","id":66,"type":"User","name":"<b>M</b>","bio":"<script>alert(1)</script>",
            "followers":0,"blog":"javascript:alert(1)","html_url":"http://example.com","created_at":"2011-01-25T18:44:36Z"}
            """
        let data = Fixtures.gitHub.adding(Fixtures(["user-mallory": Data(profile.utf8)]))
        let services = OfflineServices(gitHub: try OfflineGitHub(data: data))
        try await withSite(SiteConfiguration(source: .fixtures(services))) { _, client in
            let page = try await Browser(client).open("/github/users/mallory")
            #expect(page.html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
            #expect(!page.html.contains("<script>alert"))
            #expect(!page.html.contains("href=\"javascript"))
            // Links leave the site over https only.
            #expect(!page.html.contains("href=\"http://"))
        }
    }

    @Test(
        "Addresses that lead nowhere are errors in the site's layout",
        arguments: [
            "/nothing", "/github/users/a%2Fb", "/rick-and-morty/characters/one", "/app-store/apps/1/screenshots/x",
        ]
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
            let page = try await Browser(client).open("/users?q=" + String(repeating: "a", count: 4_000))
            #expect(page.status == .badRequest)
        }
    }
}
