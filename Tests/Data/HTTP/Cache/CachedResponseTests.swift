import BrowseDomain
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded) struct `A cached response` {
    private let url: URL

    init() throws {
        url = try #require(URL(string: "https://api.example/a?b=%20"))
    }

    private func response(_ headers: HTTPHeaders, _ body: String = "") -> CachedResponse {
        let response = HTTPClient.Response(status: 203, headers: headers, body: Data(body.utf8), url: url)
        return CachedResponse(response, VaryKey(text: "accept: a\nx: "), date: testNow)
    }

    private func decoded(_ head: String) -> CachedResponse? {
        CachedResponse(Blob(date: testNow, head: Data(head.utf8), body: Data()))
    }

    @Test func `is read as it was written, without fields that can't be sent`() throws {
        let cached = response(
            ["X-Note": "a\r\nX-Other: b", "X-Bell": "\u{7}", "": "a", "Empty": "", "ETag": "W/\"1: 2\""],
            "body"
        )
        let again = try #require(CachedResponse(cached.blob))
        #expect(again == cached)
        #expect(again.headers == ["Empty": "", "ETag": "W/\"1: 2\""])
        #expect(again.body == Data("body".utf8))
    }

    @Test(arguments: [
        "200\nhttps://example.com\nETag:a", "200\nhttps://a\netag:\"\u{1}\"", "200\nhttps://a\ne tag:a",
        "200\nhttps://a\n:a",
        "", "200", "99\nhttps://a", "600\nhttps://a", "ok\nhttps://a", "200\n", "200\nhttps://a\nno colon",
    ])
    func `is nil if its data is invalid`(head: String) {
        #expect(decoded(head) == nil)
    }

    @Test func `is revalidated by its ETag or date, unless that's too long to be sent`() {
        #expect(response(["ETag": "\"a\"", "Last-Modified": "now"]).condition?.name == "If-None-Match")
        #expect(response(["Last-Modified": "now"]).condition?.name == "If-Modified-Since")
        #expect(response(["ETag": String(repeating: "a", count: 2000)]).condition == nil)
        #expect(response(["ETag": "\"\u{1}\""]).condition == nil)
        #expect(response([:]).condition == nil)
    }

    @Test(
        arguments: [
            (["ETag": "\"a\""], ["ETag": "\"a\""], true), (["ETag": "\"a\""], ["ETag": "W/\"a\""], true),
            (["ETag": "\"a\""], [:], true), (["ETag": "\"a\""], ["Last-Modified": "tomorrow"], true),
            (["ETag": "\"a\""], ["ETag": "\"b\""], false), (["ETag": "\"a\""], ["ETag": ""], false),
            (["Last-Modified": "now"], ["ETag": "\"a\""], false),
            (["Last-Modified": "now"], ["Last-Modified": "now"], true),
            (["Last-Modified": "now"], ["Last-Modified": "yesterday"], false), (["Last-Modified": "now"], [:], true),
        ] as [(HTTPHeaders, HTTPHeaders, Bool)]
    )
    func `is confirmed by a 304 that names its version or none`(stored: HTTPHeaders, sent: HTTPHeaders, isSame: Bool) {
        #expect((response(stored).confirmed(by: sent, at: testNow) != nil) == isSame)
    }

    @Test func `is stored again if a field has changed, or after ten seconds`() throws {
        let cached = response(["ETag": "\"a\"", "Link": "<a>", "X-RateLimit-Used": "1"])
        for (headers, seconds, mustReplace) in [
            (["X-RateLimit-Used": "2", "Link": "<a>"], 9, false), (["Link": "<b>"], 0, true), ([:], 10, true),
            ([:], -9, false),
            ([:], -10, true), (["X-Bell": "\u{7}"], 0, false),
        ] as [(HTTPHeaders, Double, Bool)] {
            let confirmed = try #require(cached.confirmed(by: headers, at: testNow + seconds))
            #expect(confirmed.mustReplace(cached) == mustReplace, "\(headers), \(seconds) s")
            #expect(confirmed.date == testNow + seconds)
        }
    }

    @Test func `keeps the fields that describe its body when it is confirmed`() throws {
        let headers: HTTPHeaders = ["Content-Type": "application/json", "Content-Length": "2", "Link": "<a>"]
        let sent: HTTPHeaders = ["Content-Type": "text/html", "Content-Length": "0", "Link": "<b>", "Set-Cookie": "c"]
        let confirmed = try #require(response(headers, "{}").confirmed(by: sent, at: testNow + 1))
        #expect(confirmed.headers == ["Content-Type": "application/json", "Content-Length": "2", "Link": "<b>"])
        #expect(confirmed.body == Data("{}".utf8))
        #expect(confirmed.date == testNow + 1)
    }

    @Test func `stores no fields of a single exchange, but returns them`() {
        let ofExchange: HTTPHeaders = [
            "Date": "Sun, 04 Jan 2026 00:00:01 GMT", "X-RateLimit-Remaining": "59", "X-GitHub-Request-Id": "1:2",
            "Age": "3",
        ]
        var headers = ofExchange
        headers.merge(["ETag": "\"a\"", "Content-Type": "text/plain"])
        let reply = response(headers)
        #expect(reply.headers == ["ETag": "\"a\"", "Content-Type": "text/plain"])
        let confirmation: HTTPHeaders = [
            "X-RateLimit-Remaining": "58", "X-RateLimit-Used": "2", "Content-Type": "text/html", "Content-Length": "0",
            "Link": "<b>",
        ]
        #expect(
            reply.confirmed(by: confirmation, at: testNow)?.headers == [
                "ETag": "\"a\"", "Content-Type": "text/plain", "Link": "<b>",
            ]
        )
        #expect(
            reply.response(.revalidated, confirmedBy: confirmation).headers == [
                "ETag": "\"a\"", "Content-Type": "text/plain", "Link": "<b>", "X-RateLimit-Remaining": "58",
                "X-RateLimit-Used": "2",
            ]
        )
    }

    @Test(arguments: [
        ("accept: a", true), ("accept: a\nx: ", true), ("accept: ", false), ("accept: b", false), ("accept:a", false),
        ("accept", false), ("", true), ("x: 1", false), ("accept: a b", false),
    ])
    func `matches requests with the same fields in Vary`(text: String, matches: Bool) {
        let request = HTTPClient.Request(url: url, headers: ["Accept": "a"], endpoint: "GET /a")
        #expect(VaryKey(text: text).matches(request) == matches)
    }

    @Test func `matches its own request`() throws {
        var request = HTTPClient.Request(url: url, headers: ["Accept": "a", "Authorization": "secret"], endpoint: "")
        let headers: HTTPHeaders = ["Vary": "X-B, accept ,, Authorization,Accept"]
        let variant = try #require(VaryKey(of: request, varyingBy: headers))
        #expect(variant.text == "accept: a\nx-b: ")
        #expect(variant.matches(request))
        request.headers["X-B"] = "1"
        #expect(!variant.matches(request))
        #expect(VaryKey(of: request, varyingBy: ["Vary": "accept, *"]) == nil)
    }

    @Test func `has no key if the request can't be sent, or the account has a line break`() throws {
        var request = HTTPClient.Request.sample(account: "b")
        #expect(CacheKey(request) != nil)
        request.headers["Accept"] = "a\nb"
        #expect(CacheKey(request) == nil)
        // Its text would be the key of another account.
        #expect(CacheKey(.sample(account: "b\nc")) == nil)
    }

    @Test func `ignores invalid names in Vary`() {
        #expect(VaryKey(of: .sample(), varyingBy: ["Vary": "Accept, a: b"]) == nil)
    }
}
