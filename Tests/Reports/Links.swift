import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@MainActor
@Suite(.bounded)
struct `Reports about addresses and links` {
    @Test func `an address with spaces around it opens its account`() {
        let model = Container.offline().followerSearchViewModel()
        model.query = "  https://github.com/octocat \n"
        #expect(model.submit()?.path == "/github/users/octocat/followers")
    }

    private func account(of text: String) -> (String?, hint: String?) {
        let model = Container.offline().followerSearchViewModel()
        model.query = text
        return (model.submit()?.path, model.state.hint)
    }

    @Test(arguments: [
        "https://github.com/stars/octocat", "github.com/sponsors/octocat",
        "https://github.com/users/octocat/projects/1",
        "https://github.com/orgs/octocat/people", "https://github.com/organizations/octocat/settings",
        "https://gist.github.com/octocat/6cad326836d38bd3a7ae", "git@github.com:octocat/Hello-World.git",
        "ssh://git@github.com/octocat/Hello-World.git", "https://github.com:443/octocat", "//github.com/octocat",
        "https://github.com/%6Fctocat", "<https://github.com/octocat>", "https://github.com./octocat",
        "https://raw.githubusercontent.com/octocat/Hello-World/master/README", "https://github.com/octocat.png",
        "Follow me: https://github.com/octocat!", "https://github.com/@octocat", "HTTPS://GitHub.com/octocat?tab=stars",
        "＠octocat", "octocat",
    ])
    func `an address that names an account leads to it`(text: String) {
        #expect(account(of: text).0 == "/github/users/octocat/followers")
    }

    @Test(arguments: [
        "https://github.com/search?q=octocat", "https://github.com/topics/swift", "https://github.com/settings/profile",
        "https://github.com/apps/dependabot", "https://github.com/features", "https://github.com/enterprises/acme",
        "https://github.com/marketplace/actions/x", "https://github.com/notifications",
        "https://github.com/sponsors/explore",
        "https://gitlab.com/octocat", "octocat.github.io/x",
    ])
    func `an address of GitHub's own pages names no account`(text: String) {
        #expect(account(of: text).0 == nil && account(of: text).hint?.contains("address") == true)
    }

    @Test(arguments: ["stars", "search", "topics", "settings", "ghost"])
    func `a bare name can be one that GitHub uses in addresses`(name: String) {
        #expect(account(of: name).0 == "/github/users/\(name)/followers")
    }

    @Test(arguments: [
        ("octo—cat", "octo--cat"), ("octo–cat", "octo-cat"), ("octo−cat", "octo-cat"), ("octo‐cat", "octo-cat"),
        ("octo－cat", "octo-cat"),
    ])
    func `dashes in a username are hyphens`(typed: String, name: String) {
        #expect(account(of: typed).0 == "/github/users/\(name)/followers")
    }

    private func lookUp(_ text: String) async -> (query: String?, hint: String?) {
        let server = ScriptedServer()
        server.on(.any, times: .any, response: .apps(""))
        let search = Container.reports(server).appSearchViewModel()
        search.query.mode = .lookUp
        search.query.text = text
        await search.submit()
        return (server.requests.last?.url.query(), search.state.hint)
    }

    @Test(arguments: [
        ("itms://itunes.apple.com/us/app/tea/id7?mt=8", "us"), ("itmss://itunes.apple.com/app/tea/id7", "us"),
        ("http://phobos.apple.com/WebObjects/MZStore.woa/wa/viewSoftware?id=7&mt=8", "us"),
        ("https://itunes.apple.com/lookup?id=7", "us"), ("https://apps.apple.com/kr/mac/app/tea/id7", "kr"),
        ("https://apps.apple.com/uk/app/tea/id7", "gb"), ("https://apps.apple.com/UK/app/tea/id7", "gb"),
        ("https://itunes.apple.com/en/app/tea/id7", "us"), ("https://apps.apple.com/eu/app/tea/id7", "us"),
        ("https://itunes.apple.com/WebObjects/MZStore.woa/wa/viewSoftware?id=7&cc=uk", "gb"), ("ｉｄ７", "us"),
        ("https：//apps.apple.com/jp/app/id7", "jp"),
    ])
    func `an old link with a number leads to its app`(link: String, country: String) async {
        #expect(await lookUp(link).query == "id=7&country=\(country)")
    }

    @Test(arguments: ["http://appstore.com/keynote", "https://appsto.re/us/jGM5F.i"])
    func `a link without a number says so`(link: String) async {
        let (query, hint) = await lookUp(link)
        #expect(query == nil && hint?.hasPrefix("This link contains no app number.") == true)
    }

    @Test(arguments: ["com.example.my_app", "com.example.my-app"])
    func `a bundle identifier can contain an underscore`(text: String) async {
        #expect(await lookUp(text).query == "bundleId=\(text)&country=us")
    }

    @Test(arguments: ["//images.example/a.png", " //images.example/a.png", "//images.example:8443/a.png"])
    func `an address without a scheme loads over https`(address: String) async {
        let server = ScriptedServer()
        server.on(.any, response: .body(DrawnImage.png(for: "x", side: 8), headers: ["Content-Type": "image/png"]))
        let image = Container.reports(server).remoteImageViewModel()
        await image.show(ImageRequest(WebAddress(address)))
        #expect(server.requests.first?.url.scheme == "https")
        guard case .loaded = image.state else {
            Issue.record("\(image.state)")
            return
        }
    }

    @Test func `the row of a bot opens by number, and so does a refresh`() async throws {
        let server = ScriptedServer()
        server.on(
            .get("/users/copilot/followers"),
            response: .json(#"[{"id":198982749,"login":"Copilot","type":"Bot"}]"#)
        )
        server.on(.get("/user/198982749"), times: .any, response: .json(#"{"id":198982749,"login":"Copilot"}"#))
        server.on(.get("/users/octocat"), response: .json(#"{"id":198982749,"login":"octocat"}"#))
        let all = Container.reports(server)
        let followers = all.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("copilot")))
        let route = followers.select(try #require(followers.state.content.rows.first).id)
        guard case .gitHub(.account(let id, let label)) = route?.screen else {
            Issue.record("\(route as Any)")
            return
        }
        let profile = all.userProfileViewModel()
        await profile.showIfNeeded(id, label: label)
        #expect(profile.state.title == "Copilot" && profile.state.content.details != nil)
        // Opened by its login, and renamed since.
        await profile.show(GitHub.Login("octocat"))
        await profile.refresh()
        #expect(server.requests.last?.url.path() == "/user/198982749")
    }

    @Test func `rows that aren't apps are skipped and counted`() async {
        let server = ScriptedServer()
        let book = #"{"kind":"ebook","trackId":8,"trackName":"Tea for Two"}"#
        server.on(.any, response: .json(#"{"resultCount":2,"results":[{"trackId":7,"trackName":"Tea"},\#(book)]}"#))
        let search = Container.reports(server).appSearchViewModel()
        search.query.text = "tea"
        await search.submit()
        #expect(search.state.content.rows.map(\.name) == ["Tea"] && search.state.content.skippedCount == 1)
        #expect(search.state.summary == "1 result")
    }

    @Test(arguments: [
        (#"Nice \ud83d…"#, "Nice \u{FFFD}…"), (#"\uDE00 new"#, "\u{FFFD} new"), (#"\ud83d\ude00"#, "😀"),
        (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"), (#"C:\\ud83d"#, #"C:\ud83d"#),
    ])
    func `half of an emoji is shown as browsers show it`(json: String, shown: String) async {
        let server = ScriptedServer()
        server.on(.any, response: .apps(#""description":"\#(json)""#))
        let page = Container.reports(server).appDetailViewModel()
        await page.show(.id(AppStore.AppID(7)))
        #expect(page.state.description == shown)
    }
}

@MainActor
@Suite(.bounded)
struct `Reports about pasted addresses` {
    private func account(of text: String, in all: Container = .offline()) -> (path: String?, hint: String?) {
        let field = all.followerSearchViewModel()
        field.query = text
        return (field.submit()?.path, field.state.hint)
    }

    // jonschlinkert/parse-github-url#31, IonicaBizau/git-url-parse#143,
    // Mottie/github-reserved-names#22, ovity/octotree#118, Justineo/github-hovercard#161,
    // gitpod-io/gitpod#8807, asciidoctor/asciidoctor#3860, ovity/octotree#978,
    // k0shk0sh/FastHub#2351
    @Test(arguments: [
        ("https://github.com/SocialGouv/.kontinuous", "SocialGouv"), ("git@github.com:org/example.com.git", "org"),
        ("git+ssh://git@github.com/org/example.com.git", "org"),
        ("https://github.com/community/community", "community"),
        ("community", "community"), ("https://github.com/buunguyen/repositories", "buunguyen"),
        ("https://github.com/buunguyen/followers", "buunguyen"),
        ("https://github.com/octocat?tab=followers", "octocat"),
        ("Https://GitHub.com/octocat/Hello-World", "octocat"),
        ("(see https://github.com/octocat/Hello-World.)", "octocat"),
        ("https://github.com/octocat/Hello-World),", "octocat"),
        ("https://github.com/octocat/Hello-World/tree/feature/test/docs", "octocat"),
        ("https://github.com/abhiTronix/x/wiki/Native-Compiler:-Linking-&-Testing-Instructions", "abhiTronix"),
    ])
    func `the address of anything leads to its account`(text: String, login: String) {
        #expect(account(of: text).path == "/github/users/\(login)/followers")
    }

    // github-modules/github-url-to-object#23, ovity/octotree#797,
    // refined-github/github-url-detection#234, pockethub/PocketHub#554, skilld-dev/skilld#94,
    // ParzivalHack/PySpector#39, ovity/octotree#609, cli/cli#4621,
    // mozilla-mobile/FirefoxLite#3395, jonschlinkert/parse-github-url#31
    @Test(arguments: [
        "git+https://github.com/alexisvincent.io/js-kernel.git", "https://github.com/alexisvincent.io",
        "https://github.com/customer-stories/zendesk", "https://github.com/feed", "https://github.com/repos",
        "https://pastebin.com/dQw4w9Wg", "https://evil.example/github.com/octocat/Hello-World",
        "https://github.com.evil.example/octocat", "https://github.com@evil.example/octocat/Hello-World",
        "https://octocat:secret@github.com/octocat", "spring-cloud/spring-cloud-netfl…", "spring-clo…",
        "git@github.com-work:acme/widget.git", "SocialGouv/.kontinuous",
        "https://www.google.com/url?q=https://github.com/octocat/Hello-World&sa=D",
    ])
    func `the address of anything else leads nowhere, with a reason`(text: String) {
        #expect(account(of: text).path == nil && account(of: text).hint?.isEmpty == false)
        #expect(account(of: text).hint?.contains("secret") == false)
    }

    /// jstanden/cerb#550
    @Test func `an address in angle brackets goes on after a line break`() async {
        #expect(account(of: "<https://github.com/octo\ncat/Hello-World>").path == "/github/users/octocat/followers")
        #expect(account(of: "a <https://github.com/\n octocat> b").path == "/github/users/octocat/followers")
        let server = ScriptedServer()
        server.on(.any, times: .any, response: .apps(""))
        let search = Container.reports(server).appSearchViewModel()
        search.query.mode = .lookUp
        search.query.text = "See <https://apps.apple.com/kr/app/te\na/id7>."
        await search.submit()
        #expect(server.requests.last?.url.query() == "id=7&country=kr")
        search.query.text = "https://itunes.apple.com/US//app/APP-NAME/id375380948"
        await search.submit()
        // kimxogus/react-native-version-check#49
        #expect(server.requests.last?.url.query() == "id=375380948&country=us")
    }

    /// stablyai/orca#9118
    @Test func `an address of a server with a port leads to an account there`() async throws {
        let server = ScriptedServer()
        server.on(.any, times: .any, response: .json("[]", headers: .gitHub))
        let web = try #require(URL(string: "https://ghe.acme.com:8443"))
        let all = Container.reports(server) { $0.gitHub = GitHubSettings(server: web) }
        for text in ["https://ghe.acme.com:8443/team/orca", "ssh://git@ghe.acme.com:2222/team/orca.git"] {
            #expect(account(of: text, in: all).path == "/github/users/team/followers")
        }
        await all.followerListViewModel().show(.followers(of: GitHub.Login("team")))
        #expect(server.requests.map { $0.url.absoluteString.prefix(39) } == ["https://ghe.acme.com:8443/api/v3/users/"])
    }

    /// jonschlinkert/parse-github-url#31, thermatk/FastHub-Libre#63, k0shk0sh/FastHub#1899
    @Test func `a repository that is gone is asked for once, and a web page is no screen`() async {
        let server = ScriptedServer()
        server.on(.any, times: .any, response: .json(#"{"message":"Not Found"}"#, status: 404, headers: .gitHub))
        let all = Container.reports(server)
        let page = all.repoDetailViewModel()
        await page.show(named: ".kontinuous", of: GitHub.Login("SocialGouv"))
        #expect(server.requests.map { $0.url.path() } == ["/repos/SocialGouv/.kontinuous"])
        guard case .failed(let message) = page.state.content.status else {
            Issue.record("\(page.state.content.status)")
            return
        }
        #expect(message.kind == .notFound && message.action?.route == nil)
        let address = "https://github.com/octocat/Hello-World"
        #expect(Route.webPage(WebAddress(address)).path == nil)
        #expect(Route(path: address, among: [GitHub.Screen.self]) == nil)
    }

    /// react-navigation/react-navigation#3455, adonisjs/http-server#118
    @Test(arguments: ["octocat%2FHello-World", "%C0%80", "%", "%E3%81", "a%00", "..%2Fuser"])
    func `the path of a screen is split before it's decoded, once`(segment: String) {
        #expect(Route(path: "/github/users/\(segment)", among: [GitHub.Screen.self]) == nil)
        #expect(Route(path: "/github/users/octoc%61t", among: [GitHub.Screen.self])?.path == "/github/users/octocat")
    }

    /// expo/expo#25323, joeldev/JLRoutes#87
    @Test(arguments: [
        ("up to 50% off", "q=up%20to%2050%25%20off&"), ("C++ parser 😂", "q=C%2B%2B%20parser%20%F0%9F%98%82&"),
    ])
    func `a text is encoded once`(text: String, query: String) async {
        let server = ScriptedServer()
        server.on(.any, times: .any, response: .json(#"{"total_count":0,"items":[]}"#, headers: .gitHub))
        let search = Container.reports(server).repoSearchViewModel()
        search.query.text = text
        await search.submit()
        #expect(server.requests.last?.url.query(percentEncoded: true)?.hasPrefix(query) == true)
        #expect(search.state.content.status.message?.text.contains(text) == true)
    }

    /// ghuser-io/ghuser.io#27, codewars/codewars.com#2028, mastodon/mastodon#3833
    @Test(arguments: [
        ("hakabuk.com", "https://hakabuk.com"), ("www.x.org/~me", "https://www.x.org/~me"),
        ("//x.org", "https://x.org"),
        (" https://x.org ", "https://x.org"), ("javascript:alert(1)", nil), ("JaVaScRiPt:alert(1)", nil),
        ("data:text/html,x", nil), ("\\u0001javascript:alert(1)", nil), ("java\\tscript:alert(1)", nil),
        ("https://www.xn--80ak6aa92e.com", "https://www.xn--80ak6aa92e.com"),
        ("https://x.org/\\u202Egpj.exe", "https://x.org/%E2%80%AEgpj.exe"),
    ])
    func `a profile links to web pages only, and shows their true address`(blog: String, link: String?) async {
        let server = ScriptedServer()
        server.on(.any, response: .json(#"{"id":1,"login":"a","blog":"\#(blog)"}"#, headers: .gitHub))
        let page = Container.reports(server).userProfileViewModel()
        await page.show(GitHub.Login("a"))
        let fact = page.state.content.details?["blog"]
        if let link {
            guard case .webPage(let address) = fact?.route else {
                Issue.record("\(fact as Any)")
                return
            }
            #expect(address.url?.absoluteString == link)
        } else {
            #expect(fact?.route == nil)
        }
        #expect(fact?.value.contains("\u{202E}") == false && fact?.value.contains("аррӏе") == false)
    }

    /// k0shk0sh/FastHub#2351
    @Test func `the address of a web page is given on as it is`() {
        let text = "https://github.com/a/b/wiki/Native-Compiler:-Linking-&-Testing-Instructions"
        #expect(WebAddress(text).url?.absoluteString == text)
    }
}
