import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// A token of the app itself, which GitHub refuses.
@Suite(.bounded)
struct `A configured token that is refused` {
    private let clock = TestClock()
    private let accepted = Monitor<Set<String>>([])
    private let token: Secret
    private let tokens: StoredTokenRepository
    private let server: FakeTransport
    private let client: HTTPClient

    init() throws {
        token = try Secret("ghp_good")
        tokens = StoredTokenRepository(
            store: InMemoryTokenStore(Credentials(token: token)),
            configuredToken: token,
            clock: clock,
            now: { testNow }
        )
        server = FakeTransport { [accepted] request, _ throws(BrowseError) in
            let token = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) } ?? ""
            return HTTPClient.Response(status: accepted.value.contains(token) ? 200 : 401, url: request.url)
        }
        client = try .authorized(by: tokens, slots: 8, over: server, clock: clock)
    }

    private func send(_ path: String = "/a") async throws(BrowseError) -> Int {
        try await client.send(Endpoint(.path(EndpointPath(stringLiteral: path))) { $0.status })
    }

    private func expectRefusal(isSent: Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
        let count = server.requests.count
        let info = BrowseError.RequestInfo(endpoint: "GET /a", status: isSent ? 401 : nil) {
            $0.refusedConfiguredToken = true
        }
        await #expect(throws: BrowseError.unauthorized(info), sourceLocation: sourceLocation) { try await send() }
        #expect(server.requests.count == count + (isSent ? 1 : 0), sourceLocation: sourceLocation)
    }

    @Test func `is reported once: requests fail without being sent for a minute, and then it's used again`()
        async throws
    {
        var events = tokens.events.makeAsyncIterator()
        let grant = try #require(try await tokens.current())
        for attempt in 1...3 {
            await expectRefusal(isSent: true)
            if attempt == 1 { #expect(await events.next() == .ended(grant.id, .tokenRefused)) }
            await expectRefusal(isSent: false)
            await clock.advance(by: .seconds(60) - .milliseconds(1))
            await expectRefusal(isSent: false)
            if attempt == 3 { accepted.withLock { _ = $0.insert("ghp_good") } }
            await clock.advance(by: .milliseconds(1))
            #expect(try await tokens.currentGrant() != nil)
        }
        for _ in 0..<3 { #expect(try await send() == 200) }
        // The service has accepted it, so that its next refusal is reported; there was no event in between.
        await tokens.identify(grant.id, as: StoredUser(accountID: "1", data: Data()))
        accepted.withLock { $0 = [] }
        await expectRefusal(isSent: true)
        try await tokens.end()
        let error = await thrown { () async throws(BrowseError) in try await send() }
        #expect(error?.request?.hadNoCredentials == true)
        // Signing in with the same token starts without a delay.
        let next = try await tokens.begin(with: Credentials(token: token))
        await expectRefusal(isSent: true)
        #expect(await events.next() == .ended(grant.id, .tokenRefused))
        #expect(await events.next() == .ended(next.id, .tokenRefused))
    }

    @Test func `isn't sent by requests that wait in the queue`() async throws {
        let failures = await withTaskGroup(of: BrowseError?.self) { group in
            for number in 0..<100 {
                group.addTask { await thrown { () async throws(BrowseError) in try await send("/\(number)") } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // The slots are the limit, whose requests were in flight at the first refusal.
        #expect((1...8).contains(server.requests.count))
        #expect(failures.count { $0?.request?.status == nil } == 100 - server.requests.count)
    }

    @Test func `ends the session once, without signing in as the remedy, and restores it when it's accepted`()
        async throws
    {
        let mona = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
        let users = InMemoryUserRepository { _ throws(BrowseError) in
            _ = try await send("/user")
            return .profile(GitHub.UserProfile(user: mona) { $0.memberSince = .distantPast })
        }
        let session = GitHub.SessionManager.inMemory(tokens: tokens, users: users)
        var sessions = session.sessions.makeAsyncIterator()
        #expect(await sessions.next() == .restoring)
        #expect(await sessions.next() == .signingIn)
        #expect(await sessions.next() == .signedOut(.tokenRefused))
        for _ in 0..<10 { await session.retry() }
        #expect(server.requests.count == 1)
        accepted.withLock { _ = $0.insert("ghp_good") }
        await clock.advance(by: .seconds(60))
        await session.retry()
        #expect(await sessions.next() == .signingIn)
        #expect(await sessions.next() == .identified(mona))
        #expect(await sessions.next() == .ready(mona))
        try await session.signOut()
        #expect(try await tokens.current() == nil)
        let error = await thrown { () async throws(BrowseError) in try await send() }
        #expect(error?.request?.hadNoCredentials == true)
    }
}
