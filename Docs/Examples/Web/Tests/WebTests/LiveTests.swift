import BrowseMocks
import Foundation
import TestServers
import Testing

@testable import WebApp

@Suite("Live updates", .timeLimit(.minutes(10)))
struct LiveTests {
    @Test("A favorite set on one page appears on all pages of the visitor, and only its row is sent")
    func otherPages() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let first = try await browser.open("/users?q=everyone")
            let second = try await browser.open("/users?q=everyone")
            #expect(first.id != second.id && first.response.status == 200)
            try await browser.stream(second) { stream in
                _ = try await stream.read(until: "retry")
                // Its page has no stream, so the response has all of it.
                let answer = try await browser.press("favorite on 9000000001", on: first)
                #expect(answer.status == 200 && answer.body.contains("favorite off 9000000001"))
                let update = try Update(try await stream.event("update"))
                #expect(update.rows.keys.sorted() == ["9000000001"])
                #expect(update.rows.values.allSatisfy { $0.contains("favorite off 9000000001") })
                #expect(update.order == nil && update.parts.isEmpty && update.title == nil)
            }
            let stranger = TestBrowser(running)
            #expect(try await stranger.open("/users?q=everyone").response.body.contains("favorite on 9000000001"))
        }
    }

    @Test("Rows that come and go elsewhere lead to the rows of a page that is loaded again")
    func rows() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let search = try await browser.open("/users?q=everyone")
            let other = try await browser.open("/users?q=octocat")
            let favorites = try await browser.open("/favorites")
            try await browser.stream(favorites) { stream in
                _ = try await stream.read(until: "retry")
                var shown = ShownRows()
                for change in ["on 1", "on 3", "on 2", "on 0", "off 1", "off 0", "on 1", "off 3", "off 2", "off 1"] {
                    let (word, number) = (change.dropLast(2), change.suffix(1))
                    let (page, row) = number == "0" ? (other, "583231") : (search, "900000000\(number)")
                    #expect(try await browser.press("favorite \(word) \(row)", on: page).status == 200)
                    let loaded = ShownRows(html: try await browser.open("/favorites").response.body)
                    // Fails by its time limit if the rows never become the same.
                    while shown != loaded { shown.apply(try Update(try await stream.event("update"))) }
                }
                #expect(shown == ShownRows())
            }
        }
    }

    @Test("A browser that reconnects gets what it missed, and nothing if it shows everything")
    func resume() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            _ = try await browser.press("favorite on 583231", on: page)
            var shown = ""
            for released in [false, true] {
                // Also if the page was released.
                if released { for _ in 0..<10 { await running.site.sweep() } }
                try await browser.stream(page) { stream in
                    let head = try await stream.read(until: "event: update\ndata: ")
                    shown = String(head.split(separator: "id: ").last?.prefix { $0 != "\n" } ?? "")
                    let update = try Update(try await stream.read(until: "\n\n"))
                    #expect(update.rows["583231"]?.contains("favorite off 583231") == true)
                    #expect(update.token == page.token && update.parts["form"] == nil)
                }
            }
            try await browser.stream(page, showing: shown) { stream in
                _ = try await stream.read(until: "retry")
                _ = try await browser.press("favorite off 583231", on: page)
                let update = try Update(try await stream.event("update"))
                #expect(update.rows.keys.sorted() == ["583231"] && update.parts.isEmpty)
            }
            let missing = TestBrowser.Page(address: "/nothing", response: try await browser.open("/users").response)
            try await browser.stream(missing) { stream in
                let head = try await stream.read(until: "\r\n")
                #expect(head.contains("404"))
            }
        }
    }

    @Test("A browser learns the number of loaded rows, with hidden ones, so that going back loads as many")
    func count() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/github/users/octocat/followers?filter=lunar")
            let update = try Update(try await browser.press("more", on: page).body)
            #expect(update.count == 200 && update.order.map { $0.count < 200 } == true)
        }
    }

    @Test("A browser that shows rows learns that the list is empty now, from a stream and from a response")
    func emptied() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let search = try await browser.open("/users?q=octocat")
            _ = try await browser.press("favorite on 583231", on: search)
            let favorites = try await browser.open("/favorites")
            _ = try await browser.press("favorite off 583231", on: search)
            try await browser.stream(favorites) { stream in
                // The row can lose its mark before it goes.
                var order: [String]?
                while order == nil { order = try Update(try await stream.event("update")).order }
                #expect(order == [])
            }
            // The site may not have noticed yet that the stream has ended.
            let answer = try Update(try await browser.press("refresh", on: favorites, ["live": ""]).body)
            #expect(answer.order == [])
        }
    }

    @Test("A page that shows something else under the same id opens again from its address")
    func otherAddress() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let old = try await browser.open("/users")
            // The person has typed at another process.
            let typed = TestBrowser.Page(address: "/users?q=octocat", response: old.response)
            #expect(try await browser.press("favorite on 583231", on: typed).body.contains("favorite off 583231"))
            let more = TestBrowser.Page(
                address: "/github/users/octocat/followers?rows=200",
                response: try await browser.open("/github/users/octocat/followers").response
            )
            try await browser.stream(more) { stream in
                let update = try Update(try await stream.event("update"))
                #expect(update.order?.count == 200)
            }
            // A row that the page doesn't have is an error, not a success without an effect.
            #expect(try await browser.press("favorite on 1", on: typed).status == 409)
        }
    }

    @Test("A button works for a browser whose events something on the way keeps back")
    func buffered() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            try await browser.stream(page) { stream in
                _ = try await stream.read(until: "event: same")
                let answer = try await browser.press("favorite on 583231", on: page, ["live": ""])
                #expect(answer.status == 200 && answer.body.contains("favorite off 583231"))
                #expect(try await browser.press("favorite off 583231", on: page, ["live": page.shown]).status == 204)
            }
        }
    }

    @Test("Another visitor can't follow a page, or press its buttons")
    func otherVisitor() async throws {
        try await RunningSite.run { running in
            let (browser, stranger) = (TestBrowser(running), TestBrowser(running))
            let page = try await browser.open("/users?q=octocat")
            let own = try await stranger.open("/users?q=octocat")
            // It's another page of the stranger, with the same id.
            _ = try await browser.press("favorite on 583231", on: page)
            try await stranger.stream(page, showing: "") { stream in
                let data = try await stream.event("update")
                #expect(data.contains("favorite on 583231"))
            }
            // With the stranger's cookie and the visitor's token, and the other way around.
            #expect(try await stranger.press("favorite on 583231", on: page).status == 403)
            #expect(try await browser.press("favorite on 583231", on: own).status == 403)
            #expect(try await stranger.open("/users?q=octocat").response.body.contains("favorite on 583231"))
        }
    }

    @Test("Proxies are asked to pass events on at once")
    func passes() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            try await browser.stream(browser.open("/users")) { stream in
                let head = TextResponse(try await stream.read(until: "\r\n\r\n"))
                #expect(head.field("Cache-Control") == "no-store, no-transform")
                #expect(head.field("X-Accel-Buffering") == "no")
            }
        }
    }

    @Test("A stream ends when its client leaves, and the oldest one when a visitor opens a fifth")
    func ends() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users")
            func open(_ count: Int) async throws {
                guard count > 0 else { return }
                try await browser.stream(page) { stream in
                    _ = try await stream.read(until: "retry")
                    try await open(count - 1)
                    if count == 5 { #expect(try await stream.read(until: "replaced").hasSuffix("replaced")) }
                }
            }
            try await open(5)
            try await eventually { running.site.streams.count == 0 }
        }
    }

    @Test("A stream whose client takes nothing during a heartbeat ends")
    func slowReader() async throws {
        let (clock, stream) = (TestClock(), EventStream())
        let (contents, content) = AsyncStream<PageContent>.makeStream()
        let (written, write) = AsyncStream<String>.makeStream()
        let running = Task {
            try await stream.run(contents, heartbeat: .seconds(15), clock: clock) {
                $0.title
            } write: { text in
                write.yield(text)
                // The buffers are full.
                if text == "b" { try await Task.sleep(for: .seconds(86_400)) }
            }
        }
        var texts = written.makeAsyncIterator()
        #expect(await texts.next() == "retry: 2000\n\n")
        content.yield(PageContent(title: "a", parts: []))
        #expect(await texts.next() == "a")
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(15))
        // EventSource tells scripts of events, and not of comments: apache/couchdb-couch#137.
        #expect(await texts.next() == "event: beat\ndata: \"\"\n\n")
        content.yield(PageContent(title: "b", parts: []))
        #expect(await texts.next() == "b")
        for _ in 0..<2 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(15))
        }
        await #expect(throws: EventStream.SlowReader.self) { try await running.value }
    }
}

/// An update as a browser reads it.
private struct Update: Decodable {
    let title: String?
    let token: String?
    let parts: [String: String]
    let rows: [String: String]
    let order: [String]?
    let count: Int?

    init(_ json: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(json.utf8)) }
}

/// The rows of a page: what a browser's script makes of the updates.
private struct ShownRows: Equatable {
    private var rows: [String] = []

    init() {}

    init(html: String) {
        let list = html.split(separator: "<ul id=\"rows\"", maxSplits: 1).last?.split(separator: "</ul>").first ?? ""
        rows = list.components(separatedBy: "<li id=\"row-").dropFirst().map { row in
            "<li id=\"row-" + row.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    mutating func apply(_ update: Update) {
        func id(_ row: String) -> String { String(row.dropFirst("<li id=\"row-".count).prefix { $0 != "\"" }) }
        var elements = Dictionary(uniqueKeysWithValues: rows.map { (id($0), $0) })
        for (id, html) in update.rows { elements[id] = html.trimmingCharacters(in: .whitespacesAndNewlines) }
        rows = (update.order ?? rows.map(id)).compactMap { elements[$0] }
    }
}
