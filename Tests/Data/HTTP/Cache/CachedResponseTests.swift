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

    private func written(_ head: String, _ body: Data = Data()) -> CachedResponse? {
        let checksum = CachedResponse.checksum(of: [Data("key".utf8), Data(head.utf8), body])
        return CachedResponse(head: Data(head.utf8), body: body, checksum: checksum, date: testNow, under: "key")
    }

    @Test func `is read as it was written, with spaces for line breaks in a mock's fields`() {
        let headers: HTTPHeaders = ["X-Note": "a\r\nX-Other: b", "Empty": "", "ETag": "W/\"1: 2\""]
        let reply = CachedResponse(HTTPResponse(status: 203, headers: headers, url: url), date: testNow)
        let again = written(String(decoding: reply.head, as: UTF8.self))
        #expect(again?.status == 203)
        #expect(again?.url == url)
        #expect(again?.headers == ["X-Note": "a X-Other: b", "Empty": "", "ETag": "W/\"1: 2\""])
    }

    @Test(arguments: [
        "200\nhttps://example.com\nETag:a",
        "", "200", "99\nhttps://a", "600\nhttps://a", "ok\nhttps://a", "200\n", "200\nhttps://a\nno colon",
    ])
    func `is nil if its data is invalid`(head: String) {
        #expect(written(head) == nil)
    }

    @Test func `has a checksum that depends on every bit`() {
        let body = Data((0..<77).map { UInt8($0) })
        let whole = CachedResponse.checksum(of: [Data("key".utf8), body])
        for index in body.indices {
            for bit in 0..<8 {
                var damaged = body
                damaged[index] ^= 1 << bit
                #expect(CachedResponse.checksum(of: [Data("key".utf8), damaged]) != whole, "\(index), \(bit)")
            }
        }
        #expect(CachedResponse.checksum(of: [Data("ke".utf8), Data("y".utf8) + body]) != whole)
    }

    @Test func `keeps the fields that describe its body when it is confirmed`() {
        let headers: HTTPHeaders = ["Content-Type": "application/json", "Content-Length": "2", "Link": "<a>"]
        let reply = CachedResponse(
            HTTPResponse(status: 200, headers: headers, body: Data("{}".utf8), url: url),
            date: testNow
        )
        let confirmed = reply.confirmed(
            by: ["Content-Type": "text/html", "Content-Length": "0", "Link": "<b>", "Set-Cookie": "c"],
            at: testNow + 1
        )
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
        let reply = CachedResponse(HTTPResponse(status: 200, headers: headers, url: url), date: testNow)
        #expect(reply.headers == ["ETag": "\"a\"", "Content-Type": "text/plain"])
        let confirmation: HTTPHeaders = [
            "X-RateLimit-Remaining": "58", "X-RateLimit-Used": "2", "Content-Type": "text/html", "Content-Length": "0",
            "Link": "<b>",
        ]
        #expect(
            reply.confirmed(by: confirmation, at: testNow).headers == [
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
        let request = HTTPRequest(url: url, headers: ["Accept": "a"], endpoint: "GET /a")
        #expect(VaryKey(text: text).matches(request) == matches)
    }

    @Test func `matches its own request, even if a mock's field has line breaks`() throws {
        var request = HTTPRequest(url: url, headers: ["Accept": "a\r\nx: 1", "Authorization": "secret"], endpoint: "")
        let headers: HTTPHeaders = ["Vary": "X-B, accept ,, Authorization,Accept"]
        let variant = try #require(VaryKey(of: request, varyingBy: headers))
        #expect(variant.text == "accept: a x: 1\nx-b: ")
        #expect(variant.matches(request))
        request.headers["X-B"] = "1"
        #expect(!variant.matches(request))
        #expect(VaryKey(of: request, varyingBy: ["Vary": "accept, *"]) == nil)
    }

    @Test func `has a unique key, even if a mock's field has line breaks`() throws {
        var (one, other) = (HTTPRequest.sample(account: "c"), HTTPRequest.sample(account: "b c"))
        one.headers["Accept"] = "a\nb"
        other.headers["Accept"] = "a"
        #expect(try #require(CacheKey(one)).text != #require(CacheKey(other)).text)
        // Its text would be the key of another account.
        #expect(CacheKey(.sample(account: "b\nc")) == nil)
    }

    @Test func `ignores invalid names in Vary`() {
        #expect(VaryKey(of: .sample(), varyingBy: ["Vary": "Accept, a: b"]) == nil)
    }
}
