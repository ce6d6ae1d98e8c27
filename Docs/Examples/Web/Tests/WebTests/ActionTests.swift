import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import WebApp

@Suite("Actions without JavaScript")
struct ActionTests {
    @Test("A favorite of one page is on the other pages of the visitor, and can be removed")
    func favorites() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let search = try await browser.open("/users?q=octocat")
            let marked = try await browser.press("favorite on 583231", on: search)
            #expect(marked.html.contains("favorite off 583231"))
            let favorites = try await browser.open("/favorites")
            #expect(favorites.rows == ["user/583231"])
            #expect(favorites.html.contains("<h2>O</h2>"))
            let removed = try await browser.press("favorite off user/583231", on: favorites)
            #expect(removed.rows == [])
            #expect(try await browser.open("/github/users/octocat").html.contains("value=\"favorite on \""))
        }
    }

    // limpkin/mooltipass#221 and Streamatico/PolymarketViewer#9
    @Test("A visitor who has too many favorites is told what helps")
    func tooManyFavorites() async throws {
        let stores = SiteStores { _ in
            let favorites = InMemoryFavoriteRepository(onCall: { call throws(BrowseError) in
                guard case .add = call else { return nil }
                throw .storageFailed(StorageFailure(reason: .full, file: "Redis"))
            })
            return VisitorStores(user: UserStores(favorites: favorites) { _ in InMemoryTokenStore(nil) })
        }
        try await withSite(SiteConfiguration(stores: stores)) { _, client in
            let browser = Browser(client)
            let page = try await browser.press("favorite on 583231", on: browser.open("/users?q=octocat"))
            #expect(page.html.contains("Remove some favorites") && page.html.contains("favorite on 583231"))
        }
    }

    @Test("Signing in leads back to what was typed, and not to the page that it was typed on")
    func typedSearch() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let address = "/repos?q=velvet-comet"
            let row = try await browser.open(address).response.text(from: "data-row=\"", to: "\"")
            let page = try await browser.open("/repos")
            let typed = ["address": address, "q": "velvet-comet", "submit": "1"]
            #expect(try await browser.press("input", on: page, typed).status == 200)
            let star = try await browser.press("star on \(row)", on: page, ["address": address])
            #expect(star.body.contains("from=%2Frepos%3Fq%3Dvelvet-comet%26"))
        }
    }

    @Test("Clearing the filter of favorites keeps their order, also one that was chosen on the page")
    func clearedFilter() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let address = "/favorites?filter=zzz&order=added"
            let link = "favorites?order=added"
            #expect(try await browser.open(address).response.body.contains(link))
            let typed = ["address": address, "filter": "zzz", "order": "added", "submit": "1"]
            let shown = try await browser.press("input", on: browser.open("/favorites"), typed)
            #expect(shown.body.contains(link))
        }
    }

    @Test("Clearing the filter of followers brings back all rows that were loaded, also if it was typed on the page")
    func rowsBehindFilter() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let (list, link) = ("/github/users/octocat/followers", "followers?rows=257")
            #expect(try await browser.open(list + "?filter=zzz&rows=257").response.body.contains(link))
            let typed = ["address": list + "?filter=zzz", "filter": "zzz"]
            let shown = try await browser.press("input", on: browser.open(list + "?rows=257"), typed)
            #expect(shown.body.contains(link))
        }
    }

    @Test("The form of a filter opens the page with the rows that were loaded, so that it searches all of them")
    func filterOfLoadedRows() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let (list, field) = ("/github/users/octocat/followers", "name=\"rows\" value=\"257\"")
            for query in ["?rows=257", "?filter=haneul&rows=257"] {
                #expect(try await browser.open(list + query).response.body.contains(field))
            }
            for path in [list, "/users?q=everyone&rows=200"] {
                let page = try await browser.open(path).response.body
                #expect(!page.contains("name=\"rows\""))
            }
        }
    }

    @Test(
        "A storage that the site can't use is no fault of the visitor's device",
        arguments: [.notWritable, .newerVersion(found: 2, supported: 1), .exposedFolder, .locked]
            as [StorageFailure.Reason]
    )
    func unusableStorage(reason: StorageFailure.Reason) async throws {
        let stores = SiteStores { _ in
            let favorites = InMemoryFavoriteRepository(onCall: { call throws(BrowseError) in
                guard case .add = call else { return nil }
                throw .storageFailed(StorageFailure(reason: reason, file: "favorites"))
            })
            return VisitorStores(user: UserStores(favorites: favorites) { _ in InMemoryTokenStore(nil) })
        }
        try await withSite(SiteConfiguration(stores: stores)) { _, client in
            let browser = Browser(client)
            let page = try await browser.press("favorite on 583231", on: browser.open("/users?q=octocat"))
            #expect(page.html.contains("This site can’t use its storage") && page.html.contains("favorite on 583231"))
        }
    }

    @Test("A button of an outdated page doesn't undo what it was meant to do")
    func outdated() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let page = try await browser.open("/users?q=octocat")
            _ = try await browser.press("favorite on 583231", on: page)
            _ = try await browser.press("favorite on 583231", on: page)
            #expect(try await browser.open("/favorites").rows == ["user/583231"])
        }
    }

    @Test("A button works after the page's view model was released")
    func released() async throws {
        try await withSite { site, client in
            let browser = Browser(client)
            let page = try await browser.open("/github/users/octocat/followers?rows=200")
            for _ in 0..<10 { await site.sweep() }
            #expect(site.visitors.values.map(\.pages.count) == [0])
            let row = try #require(page.rows.last)
            let marked = try await browser.press("favorite on \(row)", on: page)
            #expect(marked.html.contains("favorite off \(row)"))
            #expect(marked.rows == page.rows)
        }
    }

    /// mozilla-mobile/fenix#23665
    @Test(
        "Undo brings a favorite back, also after the page's view model was released",
        arguments: ["/users?q=octocat", "/repos?q=velvet-comet", "/characters", "/apps?q=tea"]
    )
    func lateUndo(address: String) async throws {
        try await withSite { site, client in
            let browser = Browser(client)
            let list = try await browser.open(address)
            _ = try await browser.press("favorite on \(try #require(list.rows.first))", on: list)
            let favorites = try await browser.open("/favorites")
            let favorite = try #require(favorites.rows.first)
            let removed = try await browser.press("favorite off \(favorite)", on: favorites)
            #expect(removed.rows == [] && removed.html.contains("was removed"))
            for _ in 0..<10 { await site.sweep() }
            #expect(site.visitors.values.map(\.pages.count) == [0])
            let undo = try #require(removed.matches(/value="(undo [^"]*)"/).first)
            for _ in 1...2 {
                let undone = try await browser.press(undo, on: removed)
                #expect(undone.status == .ok && !undone.html.contains("was removed"))
                #expect(try await browser.open("/favorites").rows == [favorite])
            }
        }
    }

    @Test(
        "Undo without a removed favorite, or the address of one, is refused",
        arguments: ["", " /users", " /nothing", " //evil.example"]
    )
    func undoOfNothing(address: String) async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let fields = try await browser.open("/favorites").fields.merging(["do": "undo" + address]) { $1 }
            #expect(try await browser.post("/actions", fields: fields).status == .conflict)
            #expect(try await browser.open("/favorites").rows == [])
        }
    }

    @Test("A notice is on the page to which the form leads back")
    func notice() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let page = try await browser.open("/github/users/lonely")
            let notice = try await browser.press("followers", on: page)
            #expect(notice.html.contains("No Followers"))
            let dismissed = try await browser.press("dismiss", on: notice)
            #expect(!dismissed.html.contains("No Followers"))
        }
    }

    @Test("The address of a page after an action leads to that page")
    func addressOfActions() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            #expect(try await browser.send("/actions").headers[.location] == "/")
            let page = try await browser.open("/users?q=octocat")
            _ = try await browser.press("favorite on 583231", on: page)
            #expect(try await browser.send("/actions").headers[.location] == "/users?q=octocat")
            #expect(try await Browser(client).send("/actions").headers[.location] == "/")
        }
    }

    @Test("Scripts receive no redirect, but where to go")
    func json() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            let page = try await browser.open("/github/users/octocat")
            #expect(page.html.contains("href=\"/github/users/octocat/followers\""))
            let json = "application/json"
            let stay = try await browser.post(
                "/actions",
                fields: page.fields.merging(["do": "favorite on "]) { $1 },
                accept: json
            )
            #expect(stay.status == .ok && String(buffer: stay.body).contains("favorite off"))
            let go = try await browser.post(
                "/actions",
                fields: page.fields.merging(["do": "followers"]) { $1 },
                accept: json
            )
            let location = try JSONDecoder().decode([String: String].self, from: Data(go.body.readableBytesView))
            #expect(location == ["location": "/github/users/octocat/followers"])
        }
    }

    @Test("A form of a browser that stores no cookies says what is missing")
    func noCookies() async throws {
        try await withSite { _, client in
            let fields = try await Browser(client).open("/users?q=octocat").fields
            let form = fields.merging(["do": "favorite on 583231"]) { $1 }
            let answer = try await Browser(client).post("/actions", fields: form)
            #expect(answer.status == .forbidden && String(buffer: answer.body).contains("needs cookies"))
        }
    }

    @Test("Forms that are too large, or name no page of the site, are refused")
    func refused() async throws {
        try await withSite { _, client in
            let browser = Browser(client)
            var fields = try await browser.open("/users").fields
            fields["page"] = ""
            for address in ["https://example.com/", "//example.com", "", "/github/users/a%2Fb"] {
                fields["address"] = address
                fields["do"] = "retry"
                let status = try await browser.post("/actions", fields: fields).status
                #expect([.badRequest, .notFound].contains(status))
            }
            fields["address"] = "/users?q=" + String(repeating: "a", count: 20_000)
            #expect(try await browser.post("/actions", fields: fields).status == .contentTooLarge)
        }
    }
}
