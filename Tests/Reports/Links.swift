import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@MainActor
@Suite(.bounded)
struct `Reports about addresses and links` {
    private let server = ScriptedServer()

    private func account(of text: String, in all: Container = .offline()) -> (path: String?, hint: String?) {
        let field = all.followerSearchViewModel()
        field.query = text
        return (field.submit()?.path, field.state.hint)
    }

    // jonschlinkert/parse-github-url#31, IonicaBizau/git-url-parse#143,
    // Mottie/github-reserved-names#22, ovity/octotree#118, Justineo/github-hovercard#161,
    // gitpod-io/gitpod#8807, asciidoctor/asciidoctor#3860, ovity/octotree#978,
    // k0shk0sh/FastHub#2351, WikiEducationFoundation/WikiEduDashboard#1271,
    // IonicaBizau/git-url-parse#141, VirtusLab/git-machete#591, Almo7aya/openingh.nvim#44,
    // usedetail/cli#260, KnisterPeter/vscode-github#33
    @Test(arguments: [
        "octocat": [
            "https://github.com/stars/octocat", "github.com/sponsors/octocat",
            "https://github.com/users/octocat/projects/1", "https://github.com/orgs/octocat/people",
            "https://github.com/organizations/octocat/settings", "https://gist.github.com/octocat/6cad326836d38bd3a7ae",
            "git@github.com:octocat/Hello-World.git", "ssh://git@github.com/octocat/Hello-World.git",
            "https://github.com:443/octocat", "//github.com/octocat", "https://github.com/%6Fctocat",
            "<https://github.com/octocat>", "https://github.com./octocat", "https://github.com/octocat.png",
            "https://raw.githubusercontent.com/octocat/Hello-World/master/README", "https://github.com/@octocat",
            "https://raw.github.com/octocat/Hello-World/master/README",
            "https://codeload.github.com/octocat/Hello-World/zip/refs/heads/master",
            "Follow me: https://github.com/octocat!", "HTTPS://GitHub.com/octocat?tab=stars", "＠octocat", "octocat",
            "  https://github.com/octocat \n", "https://github.com/octocat?tab=followers",
            "Https://GitHub.com/octocat/Hello-World", "(see https://github.com/octocat/Hello-World.)",
            "https://github.com/octocat/Hello-World),", "https://github.com/octocat/Hello-World/tree/feature/test/docs",
            "\u{200E}octocat", "octocat\u{200F}", "\u{2066}octocat\u{2069}",
            "https://octocat:secret@github.com/octocat", "https://me:a@b:c@github.com/octocat/Hello-World.git",
        ],
        "42": ["git@github.com:42/Hello-World.git", "ssh://git@ssh.github.com:443/42/Hello-World.git"],
        "SocialGouv": ["https://github.com/SocialGouv/.kontinuous"],
        "org": ["git@github.com:org/example.com.git", "git+ssh://git@github.com/org/example.com.git"],
        // Remotes with a user of their own, or without one.
        "squareup": [
            "org-42463807@github.com:squareup/repo-name.git", "ssh://org-42463807@github.com/squareup/repo-name.git",
            "https://mona@github.com/squareup/repo-name.git", "github.com:squareup/repo-name.git",
        ],
        "community": ["https://github.com/community/community", "community"],
        "buunguyen": ["https://github.com/buunguyen/repositories", "https://github.com/buunguyen/followers"],
        "abhiTronix": ["https://github.com/abhiTronix/x/wiki/Native-Compiler:-Linking-&-Testing-Instructions"],
        // Names that GitHub uses in addresses.
        "stars": ["stars"], "search": ["search"], "topics": ["topics"], "settings": ["settings"], "ghost": ["ghost"],
        "octo--cat": ["octo—cat"], "octo-cat": ["octo–cat", "octo−cat", "octo‐cat", "octo－cat"],
    ])
    func `a name, and the address of anything, leads to its account`(login: String, texts: [String]) {
        for text in texts {
            let (path, hint) = account(of: text)
            #expect(path == "/github/users/\(login)/followers" && (hint == nil) == !login.contains("--"), "\(text)")
        }
    }

    // github-modules/github-url-to-object#23, ovity/octotree#797,
    // refined-github/github-url-detection#234, pockethub/PocketHub#554, skilld-dev/skilld#94,
    // ParzivalHack/PySpector#39, ovity/octotree#609, cli/cli#4621,
    // mozilla-mobile/FirefoxLite#3395, jonschlinkert/parse-github-url#31
    @Test(arguments: [
        "address": [
            "https://github.com/search?q=octocat", "https://github.com/topics/swift",
            "https://github.com/settings/profile", "https://github.com/apps/dependabot", "https://github.com/features",
            "https://github.com/enterprises/acme", "https://github.com/marketplace/actions/x",
            "https://github.com/notifications", "https://github.com/sponsors/explore", "https://gitlab.com/octocat",
            "octocat.github.io/x", "https://github.com/customer-stories/zendesk", "https://github.com/feed",
            "https://github.com/repos", "https://pastebin.com/dQw4w9Wg", "https://github.com.evil.example/octocat",
            "https://evil.example/github.com/octocat/Hello-World",
            "https://github.com@evil.example/octocat/Hello-World", "spring-cloud/spring-cloud-netfl…",
            "https://octocat:secret@evil.example/octocat", "https://secret@github.com.evil.example/octocat",
            "org-1@github.com.evil.example:acme/tea.git", "https://github.com:octocat/Hello-World",
            "git@github.com-work:acme/widget.git", "SocialGouv/.kontinuous",
            "https://www.google.com/url?q=https://github.com/octocat/Hello-World&sa=D",
            "https://gist.github.com/82b5feaa4628a0a1d11bb2f88486ab98", "https://github.com/mcp",
            "https://github.com/advisories/GHSA-jfh8-c2jp-5v3q", "https://github.com/git-guides",
            "https://github.com/newsroom", "https://github.com/why-github",
        ],
        "contain": [
            "git+https://github.com/alexisvincent.io/js-kernel.git", "https://github.com/alexisvincent.io",
            "spring-clo…",
        ],
    ])
    func `the address of anything else leads nowhere, with a reason`(reason: String, texts: [String]) {
        for text in texts {
            let (path, hint) = account(of: text)
            #expect(path == nil && hint?.contains(reason) == true && hint?.contains("secret") == false, "\(text)")
        }
    }

    /// jstanden/cerb#550
    @Test func `an address in angle brackets goes on after a line break`() async {
        #expect(account(of: "<https://github.com/octo\ncat/Hello-World>").path == "/github/users/octocat/followers")
        #expect(account(of: "a <https://github.com/\n octocat> b").path == "/github/users/octocat/followers")
        #expect(await lookUp("See <https://apps.apple.com/kr/app/te\na/id7>.").query == "id=7&country=kr")
    }

    private func lookUp(_ text: String) async -> (query: String?, hint: String?) {
        let server = ScriptedServer()
        server.on(.any, response: .apps(""))
        let search = await Container.reports(server).apps(for: text, lookUp: true)
        return (server.requests.last?.url.query(), search.state.hint)
    }

    /// kimxogus/react-native-version-check#49
    @Test(arguments: [
        "id=7&country=us": [
            "itms://itunes.apple.com/us/app/tea/id7?mt=8", "itmss://itunes.apple.com/app/tea/id7",
            "http://phobos.apple.com/WebObjects/MZStore.woa/wa/viewSoftware?id=7&mt=8", "ｉｄ７",
            "https://itunes.apple.com/lookup?id=7", "https://itunes.apple.com/en/app/tea/id7",
            "https://apps.apple.com/eu/app/tea/id7", "https://itunes.apple.com/US//app/APP-NAME/id7",
            "itms-apps://ax.itunes.apple.com/WebObjects/MZStore.woa/wa/viewContentsUserReviews?type=x&id=7",
            "itms-apps://itunes.apple.com/app/viewContentsUserReviews?id=7",
        ],
        "id=7&country=kr": [
            "https://apps.apple.com/kr/mac/app/tea/id7", "https://itunes.apple.com/lookup?id=7&country=kr",
        ],
        "id=7&country=gb": [
            "https://apps.apple.com/uk/app/tea/id7", "https://apps.apple.com/UK/app/tea/id7",
            "https://itunes.apple.com/WebObjects/MZStore.woa/wa/viewSoftware?id=7&cc=uk",
        ],
        "id=7&country=jp": ["https：//apps.apple.com/jp/app/id7"],
        // A bundle identifier can contain an underscore.
        "bundleId=com.example.my_app&country=us": ["com.example.my_app"],
        "bundleId=com.example.my-app&country=us": ["com.example.my-app"],
    ])
    func `an old link with a number, or a bundle identifier, leads to its app`(query: String, texts: [String]) async {
        for text in texts { #expect(await lookUp(text).query == query, "\(text)") }
    }

    @Test(arguments: [
        (#"Nice \ud83d…"#, "Nice \u{FFFD}…"), (#"\uDE00 new"#, "\u{FFFD} new"), (#"\ud83d\ude00"#, "😀"),
        (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"), (#"C:\\ud83d"#, #"C:\ud83d"#),
    ])
    func `half of an emoji is shown as browsers show it`(json: String, shown: String) async {
        server.on(.any, response: .apps(#""description":"\#(json)""#))
        let page = await Container.reports(server).app()
        #expect(page.state.description == shown)
    }
    /// stablyai/orca#9118
    @Test func `an address of a server with a port leads to an account there`() async {
        server.on(.any, response: .json("[]", headers: .gitHub))
        let all = Container.reports(server, at: "https://ghe.acme.com:8443")
        for text in ["https://ghe.acme.com:8443/team/orca", "ssh://git@ghe.acme.com:2222/team/orca.git"] {
            #expect(account(of: text, in: all).path == "/github/users/team/followers")
        }
        _ = await all.followers(of: "team")
        #expect(server.requests.map { $0.url.absoluteString.prefix(39) } == ["https://ghe.acme.com:8443/api/v3/users/"])
    }

    /// jonschlinkert/parse-github-url#31, thermatk/FastHub-Libre#63, k0shk0sh/FastHub#1899
    @Test func `a repository that is gone is asked for once, and a web page is no screen`() async throws {
        server.on(.any, response: .json(#"{"message":"Not Found"}"#, status: 404, headers: .gitHub))
        let all = Container.reports(server)
        let page = all.repoDetailViewModel()
        await page.show(named: ".kontinuous", of: GitHub.Login("SocialGouv"))
        #expect(server.requests.map { $0.url.path() } == ["/repos/SocialGouv/.kontinuous"])
        let message = try #require(page.state.content.status.message)
        #expect(message.kind == .notFound && message.action?.route == nil)
        let address = "https://github.com/octocat/Hello-World"
        #expect(Route.webPage(WebAddress(address)).path == nil)
        #expect(Route(path: address, among: [GitHub.Screen.self]) == nil)
    }

    private nonisolated static let wiki = "https://github.com/a/b/wiki/Native-Compiler:-Linking-&-Testing-Instructions"

    // ghuser-io/ghuser.io#27, codewars/codewars.com#2028, mastodon/mastodon#3833,
    // k0shk0sh/FastHub#2351
    @Test(arguments: [
        (wiki, wiki), ("hakabuk.com", "https://hakabuk.com"), ("www.x.org/~me", "https://www.x.org/~me"),
        ("//x.org", "https://x.org"), (" https://x.org ", "https://x.org"), ("javascript:alert(1)", nil),
        ("JaVaScRiPt:alert(1)", nil),
        ("data:text/html,x", nil), ("\\u0001javascript:alert(1)", nil), ("java\\tscript:alert(1)", nil),
        ("https://www.xn--80ak6aa92e.com", "https://www.xn--80ak6aa92e.com"),
        ("https://x.org/\\u202Egpj.exe", "https://x.org/%E2%80%AEgpj.exe"),
    ])
    func `a profile links to web pages only, and shows their true address`(blog: String, link: String?) async {
        server.on(.any, response: .json(#"{"id":1,"login":"a","blog":"\#(blog)"}"#, headers: .gitHub))
        let page = await Container.reports(server).profile(of: "a")
        let fact = page.state.content.details?["blog"]
        var address: WebAddress?
        if case .webPage(let page) = fact?.route { address = page }
        #expect(address?.url?.absoluteString == link && (fact?.route == nil) == (link == nil))
        #expect(fact?.value.contains("\u{202E}") == false && fact?.value.contains("аррӏе") == false)
    }
}
