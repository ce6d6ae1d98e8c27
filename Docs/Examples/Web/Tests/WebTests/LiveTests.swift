import BrowseMocks
import Foundation
import Testing

@testable import WebApp

@Suite("Live updates", .timeLimit(.minutes(3)))
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
            try await browser.stream(second.id) { stream in
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
            try await browser.stream(first.id) { stream in
                let data = try await stream.event("patch")
                #expect(data.contains("favorite off 583231"))
            }
            #expect(try await stranger.open("/users?q=octocat").response.body.contains("favorite on 583231"))
            _ = foreign
        }
    }

    @Test("A browser that reconnects gets the events that it missed; without them, it loads the page again")
    func resume() async throws {
        try await RunningSite.run { running in
            let browser = TestBrowser(running)
            let page = try await browser.open("/users?q=octocat")
            try await browser.stream(page.id) { stream in _ = try await stream.read(until: "retry") }
            _ = try await browser.press("favorite on 583231", on: page)
            try await browser.stream(page.id) { stream in
                let data = try await stream.event("patch")
                #expect(data.contains("favorite off 583231"))
            }
            for (id, event) in [(page.id, 99), ("unknown", 0), ("", 0)] {
                try await browser.stream(id, after: event) { stream in
                    let rest = try await stream.read(until: "event: reset")
                    #expect(rest.hasSuffix("event: reset"))
                }
            }
        }
    }

    @Test("Another visitor can't follow a page, or press its buttons")
    func otherVisitor() async throws {
        try await RunningSite.run { running in
            let (browser, stranger) = (TestBrowser(running), TestBrowser(running))
            let page = try await browser.open("/users?q=octocat")
            let own = try await stranger.open("/users?q=octocat")
            try await stranger.stream(page.id) { stream in
                let rest = try await stream.read(until: "event: reset")
                #expect(rest.hasSuffix("event: reset"))
            }
            // With the stranger's cookie and the visitor's token, and the other way around.
            #expect(try await stranger.press("favorite on 583231", on: page).status == 403)
            #expect(try await browser.press("favorite on 583231", on: own).status == 403)
            #expect(try await browser.open("/users?q=octocat").response.body.contains("favorite on 583231"))
        }
    }
}
