import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite("Redirects of a real server", .bounded)
struct RedirectTests {
    private let info = BrowseError.RequestInfo(endpoint: "GET /users/{}")
    private let login = GitHub.Login("octocat")

    private func token() throws -> AccessToken { try AccessToken("canary-token") }

    @Test(
        "are followed on the same server, with the token and the service's fields",
        arguments: TestTransport.allCases,
        [301, 302, 303, 307, 308]
    )
    func sameServer(on transport: TestTransport, status: Int) async throws {
        let server = try LoopbackServer(first: .redirect(to: "/user/583231?a=b%20c", status: status))
        let client = try HTTPClient.gitHub(at: server.origin, token: token(), transport: transport.make())
        #expect(try await RemoteGitHubRepository(client: client).profile(of: login).user.login == login)
        #expect(server.requests.map(\.target) == ["/users/octocat", "/user/583231?a=b%20c"])
        for request in server.requests {
            #expect(request.header("Authorization") == "Bearer canary-token")
            #expect(request.header("Accept") == "application/vnd.github+json")
            #expect(request.header("X-GitHub-Api-Version") == "2022-11-28")
            #expect(request.header("User-Agent") == "BrowseKit-Tests")
        }
    }

    /// psf/requests#2939, mojolicious/mojo#1009
    @Test(arguments: TestTransport.robust)
    func `with an address twice are followed`(on transport: TestTransport) async throws {
        let server = try LoopbackServer { request in
            let locations = ["Location", "Location"].map { ($0, "/user/583231") }
            return request.target == "/users/octocat"
                ? LoopbackResponse(status: 301, headers: locations, body: "") : GitHubResponses.good(for: request)
        }
        let client = try HTTPClient.gitHub(at: server.origin, token: token(), transport: transport.make())
        #expect(try await RemoteGitHubRepository(client: client).profile(of: login).user.login == login)
        #expect(server.requests.map(\.target) == ["/users/octocat", "/user/583231"])
    }

    @Test(arguments: TestTransport.allCases, [301, 302, 303, 307, 308])
    func `to another server are followed without the token`(on transport: TestTransport, status: Int) async throws {
        let other = try LoopbackServer { GitHubResponses.good(for: $0) }
        let server = try LoopbackServer(first: .redirect(to: other.origin + "/user/1", status: status))
        let client = try HTTPClient.gitHub(at: server.origin, token: token(), transport: transport.make())
        #expect(try await RemoteGitHubRepository(client: client).profile(of: login).user.login == login)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer canary-token"])
        #expect(other.requests.count == 1)
        let request = try #require(other.requests.first)
        #expect(!"\(request)".contains("canary"))
        #expect(request.header("Accept") == "application/vnd.github+json")
        #expect(request.header("User-Agent") == "BrowseKit-Tests")
    }

    @Test(arguments: TestTransport.allCases)
    func `to another server and back don't restore the token`(on transport: TestTransport) async throws {
        let home = try LoopbackServer(first: LoopbackResponse())
        let origin = home.origin
        let other = try LoopbackServer { _ in .redirect(to: origin + "/user/1") }
        let otherOrigin = other.origin
        let server = try LoopbackServer(first: .redirect(to: otherOrigin + "/away"))
        let client = try HTTPClient.gitHub(at: server.origin, token: token(), transport: transport.make())
        _ = await thrown { () async throws(BrowseError) in
            try await RemoteGitHubRepository(client: client).profile(of: login)
        }
        #expect(home.requests.map(\.target) == ["/user/1"])
        #expect(!"\(home.requests) \(other.requests)".contains("canary"))
    }

    @Test(arguments: TestTransport.allCases)
    func `in a loop end at the limit`(on transport: TestTransport) async throws {
        let server = try LoopbackServer { request in
            request.target == "/users/good" ? GitHubResponses.good(for: request) : .redirect(to: request.target)
        }
        let users = RemoteGitHubRepository(client: try .gitHub(at: server.origin, transport: transport.make()))
        let refusal = await thrown { () async throws(BrowseError) in try await users.profile(of: login) }
        #expect(refusal == .refused(.tooManyRedirects(limit: 5), info))
        #expect(server.requests.count == 6)
        #expect(try await users.profile(of: .init("good")).user.login == login)
    }

    @Test(
        "to a URL that can't be followed are refused, and the next request works",
        arguments: TestTransport.robust,
        [
            "", "http://[bad", "ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)", "http://u:p@127.0.0.1/",
        ]
    )
    func unreadable(on transport: TestTransport, location: String) async throws {
        let server = try LoopbackServer(first: .redirect(to: location))
        let users = RemoteGitHubRepository(client: try .gitHub(at: server.origin, transport: transport.make()))
        let refusal = await thrown { () async throws(BrowseError) in try await users.profile(of: login) }
        #expect(refusal == .refused(.unreadableRedirect, info))
        #expect(try await users.profile(of: login).user.login == login)
    }

    @Test(arguments: TestTransport.allCases)
    func `send a body to the same server, and never to another`(on transport: TestTransport) async throws {
        let other = try LoopbackServer { GitHubResponses.good(for: $0) }
        let server = try LoopbackServer(
            first: .redirect(to: "/moved", status: 307),
            .json("{}"),
            .redirect(to: other.origin + "/steal", status: 307),
            .redirect(to: other.origin + "/see", status: 303)
        )
        let client = try HTTPClient.gitHub(at: server.origin, token: token(), transport: transport.make())
        let endpoint = Endpoint(
            method: .post,
            .path("/login"),
            headers: ["Content-Type": "text/plain"],
            body: Data("secret".utf8)
        ) { $0.status }
        #expect(try await client.send(endpoint) == 200)
        #expect(server.requests.map(\.method) == ["POST", "POST"])
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == ["secret", "secret"])

        let refusal = await thrown { () async throws(BrowseError) in try await client.send(endpoint) }
        #expect(refusal == .unreachable(.intercepted, .init(endpoint: "POST /login", status: 307)))
        #expect(other.requests.isEmpty)

        #expect(try await client.send(endpoint) == 200)
        #expect(other.requests.map(\.method) == ["GET"])
        #expect(!"\(other.requests)".contains("canary"))
        #expect(other.requests.first?.body == [])
    }
}
