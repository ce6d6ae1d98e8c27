import BrowseDomain
import Foundation
import Synchronization
import Testing

@testable import BrowseData

@Suite("Authorization")
struct AuthorizationTests {
    /// Returns the request that the middleware forwards for a URL.
    private func handedOn(
        to address: String,
        from baseAddress: String,
        token: GitHub.AccessToken?,
        headers: HTTPHeaders = ["Accept": "text/plain"]
    ) async throws -> HTTPRequest? {
        let baseURL = try #require(URL(string: baseAddress))
        let middleware = Authorization(for: baseURL, tokens: StoredTokenRepository(token: token))
        let seen = Mutex<HTTPRequest?>(nil)
        let request = HTTPRequest(url: try #require(URL(string: address)), headers: headers, endpoint: "GET /")
        _ = try await middleware.send(request) { request throws(BrowseError) in
            seen.withLock { $0 = request }
            return HTTPResponse(status: 200, url: request.url)
        }
        return seen.withLock { $0 }
    }

    @Test(
        "adds the token to requests to its own origin",
        arguments: [
            ("https://api.example/user", "https://api.example"), ("https://API.example:443/a", "https://api.example/"),
            ("https://ghe.example/api/v3/user", "https://ghe.example/api/v3"),
            ("http://127.0.0.1:80/", "http://127.0.0.1"),
        ]
    )
    func ownOrigin(address: String, baseAddress: String) async throws {
        let request = try await handedOn(to: address, from: baseAddress, token: GitHub.AccessToken("abc"))
        #expect(request?.headers == ["Accept": "text/plain", "Authorization": "Bearer abc"])
    }

    @Test(
        "adds the token to no other request",
        arguments: [
            "http://api.example/", "https://api.example:8443/", "https://example/", "https://api.example.evil.example/",
            "https://evil.example/api.example", "https://www.api.example/", "https://evil.example/?https://api.example",
        ]
    )
    func otherOrigins(address: String) async throws {
        let request = try await handedOn(to: address, from: "https://api.example", token: GitHub.AccessToken("abc"))
        #expect(request?.headers == ["Accept": "text/plain"])
    }

    @Test(
        "adds the token to no request over plain http",
        arguments: ["http://api.example", "http://192.168.0.1", "http://localhost.example", "http://127.0.0.1.example"]
    )
    func inTheOpen(address: String) async throws {
        let request = try await handedOn(to: address + "/a", from: address, token: GitHub.AccessToken("abc"))
        #expect(request?.headers == ["Accept": "text/plain"])
    }

    @Test("changes nothing if the user is signed out or the base URL has no origin")
    func noToken() async throws {
        let signedOut = try await handedOn(to: "https://api.example/", from: "https://api.example", token: nil)
        #expect(signedOut?.headers == ["Accept": "text/plain"])
        let noOrigin = try await handedOn(to: "file:///a", from: "file:///", token: GitHub.AccessToken("abc"))
        #expect(noOrigin?.headers == ["Accept": "text/plain"])
    }

    @Test("doesn't end the session after a 401 of another server")
    func refusalElsewhere() async throws {
        let url = try #require(URL(string: "https://api.example/"))
        let elsewhere = try #require(URL(string: "https://evil.example/"))
        let tokens = StoredTokenRepository(token: try GitHub.AccessToken("abc"))
        let response = try await Authorization(for: url, tokens: tokens).send(
            HTTPRequest(url: url, endpoint: "GET /")
        ) { _ throws(BrowseError) in HTTPResponse(status: 401, url: elsewhere) }
        #expect(response.status == 401)
        #expect(try await tokens.current()?.credentials.token == GitHub.AccessToken("abc"))
    }

    @Test("sends nothing for a canceled caller")
    func cancelled() async throws {
        let url = try #require(URL(string: "https://api.example/"))
        let middleware = Authorization(for: url, tokens: StoredTokenRepository(token: try GitHub.AccessToken("abc")))
        let sending = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await thrown { () async throws(BrowseError) in
                try await middleware.send(HTTPRequest(url: url, endpoint: "GET /")) { request throws(BrowseError) in
                    Issue.record("handed on")
                    return HTTPResponse(status: 200, url: request.url)
                }
            }
        }
        #expect(await sending.value == .cancelled)
    }

    @Test("rethrows errors")
    func errors() async throws {
        let url = try #require(URL(string: "https://api.example/"))
        let middleware = Authorization(for: url, tokens: StoredTokenRepository(token: try GitHub.AccessToken("abc")))
        let request = HTTPRequest(url: url, endpoint: "GET /")
        let error = await thrown { () async throws(BrowseError) in
            try await middleware.send(request) { request throws(BrowseError) in throw .notFound(request.info) }
        }
        #expect(error == .notFound(request.info))
    }
}
