import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

@Suite("Authorization", .bounded)
struct AuthorizationTests {
    /// Returns the request that the middleware forwards for a URL.
    private func handedOn(
        to address: String,
        from baseAddress: String,
        token: AccessToken?,
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
        let request = try await handedOn(to: address, from: baseAddress, token: AccessToken("abc"))
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
        let request = try await handedOn(to: address, from: "https://api.example", token: AccessToken("abc"))
        #expect(request?.headers == ["Accept": "text/plain"])
    }

    @Test(
        "adds the token to no request over plain http",
        arguments: ["http://api.example", "http://192.168.0.1", "http://localhost.example", "http://127.0.0.1.example"]
    )
    func inTheOpen(address: String) async throws {
        let request = try await handedOn(to: address + "/a", from: address, token: AccessToken("abc"))
        #expect(request?.headers == ["Accept": "text/plain"])
    }

    @Test("changes nothing if the user is signed out or the base URL has no origin")
    func noToken() async throws {
        let signedOut = try await handedOn(to: "https://api.example/", from: "https://api.example", token: nil)
        #expect(signedOut?.headers == ["Accept": "text/plain"])
        let noOrigin = try await handedOn(to: "file:///a", from: "file:///", token: AccessToken("abc"))
        #expect(noOrigin?.headers == ["Accept": "text/plain"])
    }

    @Test("doesn't end the session after a 401 of another server")
    func refusalElsewhere() async throws {
        let url = try #require(URL(string: "https://api.example/"))
        let elsewhere = try #require(URL(string: "https://evil.example/"))
        let tokens = StoredTokenRepository(token: try AccessToken("abc"))
        let response = try await Authorization(for: url, tokens: tokens).send(
            HTTPRequest(url: url, endpoint: "GET /")
        ) { _ throws(BrowseError) in HTTPResponse(status: 401, url: elsewhere) }
        #expect(response.status == 401)
        #expect(try await tokens.current()?.credentials.token == AccessToken("abc"))
    }

    @Test("sends nothing for a canceled caller")
    func cancelled() async throws {
        let url = try #require(URL(string: "https://api.example/"))
        let middleware = Authorization(for: url, tokens: StoredTokenRepository(token: try AccessToken("abc")))
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
        let middleware = Authorization(for: url, tokens: StoredTokenRepository(token: try AccessToken("abc")))
        let request = HTTPRequest(url: url, endpoint: "GET /")
        let error = await thrown { () async throws(BrowseError) in
            try await middleware.send(request) { request throws(BrowseError) in throw .notFound(request.info) }
        }
        #expect(error == .notFound(request.info))
    }
}

/// The tokens of an own service, which change while a request is in flight.
@Suite(.bounded) struct `Tokens of an own service` {
    private final class Tokens: AccessTokens {
        let grants: Mutex<[AccessGrant]>

        init(_ grants: [AccessGrant]) { self.grants = Mutex(grants) }

        func currentGrant() async throws(BrowseError) -> AccessGrant? { grants.withLock { $0.first } }
        func change() { grants.withLock { _ = $0.removeFirst() } }
    }

    /// Sends a request, and changes the token before its first response.
    ///
    /// - Returns: The requests, and the last status.
    private func send(
        _ method: HTTPMethod = .get,
        with grants: [(id: String?, account: String, token: String)],
        in field: TokenField = .bearer,
        statuses: [Int]
    ) async throws -> (requests: [HTTPRequest], status: Int) {
        let tokens = Tokens(
            try grants.map { AccessGrant(id: $0.id, account: $0.account, token: try Secret($0.token)) }
        )
        let url = try #require(URL(string: "https://api.example/"))
        let seen = Mutex<[HTTPRequest]>([])
        let request = HTTPRequest(method: method, url: url, endpoint: "\(method.rawValue) /")
        let response = try await Authorization(for: url, tokens: tokens, in: field)
            .send(request) { request throws(BrowseError) in
                let index = seen.withLock { seen in
                    seen.append(request)
                    return seen.count - 1
                }
                if index == 0, grants.count > 1 { tokens.change() }
                return HTTPResponse(status: statuses[min(index, statuses.count - 1)], url: request.url)
            }
        return (seen.withLock { $0 }, response.status)
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `are replaced after a 401, in their field and with their account`(method: HTTPMethod) async throws {
        let (requests, status) = try await send(
            method,
            with: [(nil, "mona", "old"), (nil, "mona", "new")],
            in: TokenField("X-Api-Key"),
            statuses: [401, 200]
        )
        #expect(requests.map(\.headers) == [["X-Api-Key": "old"], ["X-Api-Key": "new"]])
        #expect(requests.map(\.account) == ["mona", "mona"])
        #expect(requests.allSatisfy { $0.headers.description == "x-api-key: ***" })
        #expect(status == 200)
    }

    @Test func `aren't sent again after a 401 if there is no other, or if another was refused`() async throws {
        let single = try await send(with: [(nil, "mona", "old")], statuses: [401])
        #expect(single.requests.count == 1 && single.status == 401)
        let refused = try await send(with: [(nil, "mona", "old"), (nil, "mona", "new")], statuses: [401])
        #expect(refused.requests.map(\.headers) == [["Authorization": "Bearer old"], ["Authorization": "Bearer new"]])
        #expect(refused.status == 401)
    }

    @Test func `of another session each time end in an error, not in a loop`() async throws {
        struct Unstable: AccessTokens {
            func currentGrant() async throws(BrowseError) -> AccessGrant? {
                (try? Secret("key")).map { AccessGrant(id: UUID().uuidString, account: "mona", token: $0) }
            }
        }
        let url = try #require(URL(string: "https://api.example/"))
        let count = Mutex(0)
        let request = HTTPRequest(url: url, endpoint: "GET /")
        let error = await thrown { () async throws(BrowseError) in
            try await Authorization(for: url, tokens: Unstable()).send(request) { request throws(BrowseError) in
                count.withLock { $0 += 1 }
                return HTTPResponse(status: 200, url: request.url)
            }
        }
        #expect(error == .unauthorized(request.info))
        #expect(count.withLock { $0 } == 8)
    }

    @Test(arguments: [("mona", "hubot", nil, nil), ("mona", "mona", "1", "2")] as [(String, String, String?, String?)])
    func `read again for the session that follows, but write once`(
        first: String,
        second: String,
        firstID: String?,
        secondID: String?
    ) async throws {
        let grants = [(firstID, first, "old"), (secondID, second, "new")]
        let read = try await send(with: grants, statuses: [200])
        #expect(read.requests.map(\.account) == [first, second])
        #expect(try await send(.post, with: grants, statuses: [200]).requests.map(\.account) == [first])
    }
}
