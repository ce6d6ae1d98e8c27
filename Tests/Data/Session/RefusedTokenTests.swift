import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

/// A token of the app itself, which GitHub refuses.
@Suite(.bounded)
struct `A configured token that is refused` {
    private let clock = TestClock()
    private let accepted = Monitor<Set<String>>([])
    private let token: Secret
    private let tokens: StoredTokenRepository

    init() throws {
        token = try Secret("ghp_good")
        tokens = StoredTokenRepository(
            store: InMemoryTokenStore(Credentials(token: token)),
            configuredToken: token,
            clock: clock,
            now: { testNow }
        )
    }

    /// Creates a transport that responds with 200 to accepted tokens, otherwise with 401.
    private func server() -> FakeTransport {
        FakeTransport { [accepted] request, _ throws(BrowseError) in
            let token = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) } ?? ""
            return HTTPClient.Response(status: accepted.value.contains(token) ? 200 : 401, url: request.url)
        }
    }

    private func chain(_ server: FakeTransport) throws -> TestChain {
        let url = try #require(URL(string: "https://api.example"))
        return TestChain(.authorized(at: url, tokens, around: [ConcurrencyLimit(8)]), server)
    }

    private static let unsent = BrowseError.unauthorized(.init(endpoint: "GET /a", hasConfiguredToken: true))

    @Test func `is reported once: requests fail without being sent for a minute, and then it's used again`()
        async throws
    {
        let server = server()
        let chain = try chain(server)
        var events = tokens.events.makeAsyncIterator()
        let grant = try #require(try await tokens.current())
        for attempt in 1...3 {
            let response = try await chain.send(.sample())
            #expect(response.status == 401)
            #expect(response.unauthorizedReason == .configuredToken)
            if attempt == 1 { #expect(await events.next() == .refused(grant.id)) }
            await #expect(throws: Self.unsent) { try await chain.send(.sample()) }
            await clock.advance(by: .seconds(60) - .milliseconds(1))
            await #expect(throws: Self.unsent) { try await chain.send(.sample()) }
            #expect(server.requests.count == attempt)
            if attempt == 3 { accepted.withLock { _ = $0.insert("ghp_good") } }
            await clock.advance(by: .milliseconds(1))
            #expect(try await tokens.currentGrant() != nil)
        }
        for _ in 0..<3 { #expect(try await chain.send(.sample()).status == 200) }
        // The service has accepted it, so that its next refusal is reported; there was no event in between.
        await tokens.identify(grant.id, as: StoredUser(accountID: "1", value: .null))
        accepted.withLock { $0 = [] }
        #expect(try await chain.send(.sample()).status == 401)
        try await tokens.end()
        let next = try await tokens.begin(with: Credentials(token: token))
        #expect(try await chain.send(.sample()).status == 401)
        #expect(await events.next() == .refused(grant.id))
        #expect(await events.next() == .refused(next.id))
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == "Bearer ghp_good" })
    }

    @Test func `isn't sent by requests that wait in the queue`() async throws {
        let server = server()
        let chain = try chain(server)
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<100 { group.addTask { try? await chain.send(.sample("/\(number)")).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // The slots are the limit, whose requests were in flight at the first refusal.
        #expect((1...8).contains(server.requests.count))
        #expect(statuses.count { $0 == nil } == 100 - server.requests.count)
    }

    @Test func `ends the session once, without signing in as the remedy, and restores it when it's accepted`()
        async throws
    {
        let server = server()
        let chain = try chain(server)
        var users = UserRepositoryDouble()
        let mona = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
        users.onOwnProfile = { () throws(BrowseError) in
            let response = try await chain.send(.sample("/user"))
            guard response.status == 200 else {
                throw .unauthorized(
                    .init(
                        endpoint: "/user",
                        status: 401,
                        hasConfiguredToken: response.unauthorizedReason == .configuredToken
                    )
                )
            }
            return GitHub.UserProfile(user: mona, memberSince: .distantPast)
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
        #expect(try await chain.send(.sample()).unauthorizedReason == .noToken)
    }

    @Test func `is dropped by signing out while it's refused`() async throws {
        let server = server()
        let chain = try chain(server)
        _ = try await chain.send(.sample())
        try await tokens.end()
        #expect(try await chain.send(.sample()).unauthorizedReason == .noToken)
        // Signing in with the same token starts without a delay.
        accepted.withLock { _ = $0.insert("ghp_good") }
        _ = try await tokens.begin(with: Credentials(token: token))
        #expect(try await chain.send(.sample()).status == 200)
    }
}
