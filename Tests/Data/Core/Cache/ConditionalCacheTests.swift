import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `The conditional cache` {
    private let folder = TemporaryFolder()
    private let time = RecordingClock()
    private let cache: ResponseCache
    private let middleware: ConditionalCache

    init() {
        cache = ResponseCache(
            folder: folder.url,
            byteLimit: 1 << 20,
            now: { [time] in time.date },
            clock: ImmediateClock()
        )
        middleware = ConditionalCache(cache)
    }

    /// A server of one resource, whose ETag changes with its content.
    private final class Resource: Sendable {
        let text = Mutex("one")
        let extra: HTTPHeaders
        let usesDate: Bool

        init(extra: HTTPHeaders = [:], usesDate: Bool = false) {
            self.extra = extra
            self.usesDate = usesDate
        }

        func change(to new: String) { text.withLock { $0 = new } }

        var wire: FakeTransport {
            FakeTransport { [self] request, index throws(BrowseError) in
                let text = text.withLock { $0 }
                var headers = extra
                headers[usesDate ? "Last-Modified" : "ETag"] = "\"\(text)\""
                headers["X-Count"] = "\(index)"
                let asked = request.headers[usesDate ? "If-Modified-Since" : "If-None-Match"]
                guard asked != "\"\(text)\"" else {
                    // Of no body.
                    headers["Content-Type"] = "text/html"
                    return HTTPClient.Response(status: 304, headers: headers, url: request.url)
                }
                headers["Link"] = "<https://api.example/a?page=2>; rel=\"next\""
                headers["Content-Type"] = "text/plain"
                return HTTPClient.Response(status: 200, headers: headers, body: Data(text.utf8), url: request.url)
            }
        }
    }

    /// Reads like a client that can decode every response.
    private func read(_ request: HTTPClient.Request, from wire: FakeTransport) async throws(BrowseError)
        -> HTTPClient.Response
    {
        let response = try await wire.send(request, through: middleware)
        // As the client does after decoding.
        switch response.status {
        case 404, 410: await response.cacheCommit?.discard()
        case 200..<400: await response.cacheCommit?.commit()
        default: break
        }
        return response
    }

    private static let offline = FakeTransport { request, _ throws(BrowseError) in
        throw .unreachable(.offline, request.info)
    }

    @Test(arguments: [false, true])
    func `revalidates a response, and returns it with its header fields after a 304`(usesDate: Bool) async throws {
        let resource = Resource(usesDate: usesDate)
        let wire = resource.wire
        #expect(try await read(.sample(), from: wire).provenance == .fresh)
        time.advance(by: .seconds(60))
        let second = try await read(.sample(), from: wire)
        #expect(second.provenance == .revalidated)
        #expect(second.status == 200)
        #expect(second.body == Data("one".utf8))
        #expect(second.headers["Link"] == "<https://api.example/a?page=2>; rel=\"next\"")
        #expect(second.headers["Content-Type"] == "text/plain")
        // The header fields of the confirmation replace the cached ones.
        #expect(second.headers["X-Count"] == "1")
        let asked = wire.requests.map { $0.headers[usesDate ? "If-Modified-Since" : "If-None-Match"] }
        #expect(asked == [nil, "\"one\""])
        resource.change(to: "two")
        let third = try await read(.sample(), from: wire)
        #expect(third.provenance == .fresh)
        #expect(third.body == Data("two".utf8))
        #expect(try await read(.sample(), from: wire).body == Data("two".utf8))
        // Its date is that of the confirmation.
        let cached = try await read(.sample(source: .cacheOnly), from: Self.offline)
        #expect(cached.provenance == .stale(since: testNow + 60))
    }

    @Test func `responds without the server only if the options allow it`() async throws {
        let wire = Resource().wire
        let nothing = await thrown { () throws(BrowseError) in try await read(.sample(source: .cacheOnly), from: wire) }
        #expect(nothing == .unreachable(.notCached, HTTPClient.Request.sample().info))
        _ = try await read(.sample(), from: wire)
        #expect(try await read(.sample(source: .cacheOnly), from: wire).body == Data("one".utf8))
        #expect(wire.requests.count == 1)
        let refused = await thrown { () throws(BrowseError) in try await read(.sample(), from: Self.offline) }
        #expect(refused == .unreachable(.offline, HTTPClient.Request.sample().info))
        let offline = try await read(.sample(source: .networkElseCache), from: Self.offline)
        #expect(offline.provenance == .offline(since: testNow))
        #expect(offline.body == Data("one".utf8))
    }

    @Test(
        arguments: [
            (BrowseError.timedOut(HTTPClient.Request.sample().info), true),
            (.unreachable(.connectionLost, HTTPClient.Request.sample().info), true), (.cancelled, false),
            (.refused(.unreadableRedirect, HTTPClient.Request.sample().info), false),
            (
                .rateLimited(
                    .init(kind: .primary, retryAt: testNow, isServerTime: true),
                    HTTPClient.Request.sample().info
                ), false
            ),
        ]
    )
    func `responds if the server can't be reached, but not after other failures`(error: BrowseError, shows: Bool)
        async throws
    {
        _ = try await read(.sample(), from: Resource().wire)
        let failing = FakeTransport { _, _ throws(BrowseError) in throw error }
        let outcome = await thrown { () throws(BrowseError) in
            try await read(.sample(source: .networkElseCache), from: failing)
        }
        #expect(outcome == (shows ? nil : error))
    }

    @Test(arguments: [408, 425, 503])
    func `responds if the server fails`(status: Int) async throws {
        _ = try await read(.sample(), from: Resource().wire)
        let failing = FakeTransport(statuses: status)
        #expect(
            try await read(.sample(source: .networkElseCache), from: failing).provenance == .offline(since: testNow)
        )
        #expect(try await read(.sample(), from: failing).status == status)
        #expect(try await read(.sample("/other", source: .networkElseCache), from: failing).status == status)
        // But not after a refusal.
        let refusing = FakeTransport(statuses: 403)
        #expect(try await read(.sample(source: .networkElseCache), from: refusing).status == 403)
    }

    @Test(arguments: [404, 410])
    func `removes the response of a deleted resource`(status: Int) async throws {
        _ = try await read(.sample(), from: Resource().wire)
        #expect(
            try await read(.sample(source: .networkElseCache), from: FakeTransport(statuses: status)).status == status
        )
        #expect(cachedFiles(in: folder.url).isEmpty)
    }

    @Test func `separates responses by account, URL, and Accept`() async throws {
        let wire = Resource().wire
        var other = HTTPClient.Request.sample(account: "a")
        _ = try await read(other, from: wire)
        var korean = other
        korean.headers["Accept-Language"] = "ko"
        other.headers["Accept"] = "text/html"
        for request in [
            HTTPClient.Request.sample(), .sample(account: "b"), .sample("/a?x=1", account: "a"),
            .sample("/A", account: "a"), other, korean,
        ] {
            var request = request
            request.options.source = .cacheOnly
            let error = await thrown { () throws(BrowseError) in try await read(request, from: wire) }
            #expect(error == .unreachable(.notCached, request.info))
        }
        #expect(try await read(.sample(source: .cacheOnly, account: "a"), from: wire).body == Data("one".utf8))
        var elsewhere = HTTPClient.Request.sample(source: .cacheOnly, account: "a")
        elsewhere.url = try #require(URL(string: "https://api.example:8443/a"))
        let error = await thrown { () throws(BrowseError) in try await read(elsewhere, from: wire) }
        #expect(error == .unreachable(.notCached, elsewhere.info))
    }

    @Test func `separates responses by the fields in Vary, except credentials`() async throws {
        let wire = Resource(extra: ["Vary": "Accept-Language, Authorization, Accept"]).wire
        var korean = HTTPClient.Request.sample(account: "a")
        korean.headers["Accept-Language"] = "ko"
        korean.headers["Authorization"] = "Bearer secret"
        _ = try await read(korean, from: wire)
        korean.headers["Authorization"] = "Bearer renewed"
        korean.options.source = .cacheOnly
        #expect(try await read(korean, from: wire).body == Data("one".utf8))
        var english = korean
        english.headers["Accept-Language"] = "en"
        let error = await thrown { () throws(BrowseError) in try await read(english, from: wire) }
        #expect(error == .unreachable(.notCached, english.info))
        // The other response isn't revalidated either.
        english.options.source = .network
        _ = try await read(english, from: wire)
        #expect(wire.requests.last?.headers["If-None-Match"] == nil)
        let bytes = try folder.bytes()
        #expect(!bytes.contains(Data("secret".utf8)))
    }

    /// Fields of a response that forbid storing it.
    private static let forbidding: [HTTPHeaders] = [
        ["Vary": "*"], ["Cache-Control": "private, no-store"], ["Vary": "accept, *"],
    ]

    @Test(arguments: forbidding)
    func `stores nothing if the server forbids it`(extra: HTTPHeaders) async throws {
        _ = try await read(.sample(), from: Resource(extra: extra).wire)
        #expect(cachedFiles(in: folder.url).isEmpty)
    }

    @Test func `stores no response that varies by a field which its key doesn't have`() async throws {
        let wire = Resource(extra: ["Vary": "X-Mode, X-Absent"]).wire
        var request = HTTPClient.Request.sample()
        _ = try await read(request, from: wire)
        #expect(cachedFiles(in: folder.url).count == 1)
        // Nor is the stored one used.
        request.headers["X-Mode"] = "dark"
        _ = try await read(request, from: wire)
        #expect(wire.requests.last?.headers["If-None-Match"] == nil)
        #expect(cachedFiles(in: folder.url).isEmpty)
    }

    @Test(arguments: forbidding)
    func `removes a response whose confirmation forbids storing it, or changes Vary`(extra: HTTPHeaders) async throws {
        _ = try await read(.sample(), from: Resource().wire)
        let wire = Resource(extra: extra).wire
        let confirmed = try await read(.sample(), from: wire)
        #expect(confirmed.body == Data("one".utf8))
        #expect(confirmed.provenance == .revalidated)
        #expect(cachedFiles(in: folder.url).isEmpty)
        _ = try await read(.sample(), from: wire)
        #expect(wire.requests.map { $0.headers["If-None-Match"] } == ["\"one\"", nil])
    }

    @Test func `doesn't use a confirmation of another origin, and requests the response again`() async throws {
        let elsewhere = try #require(URL(string: "https://other.example/a"))
        _ = try await read(.sample(), from: Resource().wire)
        let wire = FakeTransport { request, _ throws(BrowseError) in
            // Both responses follow a redirect.
            let isConditional = request.headers["If-None-Match"] != nil
            return HTTPClient.Response(
                status: isConditional ? 304 : 200,
                headers: ["ETag": "\"one\"", "Link": "<https://other.example/a?page=2>; rel=\"next\""],
                body: isConditional ? Data() : Data("elsewhere".utf8),
                url: elsewhere
            )
        }
        let response = try await read(.sample(), from: wire)
        #expect(response.body == Data("elsewhere".utf8))
        #expect(response.provenance == .fresh)
        #expect(wire.requests.map { $0.headers["If-None-Match"] } == ["\"one\"", nil])
        #expect(cachedFiles(in: folder.url).isEmpty)
        let offline = await thrown { () throws(BrowseError) in
            try await read(.sample(source: .networkElseCache), from: Self.offline)
        }
        #expect(offline == .unreachable(.offline, HTTPClient.Request.sample().info))
    }

    @Test(arguments: ["Authorization", "Cookie", "X-API-Key"], [nil, ""])
    func `ignores requests with credentials of an unknown account`(name: String, account: String?) async throws {
        let headers: HTTPHeaders = [name: "of the app"]
        let middleware = ConditionalCache(cache, serviceHeaders: headers, credentialNames: ["x-api-key"])
        func read(_ request: HTTPClient.Request, from wire: FakeTransport) async throws(BrowseError)
            -> HTTPClient.Response
        {
            let response = try await wire.send(request, through: middleware)
            await response.cacheCommit?.commit()
            return response
        }
        let wire = Resource().wire
        var mona = HTTPClient.Request.sample(account: account)
        mona.headers[name] = "of Mona"
        for _ in 0..<2 { #expect(try await read(mona, from: wire).provenance == .fresh) }
        #expect(cachedFiles(in: folder.url).isEmpty)
        // The service's own credentials are the same for all users.
        var app = HTTPClient.Request.sample()
        app.headers[name] = "of the app"
        _ = try await read(app, from: wire)
        #expect(cachedFiles(in: folder.url).count == 1)
        app.options.source = .cacheOnly
        #expect(try await read(app, from: wire).body == Data("one".utf8))
        // Nor does it read the responses of others.
        mona.options.source = .cacheOnly
        let error = await thrown { [mona] () throws(BrowseError) in try await read(mona, from: Self.offline) }
        #expect(error == .unreachable(.offline, mona.info))
        #expect(wire.requests.map { $0.headers["If-None-Match"] } == [nil, nil, nil])
    }

    @Test func `stores no declared credentials, and doesn't vary by them`() async throws {
        let middleware = ConditionalCache(cache, credentialNames: ["x-api-key"])
        let wire = Resource(extra: ["Vary": "X-Api-Key", "X-Api-Key": "canary-issued"]).wire
        for key in ["canary-old", "canary-new"] {
            var request = HTTPClient.Request.sample(account: "a")
            request.headers["X-Api-Key"] = key
            request.headers.declareCredentials(["x-api-key"])
            var response = try await wire.send(request, through: middleware)
            response.headers.declareCredentials(["x-api-key"])
            await response.cacheCommit?.commit()
        }
        #expect(wire.requests.map { $0.headers["If-None-Match"] } == [nil, "\"one\""])
        #expect(cachedFiles(in: folder.url).count == 1)
    }

    @Test(arguments: [201, 203, 204, 206, 300])
    func `stores only responses with status 200`(status: Int) async throws {
        let wire = FakeTransport { request, _ throws(BrowseError) in
            HTTPClient.Response(status: status, headers: ["ETag": "\"1\""], body: Data("x".utf8), url: request.url)
        }
        await (try await read(.sample(), from: wire)).cacheCommit?.commit()
        #expect(cachedFiles(in: folder.url).isEmpty)
    }

    @Test func `stores nothing if the request forbids it or isn't a read`() async throws {
        let wire = FakeTransport(statuses: 200)
        var request = HTTPClient.Request.sample()
        for value in ["no-store", "no-cache, no-store", "No-Store"] {
            request.headers["Cache-Control"] = value
            _ = try await read(request, from: wire)
        }
        _ = try await read(.sample(method: .put), from: wire)
        var conditional = HTTPClient.Request.sample()
        conditional.headers["If-None-Match"] = "\"mine\""
        // Its key would be that of another account, "mona ".
        #expect(try await read(.sample(account: "mona\n"), from: wire).status == 200)
        #expect(try await read(conditional, from: FakeTransport(statuses: 304)).status == 304)
        #expect(cachedFiles(in: folder.url).isEmpty)
    }

    @Test func `stores no credentials`() async throws {
        let wire = Resource(extra: ["Set-Cookie": "session=canary-cookie"]).wire
        var request = HTTPClient.Request.sample(account: "a")
        request.headers["Authorization"] = "Bearer canary-token"
        let response = try await read(request, from: wire)
        #expect(response.headers["Set-Cookie"] != nil)
        let bytes = try folder.bytes()
        #expect(bytes.contains(Data("one".utf8)))
        #expect(!bytes.contains(Data("canary".utf8)))
        #expect(try folder.permissions().allSatisfy { $0 == 0o600 })
    }

    /// Cloudflare's API sends the first with each response.
    @Test(arguments: ["RateLimit", "RateLimit-Policy", "X-RateLimit-Remaining", "X-Rate-Limit-Reset"])
    func `stores no limit, which differs in each response`(name: String) async throws {
        _ = try await read(.sample(), from: Resource(extra: [name: "canary-limit"]).wire)
        let bytes = try folder.bytes()
        #expect(bytes.contains(Data("one".utf8)) && !bytes.contains(Data("canary".utf8)))
    }

    @Test func `requests a response again that was removed during revalidation`() async throws {
        let resource = Resource()
        _ = try await read(.sample(), from: resource.wire)
        let vanishing = FakeTransport { [cache] request, _ throws(BrowseError) in
            guard request.headers["If-None-Match"] != nil else {
                return HTTPClient.Response(status: 200, body: Data("again".utf8), url: request.url)
            }
            await cache.removeAll()
            return HTTPClient.Response(status: 304, url: request.url)
        }
        #expect(try await read(.sample(), from: vanishing).body == Data("again".utf8))
        #expect(vanishing.requests.count == 2)
    }

    @Test(arguments: ["\"b\"", "W/\"b\"", ""])
    func `doesn't use a confirmation that names another version`(etag: String) async throws {
        _ = try await read(.sample(), from: Resource().wire)
        let other = FakeTransport { request, index throws(BrowseError) in
            guard index > 0 else { return HTTPClient.Response(status: 304, headers: ["ETag": etag], url: request.url) }
            return HTTPClient.Response(status: 200, body: Data("third".utf8), url: request.url)
        }
        #expect(try await read(.sample(), from: other).body == Data("third".utf8))
    }

    @Test func `stores only responses that could be decoded`() async throws {
        let wire = Resource().wire
        let response = try await wire.send(.sample(), through: middleware)
        await response.cacheCommit?.discard()
        // The decision is made once for all callers.
        await response.cacheCommit?.commit()
        #expect(cachedFiles(in: folder.url).isEmpty)
        _ = try await read(.sample(), from: wire)
        let cached = try await wire.send(.sample(source: .cacheOnly), through: middleware)
        await cached.cacheCommit?.discard()
        #expect(cachedFiles(in: folder.url).isEmpty)
    }

    @Test(arguments: [400, 412, 431])
    func `sends a request without the condition that a server refuses`(status: Int) async throws {
        _ = try await read(.sample(), from: Resource().wire)
        let wire = FakeTransport { request, _ throws(BrowseError) in
            let isConditional = request.headers["If-None-Match"] != nil
            return HTTPClient.Response(status: isConditional ? status : 200, body: Data("two".utf8), url: request.url)
        }
        #expect(try await read(.sample(), from: wire).status == 200)
        #expect(wire.requests.count == 2)
        let refusing = FakeTransport(statuses: status)
        #expect(try await read(.sample(), from: refusing).status == status)
        // The response stays for offline use.
        #expect(try await read(.sample(source: .cacheOnly), from: Self.offline).body == Data("two".utf8))
    }
}

extension TemporaryFolder {
    /// The concatenated contents of its files.
    fileprivate func bytes() throws -> Data {
        try cachedFiles(in: url).map { try Data(contentsOf: $0) }.reduce(Data(), +)
    }

    /// The permissions of its files.
    fileprivate func permissions() throws -> [Int] {
        try cachedFiles(in: url).compactMap { file in
            try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))[.posixPermissions]
                as? Int
        }
    }
}
