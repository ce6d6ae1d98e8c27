import BrowseMocks
import Foundation
import Testing
import WebSupport

@testable import WebApp

@Suite("Live updates", .timeLimit(.minutes(10)))
struct LiveTests {
    @Test("A favorite set on one page appears on all pages of the visitor, and only its row is sent")
    func otherPages() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let first = try await browser.open("/users?q=octocat")
            let second = try await browser.open("/users?q=octocat")
            let stranger = TestBrowser(running)
            let foreign = try await stranger.open("/users?q=octocat")
            #expect(first.id != second.id && first.response.status == 200)
            try await browser.stream(second) { stream in
                _ = try await stream.read(until: "retry")
                let answer = try await browser.press("favorite on 583231", on: first)
                #expect(answer.status == 204)
                let data = try await stream.event("patch")
                #expect(
                    data.hasPrefix("[{") && data.contains(#""row":"583231""#) && data.contains("favorite off 583231")
                )
                #expect(data.components(separatedBy: #""op":"#).count == 2)
            }
            // The page that was pressed has the same event in its log.
            try await browser.stream(first) { stream in
                let data = try await stream.event("patch")
                #expect(data.contains("favorite off 583231"))
            }
            #expect(try await stranger.open("/users?q=octocat").response.body.contains("favorite on 583231"))
            _ = foreign
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
                    let answer = try await browser.press("favorite \(word) \(row)", on: page)
                    #expect(answer.status == 204)
                    let loaded = ShownRows(html: try await browser.open("/favorites").response.body)
                    // Fails by its time limit if the rows never become the same.
                    while shown != loaded { try shown.apply(try await stream.event("patch")) }
                }
                #expect(shown == ShownRows())
            }
        }
    }

    @Test("A browser that reconnects gets the events that it missed; without them, it gets the current content")
    func resume() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            try await browser.stream(page) { stream in _ = try await stream.read(until: "retry") }
            _ = try await browser.press("favorite on 583231", on: page)
            try await browser.stream(page) { stream in
                let data = try await stream.event("patch")
                #expect(data.contains("favorite off 583231"))
            }
            // Events of another process, and a page that was released.
            for _ in 0..<10 { await running.site.sweep() }
            for event in [EventLog().id(of: 1), "", "x"] {
                try await browser.stream(page, after: event) { stream in
                    let data = try await stream.event("patch")
                    #expect(data.contains("favorite off 583231") && data.contains("rows") && data.contains("token"))
                    #expect(!data.contains("\"form\""))
                }
            }
            // An address without a page.
            let missing = TestBrowser.Page(address: "/nothing", response: try await browser.open("/users").response)
            for _ in 0..<10 { await running.site.sweep() }
            try await browser.stream(missing) { stream in
                let rest = try await stream.read(until: "event: reset")
                #expect(rest.hasSuffix("event: reset"))
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
            try await stranger.stream(page) { stream in
                let data = try await stream.event("patch")
                #expect(data.contains("favorite on 583231"))
            }
            // With the stranger's cookie and the visitor's token, and the other way around.
            #expect(try await stranger.press("favorite on 583231", on: page).status == 403)
            #expect(try await browser.press("favorite on 583231", on: own).status == 403)
            #expect(try await stranger.open("/users?q=octocat").response.body.contains("favorite on 583231"))
        }
    }
}

/// The rows of a page: what a browser's script makes of the events.
private struct ShownRows: Equatable {
    private var rows: [String] = []

    init() {}

    init(html: String) {
        let list = html.split(separator: "<ul id=\"rows\"", maxSplits: 1).last?.split(separator: "</ul>").first ?? ""
        rows = Self.rows(in: String(list))
    }

    mutating func apply(_ json: String) throws {
        let operations = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]] ?? []
        for operation in operations {
            let html = Self.rows(in: operation["html"] as? String ?? "")
            switch operation["op"] as? String {
            case "remove": rows.remove(at: try position(of: operation["row"]))
            case "insert":
                let isLast = operation["before"] is NSNull || operation["before"] == nil
                rows.insert(contentsOf: html, at: isLast ? rows.count : try position(of: operation["before"]))
            case "update": rows[try position(of: operation["row"])] = try #require(html.first)
            case "part" where operation["id"] as? String == "rows": rows = html
            default: break
            }
        }
    }

    private func position(of key: Any?) throws -> Int {
        let key = try #require(key as? String)
        return try #require(rows.firstIndex { $0.hasPrefix("<li id=\"row-\(key)\"") })
    }

    private static func rows(in html: String) -> [String] {
        html.components(separatedBy: "<li id=\"row-").dropFirst().map { row in
            "<li id=\"row-" + row.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
