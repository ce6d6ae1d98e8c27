import BrowseGitHubData
import BrowseGitHubDomain
#if os(Linux) || os(macOS)
import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

import BrowseData

/// A session with a token that doesn't expire, which another process ends.
@Suite(.bounded)
struct `A sign-out by another process` {
    private let folder = TemporaryFolder()
    private let cacheFolder = TemporaryFolder()

    private func path(_ folder: TemporaryFolder) -> String { folder.url.path(percentEncoded: false) }

    @Test(arguments: [true, false])
    func `ends the session when the store is read or the token refused, and leaves no private response in the cache`(
        isRead: Bool
    ) async throws {
        let gate = LoopbackGate()
        let isRevoked = Mutex(false)
        let server = try LoopbackServer { request in
            let isPrivate = request.header("Authorization") != nil
            guard !isPrivate || !isRevoked.withLock(\.self) else { return GitHubResponses.badCredentials }
            let profile = GitHubResponses.profile(login: isPrivate ? "private" : "public")
            let response = LoopbackResponse.json(profile, headers: [("ETag", isPrivate ? "\"1\"" : "\"2\"")])
            return isPrivate ? LoopbackResponse(steps: [.holdUntil(gate)] + response.steps) : response
        }
        let url = try #require(URL(string: server.origin))
        let cache = ResponseCache(folder: cacheFolder.url, clock: ImmediateClock())
        let tokens = StoredTokenRepository(
            store: FileTokenStore(folder: folder.url, name: SessionName("GitHub", at: url)),
            eraseResponses: {
                await cache.removeAll(of: $0, at: url)
            }
        )
        let client = HTTPClient(
            service: .gitHub(baseURL: url, userAgent: "Tests"),
            transport: HTTPClient.makeTransport(),
            middleware: .authorized(at: url, tokens, around: [ConditionalCache(cache)]),
            options: .init { $0.limits = .unhurried }
        )
        let users = RemoteGitHubRepository(client: client)
        let credentials = Credentials(token: try Secret("monas"))
        let grant = try await tokens.begin(with: credentials)
        var events = tokens.events.makeAsyncIterator()
        let reading = Task { try await users.profile(of: GitHub.Login("x")) }
        await server.waitForRequests(1)

        let child = try ChildProcess("sign-out", path(folder), server.origin, path(cacheFolder))
        #expect(await child.finished() == ["signed out"])
        gate.open()
        // Until then, the session is used.
        #expect(try await reading.value.user.login == GitHub.Login("private"))
        if isRead {
            #expect(try await tokens.current() == nil)
        } else {
            isRevoked.withLock { $0 = true }
            await #expect(throws: BrowseError.self) { try await users.profile(of: GitHub.Login("x")) }
        }
        #expect(await events.next() == .ended(grant.id, .requested))
        #expect(try await users.profile(of: GitHub.Login("x")).user.login == GitHub.Login("public"))
        #expect(
            server.requests.map { $0.header("Authorization") }
                == ["Bearer monas"] + (isRead ? [] : ["Bearer monas"]) + [nil]
        )

        // With the same token, nothing private is cached.
        _ = try await tokens.begin(with: credentials)
        await #expect(throws: BrowseError.self) {
            try await LoadOptions(source: .cacheOnly).load { () throws(BrowseError) in
                try await users.profile(of: GitHub.Login("x"))
            }
        }
    }
}
#endif
