@testable import BrowseGitHubData
import BrowseGitHubDomain
#if os(Linux) || os(macOS)
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// A session with a token that doesn't expire, which another process ends.
@Suite(.bounded)
struct `A sign-out by another process` {
    private let folder = TemporaryFolder()
    private let cacheFolder = TemporaryFolder()

    private func path(_ folder: TemporaryFolder) -> String { folder.url.path(percentEncoded: false) }

    @Test func `ends the session before the next request, and leaves no private response in the cache`() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { request in
            let isPrivate = request.header("Authorization") != nil
            let profile = GitHubResponses.profile(login: isPrivate ? "private" : "public")
            let response = LoopbackResponse.json(profile, headers: [("ETag", isPrivate ? "\"1\"" : "\"2\"")])
            return isPrivate ? LoopbackResponse(steps: [.holdUntil(gate)] + response.steps) : response
        }
        let url = try #require(URL(string: server.origin))
        let cache = ResponseCache(folder: cacheFolder.url)
        let tokens = StoredTokenRepository(
            store: FileTokenStore(folder: folder.url, server: url),
            eraseResponses: {
                await cache.removeAll(of: $0, at: url)
            }
        )
        let client = HTTPClient(
            service: .gitHub(baseURL: url, userAgent: "Tests"),
            transport: TransportKind.platformDefault.makeTransport(),
            middleware: [
                Authorization(for: url, tokens: tokens), ConditionalCache(cache), TokenCheck(tokens: tokens),
            ],
            options: .init { $0.limits = .unhurried }
        )
        let users = RemoteUserRepository(client: client)
        let credentials = Credentials(token: try Secret("monas"))
        let grant = try await tokens.begin(with: credentials)
        var events = tokens.events.makeAsyncIterator()
        let reading = Task { try await users.profile(of: GitHub.Login("x")) }
        await server.waitForRequests(1)

        let child = try ChildProcess("sign-out", path(folder), server.origin, path(cacheFolder))
        #expect(await child.finished() == ["signed out"])
        gate.open()
        // The response to the ended session is discarded, and the read is repeated without a token.
        #expect(try await reading.value.user.login == GitHub.Login("public"))
        #expect(await events.next() == .signedOut(grant.id))
        #expect(try await tokens.current() == nil)
        _ = try await users.profile(of: GitHub.Login("x"))
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer monas", nil, nil])

        // With the same token, nothing private is cached.
        _ = try await tokens.begin(with: credentials)
        await #expect(throws: BrowseError.self) {
            try await LoadOptions(source: .cacheOnly).load { () throws(BrowseError) in
                try await users.profile(of: GitHub.Login("x"))
            }
        }
    }

    @Test func `is found by one stat per request, and a sign-in elsewhere too`() async throws {
        let url = try #require(URL(string: "https://api.github.com"))
        func repository() -> StoredTokenRepository {
            StoredTokenRepository(store: FileTokenStore(folder: folder.url, server: url))
        }
        let (here, elsewhere) = (repository(), repository())
        #expect(try await here.currentGrant() == nil)
        for text in ["a", "b"] {
            _ = try await elsewhere.begin(with: Credentials(token: try Secret(text)))
            #expect(try await here.currentGrant()?.token == Secret(text))
            try await elsewhere.end()
            #expect(try await here.currentGrant() == nil)
        }
    }
}
#endif
