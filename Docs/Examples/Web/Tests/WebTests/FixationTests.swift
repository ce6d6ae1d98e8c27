import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import Testing

@testable import WebApp

/// Attackers who know a visitor's cookie, because they planted it or stole it.
@Suite("Planted and stolen cookies", .timeLimit(.minutes(10)))
struct FixationTests {
    /// Runs a test with stores in memory, or in files that outlive the visitors.
    private func withStores(_ isLasting: Bool, _ test: (RunningSite, URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fixation-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = SiteConfiguration()
        if isLasting { configuration.stores = .files(in: folder) }
        try await RunningSite.run(configuration) { try await test($0, folder) }
    }

    @Test("An attacker who planted a cookie isn't signed in with the person who uses it", arguments: [false, true])
    func planted(isLasting: Bool) async throws {
        try await withStores(isLasting) { running, _ in
            let (attacker, victim) = (TestBrowser(running), TestBrowser(running))
            let trap = try await attacker.open("/account")
            let planted = attacker.cookie
            victim.cookie = planted
            // The attacker watches a page meanwhile.
            try await attacker.stream(trap) { stream in
                _ = try await stream.read(until: "retry")
                try await victim.signIn(as: "octocat")
                #expect(victim.cookie != planted)
                let seen = try await stream.read(until: "octocat")
                #expect(!seen.contains("octocat"))
            }
            let account = try await attacker.open("/account").response
            #expect(attacker.cookie == planted && !account.body.contains("octocat"))
            #expect(try await attacker.open("/github/repos").response.body.contains("Not Signed In"))
            #expect(try await victim.open("/account").response.body.contains("octocat"))
        }
    }

    @Test("The cookie changes when a sign-in starts, before there is anything to steal", arguments: [false, true])
    func code(isLasting: Bool) async throws {
        try await withStores(isLasting) { running, _ in
            let (attacker, victim) = (TestBrowser(running), TestBrowser(running))
            _ = try await attacker.open("/users")
            let planted = attacker.cookie
            victim.cookie = planted
            let page = try await victim.open("/sign-in")
            // Even an attacker who knows the id of the page sees nothing of what follows.
            try await attacker.stream(page) { stream in
                _ = try await stream.read(until: "retry")
                _ = try await victim.press("sign-in-by-code", on: page)
                let rest = try await stream.read(until: "event: update")
                #expect(!rest.contains("event: update"))
            }
            #expect(victim.cookie != planted)
            let code = try await victim.open("/sign-in").code
            // On a busy machine, the fixtures may have accepted the code already.
            if code == nil { #expect(try await victim.open("/account").response.body.contains("octocat")) }
            #expect(try await attacker.open("/sign-in").code == nil)
            #expect(attacker.cookie == planted)
        }
    }

    @Test("A form of the attacker's page isn't accepted after the person has signed in", arguments: [false, true])
    func token(isLasting: Bool) async throws {
        try await withStores(isLasting) { running, _ in
            let (attacker, victim) = (TestBrowser(running), TestBrowser(running))
            let trap = try await attacker.open("/users?q=octocat")
            victim.cookie = attacker.cookie
            try await victim.signIn(as: "octocat")
            for page in [trap.id, ""] {
                _ = try await victim.post([
                    "csrf": trap.token, "page": page, "address": trap.address, "do": "favorite on 583231",
                ])
            }
            #expect(try await victim.open("/users?q=octocat").response.body.contains("favorite on 583231"))
        }
    }

    @Test("A page from before a sign-in loads again when one of its buttons is pressed", arguments: [false, true])
    func otherWindow(isLasting: Bool) async throws {
        try await withStores(isLasting) { running, _ in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            try await browser.stream(page) { stream in
                _ = try await stream.read(until: "retry")
                try await browser.signIn(as: "octocat")
                // The stream ends; it continues with the new cookie.
                while try await stream.read() != nil {}
            }
            // With the token of the new cookie.
            var token = ""
            try await browser.stream(page) { stream in
                let data = try await stream.event("update")
                let update = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
                token = update?["token"] as? String ?? ""
            }
            #expect(!token.isEmpty && token != page.token)
            let answer = try await browser.press("favorite on 583231", on: page)
            #expect(answer.status == 200 && answer.body.contains(page.address.replacing("/", with: "\\/")))
            let form = ["csrf": page.token, "page": page.id, "address": page.address, "do": "favorite on 583231"]
            let redirect = try await browser.post(form)
            #expect(redirect.status == 303 && redirect.field("Location") == page.address)
            let fresh = try await browser.open(page.address)
            #expect(fresh.response.body.contains("favorite on 583231"))
            #expect(try await browser.press("favorite on 583231", on: fresh).status == 200)
        }
    }

    @Test(
        "A second click, with the cookie of before the first, loses nothing that is stored",
        arguments: [false, true]
    )
    func secondClick(isLasting: Bool) async throws {
        try await withStores(isLasting) { running, _ in
            let browser = TestBrowser(running)
            _ = try await browser.press("favorite on 583231", on: browser.open("/users?q=octocat"))
            for (address, action) in [("/sign-in", "sign-in-by-browser"), ("/account", "sign-out")] {
                if action == "sign-out" { try await browser.signIn(as: "octocat") }
                let page = try await browser.open(address)
                let former = browser.cookie
                let first = try await running.tab(former) { try await $0.press(action, on: page) }.value
                // A browser has the cookie of the response that arrives last.
                let second = try await browser.press(action, on: page)
                if browser.cookie == former {
                    browser.cookie = String(try #require(first.field("Set-Cookie")).prefix { $0 != ";" })
                }
                #expect(second.status == 200)
                #expect(try await browser.open("/favorites").response.body.contains("user/583231"), "\(action)")
            }
        }
    }

    @Test("A cookie that was stolen is worth nothing after signing out", arguments: [false, true])
    func signOut(isLasting: Bool) async throws {
        try await withStores(isLasting) { running, _ in
            let (thief, victim) = (TestBrowser(running), TestBrowser(running))
            try await victim.signIn(as: "octocat")
            let search = try await victim.open("/users?q=octocat")
            _ = try await victim.press("favorite on 583231", on: search)
            let stolen = victim.cookie
            thief.cookie = stolen
            #expect(try await thief.open("/account").response.body.contains("octocat"))
            let account = try await victim.open("/account")
            _ = try await victim.press("ask-to-sign-out", on: account)
            _ = try await victim.press("sign-out", on: account)
            #expect(victim.cookie != stolen)
            #expect(try await victim.open("/account").response.body.contains("Not Signed In"))
            #expect(try await victim.open("/favorites").response.body.contains("user/583231"))
            try await victim.signIn(as: "haneul-kim")
            let account2 = try await thief.open("/account").response
            #expect(thief.cookie == stolen)
            #expect(!account2.body.contains("octocat") && !account2.body.contains("haneul-kim"))
            #expect(!(try await thief.open("/favorites").response.body.contains("user/583231")))
        }
    }

    @Test("A visitor who returns after being forgotten finds their session and favorites")
    func lasting() async throws {
        try await withStores(true) { running, folder in
            let browser = TestBrowser(running)
            let search = try await browser.open("/users?q=octocat")
            _ = try await browser.press("favorite on 583231", on: search)
            try await browser.signIn(as: "octocat")
            for _ in 0...running.site.configuration.limits.visitorTicks { await running.site.sweep() }
            #expect(running.site.visitors.count == 0)
            #expect(try await browser.open("/account").response.body.contains("octocat"))
            #expect(try await browser.open("/favorites").response.body.contains("user/583231"))
            // Nobody who can read the names of the folders learns an id.
            let id = try #require(running.site.visitors.values.first).id.rawValue
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
            #expect(!names.isEmpty && names.allSatisfy { !$0.contains(id) && !$0.contains(String(id.prefix(8))) })
        }
    }

    @Test("A sign-in at one process ends the former cookie at the others")
    func processes() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fixation-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let stores = SiteStores.files(in: folder)
        let configuration = SiteConfiguration(stores: stores)
        try await RunningSite.run(configuration) { first in
            try await RunningSite.run(configuration) { second in
                let (attacker, victim) = (TestBrowser(second), TestBrowser(first))
                _ = try await attacker.open("/account")
                _ = try await attacker.open("/account")
                let planted = attacker.cookie
                victim.cookie = planted
                let trap = try await attacker.open("/account")
                try await attacker.stream(trap) { stream in
                    _ = try await stream.read(until: "retry")
                    try await victim.signIn(as: "octocat")
                    // Without messages, the next sweep notices.
                    await second.site.sweep()
                    let seen = try await stream.read(until: "octocat")
                    #expect(!seen.contains("octocat"))
                }
                #expect(!(try await attacker.open("/account").response.body.contains("octocat")))
                #expect(attacker.cookie == planted)
                let other = TestBrowser(second)
                other.cookie = victim.cookie
                let search = try await victim.open("/users?q=octocat")
                _ = try await victim.press("favorite on 583231", on: search)
                #expect(try await other.open("/favorites").response.body.contains("user/583231"))
            }
        }
    }
}

extension TestBrowser {
    /// Signs in on the page of the fixtures.
    func signIn(as login: String) async throws {
        let signedIn = try await send("GET", callback(from: startSignIn(), as: login))
        #expect(signedIn.field("Location") == "/account")
    }

    /// Starts to sign in; returns the path of the page that asks for access.
    func startSignIn() async throws -> String {
        let answer = try await press("sign-in-by-browser", on: open("/sign-in"))
        return try path(JSONDecoder().decode([String: String].self, from: Data(answer.body.utf8))["location"])
    }

    /// Agrees on the page that asks for access; returns the path of the callback.
    func callback(from path: String, as login: String) async throws -> String {
        let page = try await open(path)
        let form = ["csrf": page.token, "query": String(path.drop { $0 != "?" }.dropFirst()), "login": login]
        return try self.path(await post(form, to: "/login/oauth/authorize").field("Location"))
    }

    private func path(_ address: String?) throws -> String {
        String(try #require(address).dropFirst("http://127.0.0.1:\(port)".count))
    }

    func signOut() async throws {
        let account = try await open("/account")
        for action in ["ask-to-sign-out", "sign-out"] { #expect(try await press(action, on: account).status == 200) }
    }
}

extension TestBrowser.Page {
    /// The code to sign in with; `nil` if there is none.
    var code: String? {
        let section = response.text(from: "<section class=\"code\">", to: "</section>")
        return section.firstMatch(of: /[A-Z0-9]{4}-[A-Z0-9]{4}/).map { String($0.output) }
    }
}
