import BrowseDomain
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

import BrowseData

@Suite("The redirect policy", .bounded)
struct RedirectPolicyTests {
    private let policy = RedirectPolicy.self
    private let info = BrowseError.RequestInfo(endpoint: "GET /here")

    private func request(_ method: HTTPMethod = .get, _ address: String, body: Data? = nil) throws -> HTTPClient.Request
    {
        HTTPClient.Request(
            method: method,
            url: try #require(URL(string: address)),
            headers: [
                "Authorization": "Bearer x", "Cookie": "x", "Proxy-Authorization": "x", "X-GitHub-OTP": "x",
                "X-Api-Key": "x", "Private-Token": "x", "If-None-Match": "x", "If-Modified-Since": "x",
                "Accept": "text/plain", "User-Agent": "tests", "Content-Type": "a/b", "Content-Length": "1",
            ],
            body: body,
            endpoint: "GET /here"
        )
    }

    /// Returns the request that follows a redirect; `nil` if the response is returned.
    private func next(
        after status: Int = 302,
        to location: String?,
        from request: HTTPClient.Request
    ) async throws(BrowseError) -> HTTPClient.Request? {
        var sent: [HTTPClient.Request] = []
        _ = try await policy.follow(request) { request throws(BrowseError) in
            sent.append(request)
            guard sent.count == 1 else { return HTTPClient.Response(status: 200, url: request.url) }
            return HTTPClient.Response(
                status: status,
                headers: location.map { ["Location": $0] } ?? [:],
                url: request.url
            )
        }
        return sent.count > 1 ? sent.last : nil
    }

    private func intercepted(_ status: Int) -> BrowseError {
        .unreachable(.intercepted, .init(endpoint: info.endpoint, status: status))
    }

    @Test func `refuses redirects from this device to plain http on the network`() async throws {
        let local = try request(.get, "http://127.0.0.1:8080/a")
        await #expect(throws: intercepted(302)) {
            try await next(to: "http://cdn.example/a", from: local)
        }
        #expect(try await next(to: "http://localhost/b", from: local)?.url.absoluteString == "http://localhost/b")
        #expect(try await next(to: "https://cdn.example/b", from: local) != nil)
    }

    @Test(arguments: [200, 201, 204, 300, 304, 305, 306, 309, 400, 401, 404, 500, 503])
    func `ignores statuses that aren't redirects`(status: Int) async throws {
        let request = try request(.get, "https://a.example/")
        #expect(try await next(after: status, to: "https://b.example/", from: request) == nil)
        #expect(try await next(after: 302, to: nil, from: request) == nil)
    }

    @Test(arguments: [
        ("/b", "https://a.example/b"), ("c", "https://a.example/x/c"), ("../c?d=e", "https://a.example/c?d=e"),
        ("?q=1", "https://a.example/x/y?q=1"), ("//b.example/c", "https://b.example/c"),
        ("https://b.example/c%20d", "https://b.example/c%20d"), ("/a b", "https://a.example/a%20b"),
        ("/%EC%82%AC 진.png", "https://a.example/%EC%82%AC%20%EC%A7%84.png"),
        (" //b.example/a%20b/é?[%5D]\n", "https://b.example/a%20b/%C3%A9?%5B%5D%5D"),
        ("a//b c%20", "https://a.example/x/a//b%20c%20"),
    ])
    func `resolves Location against the request's URL`(location: String, target: String) async throws {
        let next = try await next(to: location, from: request(.get, "https://a.example/x/y?z"))
        #expect(next?.url.absoluteString == target)
    }

    @Test(arguments: ["http://a.example/", "http://b.example/", "HTTP://a.example"])
    func `refuses redirects from https to http`(location: String) async throws {
        let request = try request(.get, "https://a.example/")
        await #expect(throws: intercepted(302)) {
            try await next(to: location, from: request)
        }
    }

    @Test(
        "removes credentials, conditions, and unknown fields if the scheme, host, or port changes",
        arguments: [
            ("https://a.example/", "https://b.example/"), ("https://a.example/", "https://a.example:8443/"),
            ("https://a.example/", "https://sub.a.example/"), ("https://sub.a.example/", "https://a.example/"),
            ("http://a.example/", "https://a.example/"), ("http://127.0.0.1:1000/", "http://127.0.0.1:1001/"),
            ("http://127.0.0.1:1000/", "http://localhost:1000/"),
            ("https://a.example/", "https://a.example.evil.example/"),
            ("https://a.example/", "//b.example/"), ("https://a.example/", "https://a.example./"),
        ]
    )
    func strips(from: String, location: String) async throws {
        var request = try request(.get, from)
        request.headers["Content-Length"] = nil
        let next = try #require(try await next(to: location, from: request))
        #expect(next.headers == ["Accept": "text/plain", "User-Agent": "tests"])
        #expect(next.endpoint == request.endpoint)
        #expect(next.limits == request.limits)
    }

    @Test(arguments: ["/b", "https://a.example/b", "https://A.EXAMPLE/b", "https://a.example:443/b", "//a.example/b"])
    func `sends credentials to the same origin`(location: String) async throws {
        let request = try request(.get, "https://a.example/")
        let next = try #require(try await next(to: location, from: request))
        #expect(next.headers == request.headers)
    }

    @Test(
        "changes methods to GET as the standard requires, without the body",
        arguments: [
            (301, HTTPMethod.post, HTTPMethod.get), (302, .post, .get), (303, .post, .get), (303, .put, .get),
            (303, .delete, .get), (307, .post, .post), (308, .post, .post), (301, .put, .put), (302, .delete, .delete),
            (301, .get, .get), (307, .put, .put), (308, .get, .get), (303, .get, .get),
        ]
    )
    func methods(status: Int, method: HTTPMethod, expected: HTTPMethod) async throws {
        let body = method == .get || method == .delete ? nil : Data("secret".utf8)
        var request = try request(method, "https://a.example/", body: body)
        // oven-sh/bun#31339, whatwg/fetch#977
        request.headers.merge(["Content-Encoding": "gzip", "Content-Language": "en", "Content-Location": "/a"])
        let next = try #require(try await next(after: status, to: "/b", from: request))
        #expect(next.method == expected)
        if expected == .get, method != .get {
            #expect(next.body == nil)
            #expect(!next.headers.fields.keys.contains { $0.hasPrefix("content-") })
            #expect(next.headers["Authorization"] == "Bearer x")
        } else if method != .get {
            #expect(next.body == body)
            #expect(next.headers["Content-Type"] == "a/b")
        }
    }

    @Test(arguments: [(307, HTTPMethod.post), (308, .post), (301, .put), (302, .put)])
    func `refuses to send a body to another origin`(status: Int, method: HTTPMethod) async throws {
        let request = try request(method, "https://a.example/", body: Data("secret".utf8))
        await #expect(throws: intercepted(status)) {
            try await next(after: status, to: "https://b.example/", from: request)
        }
        #expect(try await next(after: 303, to: "https://b.example/", from: request)?.body == nil)
    }

    @Test(arguments: [
        "", "http://[bad", "ftp://a.example/", "file:///etc/passwd", "javascript:alert(1)", "data:,x",
        "mailto:a@b.example",
        "https://", "https://user@a.example/", "https://user:password@b.example/", "https://:password@b.example/",
    ])
    func `refuses a URL that can't be followed`(location: String) async throws {
        let request = try request(.get, "https://a.example/")
        await #expect(throws: BrowseError.refused(.unreadableRedirect, info)) {
            try await next(to: location, from: request)
        }
    }

    @Test(arguments: [(nil, 5), (7, 7), (3, 3), (0, 0), (-1, 0)] as [(Int?, Int)])
    func `stops at the request's limit`(limit: Int?, count: Int) async throws {
        var sentCount = 0
        let error = await thrown { () async throws(BrowseError) in
            guard var request = try? request(.get, "https://a.example/") else { return }
            if let limit { request.limits.redirects = limit }
            _ = try await RedirectPolicy.follow(request) { request throws(BrowseError) in
                sentCount += 1
                return HTTPClient.Response(status: 302, headers: ["Location": "/b"], url: request.url)
            }
        }
        #expect(error == .refused(.tooManyRedirects(limit: count), info))
        #expect(sentCount == count + 1)
    }
}
