import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

/// What a 304 is taken for.
@Suite(.bounded) struct `A confirmation of a cached response` {
    private let folder = TemporaryFolder()
    private let cache: ResponseCache
    private let url: URL
    private let date = "Sun, 04 Jan 2026 00:00:01 GMT"

    init() throws {
        cache = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        url = try #require(URL(string: "https://api.github.com/items/1"))
    }

    private func request(_ language: String = "en") -> HTTPRequest {
        HTTPRequest(url: url, headers: ["Accept-Language": language], endpoint: "GET /items/{}")
    }

    private func keep(_ body: String, _ headers: HTTPHeaders, in language: String = "en") async throws {
        let request = request(language)
        var headers = headers
        headers["Vary"] = "Accept-Language"
        let response = HTTPResponse(status: 200, headers: headers, body: Data(body.utf8), url: url)
        let variant = try #require(VaryKey(of: request, varyingBy: headers))
        let key = try #require(CacheKey(request))
        await cache.commit(response, under: key, variant, generation: 0)
    }

    private func known() async throws -> Validator {
        let key = try #require(CacheKey(request()))
        return try #require(await cache.beginRevalidation(for: key, request()).validator)
    }

    @Test func `doesn't apply to a response in another language that replaced it`() async throws {
        try await keep("hello", ["Last-Modified": date])
        let known = try await known()
        try await keep("bonjour", ["Last-Modified": date], in: "fr")
        #expect(await cache.finishRevalidation(known, by: [:]) == nil)
    }

    @Test func `doesn't apply to a version with another date that replaced it`() async throws {
        try await keep("old", ["Last-Modified": date])
        let known = try await known()
        try await keep("new", ["Last-Modified": "Sun, 04 Jan 2026 00:00:02 GMT"])
        #expect(await cache.finishRevalidation(known, by: [:]) == nil)
    }

    @Test func `writes only the date if no field has changed`() async throws {
        let time = Time()
        let cache = ResponseCache(folder: folder.url, now: { time.date }, clock: TestClock(), lockTimeout: .seconds(60))
        let key = try #require(CacheKey(request()))
        let variant = try #require(VaryKey(of: request(), varyingBy: [:]))
        let headers: HTTPHeaders = ["ETag": "\"a\"", "Link": "<a>", "X-RateLimit-Used": "1"]
        let response = HTTPResponse(status: 200, headers: headers, body: Data("a".utf8), url: url)
        await cache.commit(response, under: key, variant, generation: 0)
        let first = try stored()
        for (used, link) in [("2", "<a>"), ("3", "<b>")] {
            time.advance()
            let known = try #require(await cache.beginRevalidation(for: key, request()).validator)
            #expect(
                await cache.finishRevalidation(known, by: ["Link": link, "X-RateLimit-Used": used, "ETag": "W/\"a\""])
                    != nil
            )
            let reply = try #require(await cache.response(for: key, request()))
            #expect(reply.date == time.date)
            #expect(reply.body == Data("a".utf8))
            #expect(reply.headers == ["ETag": "W/\"a\"", "Link": link])
            time.advance()
            let again = try #require(await cache.beginRevalidation(for: key, request()).validator)
            #expect(again.etag == "W/\"a\"")
            let before = try stored()
            #expect(await cache.finishRevalidation(again, by: ["X-RateLimit-Used": "9"]) != nil)
            #expect(try stored() == before)
            #expect(await cache.response(for: key, request())?.date == time.date)
        }
        #expect(try stored() != first)
    }

    @Test func `stores the date with an accuracy of ten seconds`() async throws {
        let time = Time()
        let cache = ResponseCache(folder: folder.url, now: { time.date }, clock: TestClock(), lockTimeout: .seconds(60))
        let key = try #require(CacheKey(request()))
        let variant = try #require(VaryKey(of: request(), varyingBy: [:]))
        let response = HTTPResponse(status: 200, headers: ["ETag": "\"a\""], body: Data("a".utf8), url: url)
        await cache.commit(response, under: key, variant, generation: 0)
        var stored = time.date
        for (seconds, isStored) in [(9.0, false), (1, true), (9, false), (-18, false), (-1, true)] {
            time.advance(by: seconds)
            if isStored { stored = time.date }
            let known = try #require(await cache.beginRevalidation(for: key, request()).validator)
            #expect(await cache.finishRevalidation(known, by: [:])?.date == time.date)
            // A new cache has only what the file contains.
            let other = ResponseCache(
                folder: folder.url,
                now: { time.date },
                clock: TestClock(),
                lockTimeout: .seconds(60)
            )
            #expect(await cache.count == 1)
            #expect(await other.response(for: key, request())?.date == stored, "after \(seconds) s")
            // Its use is recorded after the response. Meanwhile, a confirmation would find the file locked, and not be stored.
            #expect(await other.count == 1)
        }
    }

    /// Returns the checksum of the file's contents except times.
    private func stored() throws -> Int64? {
        try Database(folder.file("responses.sqlite")).first("SELECT checksum FROM responses") { $0.integer(0) }
    }

    private final class Time: Sendable {
        private let seconds = Mutex(0.0)
        var date: Date { seconds.withLock { testNow + $0 } }
        func advance(by seconds: Double = 60) { self.seconds.withLock { $0 += seconds } }
    }

    @Test(arguments: ["\"b\"", "W/\"b\"", ""])
    func `is ignored if it names another version`(etag: String) async throws {
        try await keep("a", ["ETag": "\"a\""])
        #expect(await cache.finishRevalidation(try await known(), by: ["ETag": etag]) == nil)
        try await keep("dated", ["Last-Modified": date])
        #expect(await cache.finishRevalidation(try await known(), by: ["ETag": etag]) == nil)
        #expect(await cache.finishRevalidation(try await known(), by: ["Last-Modified": "yesterday"]) == nil)
    }

    @Test(arguments: [["ETag": "\"a\""], ["ETag": "W/\"a\""], [:], ["Last-Modified": "tomorrow"]] as [HTTPHeaders])
    func `applies if it names this version or none`(headers: HTTPHeaders) async throws {
        try await keep("a", ["ETag": "\"a\""])
        #expect(await cache.finishRevalidation(try await known(), by: headers)?.body == Data("a".utf8))
    }
}
