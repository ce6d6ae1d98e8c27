import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestServers
import Testing

@testable import WebApp

@Suite("Visitors")
struct VisitorTests {
    @Test("Visitors don't see each other's favorites")
    func favorites() async throws {
        try await withSite { _, client in
            let (one, two) = (Browser(client), Browser(client))
            let page = try await one.open("/users?q=octocat")
            _ = try await one.press("favorite on 583231", on: page)
            #expect(try await one.open("/favorites").rows.count == 1)
            #expect(try await two.open("/favorites").rows.count == 0)
            #expect(try await two.open("/users?q=octocat").html.contains("favorite on 583231"))
        }
    }

    @Test("A page of another visitor can't be used")
    func foreignPage() async throws {
        try await withSite { site, client in
            let (one, two) = (Browser(client), Browser(client))
            let page = try await one.open("/users?q=octocat")
            _ = try await two.press("favorite on 583231", on: page)
            #expect(try await one.open("/favorites").rows.count == 0)
            #expect(site.visitors.count == 2)
        }
    }

    /// benckx/elephantchess#134 and discourse/discourse#19445
    @Test("The chosen language and colors last as long as the visitor returns")
    func choices() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            func cookies(afterDays days: Double) async throws -> [String] {
                let date = Date(timeIntervalSinceNow: -days * 86_400)
                let value = running.site.visitorCookie.value(of: VisitorID(), at: date)
                let field = "visitor=\(value); language=ko; theme=odd"
                return try await browser.send("GET", "/users", ["Cookie": field]).fields("Set-Cookie")
            }
            #expect(try await cookies(afterDays: 10) == [])
            let renewed = try await cookies(afterDays: 16)
            #expect(renewed.count == 2)
            #expect(renewed.contains { $0.hasPrefix("language=ko;") && $0.contains("Max-Age=31536000") })
        }
    }

    @Test("The visitor who was away longest is forgotten when there are too many")
    func tooMany() async throws {
        var configuration = SiteConfiguration()
        configuration.limits.visitors = 2
        try await withSite(configuration) { site, client in
            let browsers = [Browser(client), Browser(client)]
            for browser in browsers {
                let page = try await browser.open("/users?q=octocat")
                _ = try await browser.press("favorite on 583231", on: page)
            }
            _ = try await browsers[0].open("/users")
            _ = try await Browser(client).open("/users")
            #expect(site.visitors.count == 2)
            #expect(try await browsers[0].open("/favorites").rows.count == 1)
            #expect(try await browsers[1].open("/favorites").rows.count == 0)
        }
    }

    @Test("A visitor has a limited number of open pages")
    func pageLimit() async throws {
        var configuration = SiteConfiguration()
        configuration.limits.pagesPerVisitor = 3
        try await withSite(configuration) { site, client in
            let browser = Browser(client)
            for _ in 0..<5 { _ = try await browser.open("/users") }
            #expect(site.visitors.values.map(\.pages.count) == [3])
        }
    }

    @Test("Visitors sign in at once as different accounts, and see only their own repositories")
    func accounts() async throws {
        try await withSite { _, client in
            let (one, two) = (Browser(client), Browser(client))
            let first = try await authorizationPage(one)
            let second = try await authorizationPage(two)
            let octocat = try await choose("octocat", on: first, one)
            let haneul = try await choose("haneul-kim", on: second, two)
            #expect(octocat.title == "octocat")
            #expect(haneul.title == "haneul-kim")
            let own = try await one.open("/github/repos").rows
            let others = try await two.open("/github/repos").rows
            #expect(!own.isEmpty && !others.isEmpty)
            #expect(Set(own).isDisjoint(with: others))
            let question = try await one.press("ask-to-sign-out", on: octocat)
            #expect(question.html.contains("Sign Out?"))
            let signedOut = try await one.press("sign-out", on: question)
            #expect(signedOut.html.contains("Not Signed In"))
            #expect(try await one.open("/github/repos").rows.isEmpty)
            #expect(try await two.open("/github/repos").rows == others)
        }
    }

    @Test("Access that is denied, or a callback of nobody, signs nobody in")
    func denied() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let page = try await authorizationPage(browser)
            let denied = try await choose("", on: page, browser)
            #expect(denied.html.contains("Couldn’t Sign In"))
            let forged = try await browser.open("/sign-in/callback?code=x&state=y")
            #expect(forged.title == "Sign In")
            #expect(try await browser.open("/account").html.contains("Not Signed In"))
        }
    }

    @Test("A sign-in that the site can't read is no fault of the visitor's device")
    func unreadableSignIn() async throws {
        let reason = StorageFailure.Reason.newerVersion(found: 2, supported: 1)
        let failure = BrowseError.storageFailed(StorageFailure(reason: reason, file: "session"))
        let stores = SiteStores { _ in
            VisitorStores(user: UserStores(favorites: InMemoryFavoriteRepository()) { _ in FailingTokens(failure) })
        }
        try await withSite(SiteConfiguration(stores: stores)) { _, client in
            let page = try await Browser(client).open("/account")
            #expect(page.html.contains("This site can’t use its storage"))
        }
    }

    @Test("The page after a sign-out that failed says so, once")
    func failedSignOut() async throws {
        let tokens = LastingTokens()
        let stores = SiteStores { _ in
            VisitorStores(user: UserStores(favorites: InMemoryFavoriteRepository()) { _ in tokens })
        }
        try await withSite(SiteConfiguration(stores: stores)) { _, client in
            let browser = Browser(client)
            let account = try await choose("octocat", on: authorizationPage(browser), browser)
            tokens.isLasting.withLock { $0 = true }
            let question = try await browser.press("ask-to-sign-out", on: account)
            let page = try await browser.press("sign-out", on: question)
            // There is nothing to sign out of until the session is read again.
            #expect(page.html.contains("You’re signed out, but this site couldn’t delete your sign-in"))
            #expect(!page.html.contains("value=\"ask-to-sign-out\""))
            #expect(try await !browser.open("/account").html.contains("couldn’t delete your sign-in"))
        }
    }

    @Test("A star of a signed-out visitor leads to signing in, and is set afterwards")
    func starFirst() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let repos = try await browser.open("/github/users/mockworks/repos")
            let row = try #require(repos.rows.first)
            let signIn = try await browser.press("star on \(row)", on: repos)
            #expect(signIn.title == "Sign In")
            let page = try await authorizationPage(browser, from: signIn)
            _ = try await choose("haneul-kim", on: page, browser)
            #expect(try await browser.open("/github/users/mockworks/repos").html.contains("star off \(row)"))
        }
    }

    @Test("A star of a repository's own page is set after signing in, also if pages are opened meanwhile")
    func starOfRepoFirst() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let repos = try await browser.open("/github/users/mockworks/repos")
            let address = try #require(repos.matches(/<h2><a href="([^"]*)"/).first)
            let signIn = try await browser.press("star on ", on: browser.open(address))
            #expect(signIn.title == "Sign In")
            let page = try await authorizationPage(browser, from: signIn)
            #expect(try await !browser.open("/").html.contains("the star is set"))
            let repo = try await choose("haneul-kim", on: page, browser)
            #expect(repo.html.contains("value=\"star off \"") && repo.html.contains("the star is set"))
            #expect(try await !browser.press("dismiss", on: repo).html.contains("the star is set"))
        }
    }

    @Test("A star isn't set by a later sign-in for something else, but by one that repeats a denied attempt")
    func starGivenUp() async throws {
        try await withSite { _, client in
            let address = "/repos?q=velvet-comet"
            for isGivenUp in [true, false] {
                let browser = Browser(client)
                let repos = try await browser.open(address)
                let row = try #require(repos.rows.first)
                let denied = try await choose(
                    "",
                    on: authorizationPage(browser, from: browser.press("star on \(row)", on: repos)),
                    browser
                )
                #expect(denied.html.contains("Couldn’t Sign In") && denied.html.contains("Sign in to star"))
                // Otherwise, the person has left, and signs in on another page.
                let page = try await authorizationPage(browser, from: isGivenUp ? nil : denied)
                let account = try await choose("haneul-kim", on: page, browser)
                #expect(account.html.contains("the star is set") != isGivenUp)
                #expect(try await browser.open(address).html.contains("star on \(row)") == isGivenUp)
            }
        }
    }

    @Test(
        "A star that waits for the sign-in is stored, so nothing else sets it, or leads to another sign-in",
        .timeLimit(.minutes(5))
    )
    func storedStar() async throws {
        let services = OfflineServices()
        try await withSite(SiteConfiguration(source: .fixtures(services))) { site, client in
            let browser = Browser(client)
            let repos = try await browser.open("/repos?q=velvet-comet")
            let row = try #require(repos.rows.first)
            _ = try await browser.press("star on \(row)", on: repos)
            // The page is still open, such as for somebody who goes back.
            try await eventually {
                let page = Document(try await browser.post("/actions", fields: repos.fields))
                return !page.html.contains("Sign in to GitHub to save the star")
            }
            // As if another process had signed in.
            let id = try #require(GitHub.Repo.ID(row))
            let session = try #require(site.visitors.values.first).container.gitHubSession()
            let token = try services.gitHub.token(for: GitHub.Login("haneul-kim"))
            try await session.signIn(with: Credentials(token: token))
            #expect(!session.stars.isStarred(id))
        }
    }

    @Test("A star that can't be set after signing in is no fault of the visitor's connection")
    func unreachableStar() async throws {
        let services = OfflineServices()
        try await withSite(SiteConfiguration(source: .fixtures(services))) { _, client in
            let browser = Browser(client)
            let repos = try await browser.open("/repos?q=velvet-comet")
            let signIn = try await browser.press("star on \(try #require(repos.rows.first))", on: repos)
            services.gitHub.scenarios.set(.offline, for: .put("/user/starred/mockworks/velvet-comet"))
            let page = try await choose("haneul-kim", on: authorizationPage(browser, from: signIn), browser)
            #expect(page.html.contains("the star isn’t set. This site can’t reach the service."))
        }
    }

    @Test(
        "A service that can't be asked about a code is no fault of the visitor's connection",
        .timeLimit(.minutes(5))
    )
    func unreachableCode() async throws {
        let (services, clock) = (OfflineServices(), TestClock())
        let failure = ScriptedServer.Response.failure(.notConnectedToInternet)
        services.gitHub.script.on(.post, "/login/oauth/access_token", times: .any, response: failure)
        try await withSite(SiteConfiguration(source: .fixtures(services), clock: clock)) { _, client in
            let browser = Browser(client)
            _ = try await browser.press("sign-in-by-code", on: browser.open("/sign-in"))
            try await eventually {
                await clock.advance(by: .seconds(5))
                return try await browser.open("/sign-in").html.contains("This site can’t reach the service.")
            }
        }
    }

    @Test(
        "A star is set after signing in, even if the request that finishes the sign-in is canceled",
        .timeLimit(.minutes(5))
    )
    func canceledStar() async throws {
        let services = OfflineServices()
        try await withSite(SiteConfiguration(source: .fixtures(services))) { site, client in
            let browser = Browser(client)
            let list = "/repos?q=velvet-comet"
            _ = try await choose("haneul-kim", on: authorizationPage(browser), browser)
            let row = try #require(try await browser.open(list).rows.first)
            let (visitor, id) = (try #require(site.visitors.values.first), try #require(GitHub.Repo.ID(row)))
            await visitor.session.save(GitHub.Repo(id: id, name: "velvet-comet", fullName: "mockworks/velvet-comet"))
            let json = #"{"id":\#(row),"name":"velvet-comet","full_name":"mockworks/velvet-comet"}"#
            let current = services.gitHub.script.on(.get, "/repositories/\(row)", response: .json(json).held())
            let finish = Task { await visitor.session.finishStar(in: visitor.container, atMost: .seconds(300)) }
            // The star was taken from its store.
            await current.waitForRequests(1)
            finish.cancel()
            await finish.value
            let path = "/user/starred/mockworks/velvet-comet"
            let write = services.gitHub.script.on(.put, path, response: .status(204))
            services.gitHub.script.release()
            await write.waitForRequests(1)
            try await eventually { try await browser.open(list).html.contains("star off \(row)") }
        }
    }

    private func authorizationPage(_ browser: Browser, from signIn: Document? = nil) async throws -> Document {
        var page = signIn
        if page == nil { page = try await browser.open("/sign-in") }
        return try await browser.press("sign-in-by-browser", on: try #require(page))
    }

    private func choose(_ login: String, on page: Document, _ browser: Browser) async throws -> Document {
        var fields = page.fields
        fields["login"] = login
        return try await browser.follow(browser.post("/login/oauth/authorize", fields: fields))
    }
}

/// A store whose token can't be changed while a flag is set.
private struct LastingTokens: TokenStore {
    let store = InMemoryTokenStore()
    let isLasting = Monitor(false)

    func load() async throws(BrowseError) -> Credentials? { try await store.load() }
    func update(_ change: @escaping TokenUpdate) async throws(BrowseError) {
        guard !isLasting.value else { throw .storageFailed(StorageFailure(reason: .other, file: "session")) }
        try await store.update(change)
    }
}

/// A store that can't be used.
private struct FailingTokens: TokenStore {
    let failure: BrowseError

    init(_ failure: BrowseError) { self.failure = failure }

    func load() async throws(BrowseError) -> Credentials? { throw failure }
    func update(_ change: @escaping TokenUpdate) async throws(BrowseError) { throw failure }
}
