import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

import BrowseData

/// The chain as the container makes it, over a real connection.
@Suite(.bounded)
struct `The middleware chain` {
    private let folder = TemporaryFolder()
    private let clock = RecordingClock()
    private let events = Events()

    private var cache: ResponseCache { ResponseCache(folder: folder.url, now: { [clock] in clock.date }, clock: clock) }

    private func client(
        of server: LoopbackServer,
        tokens: StoredTokenRepository? = nil,
        isOffline: Bool = false
    ) throws -> HTTPClient {
        let url = try #require(URL(string: server.origin))
        return HTTPClient.standard(
            .gitHub(baseURL: url, userAgent: "Tests"),
            cache: cache,
            tokens: tokens,
            options: .init {
                $0.limits = .unhurried
                $0.isOffline = isOffline
                $0.observers = [events]
                $0.now = { [clock] in clock.date }
                $0.clock = clock
            }
        )
    }

    /// Creates tokens whose end erases the responses of their account.
    private func tokens(
        for server: LoopbackServer,
        _ store: InMemoryTokenStore = InMemoryTokenStore(),
        refresh: @escaping @Sendable () throws(BrowseError) -> Credentials = { () throws(BrowseError) in
            throw .cancelled
        }
    ) throws -> StoredTokenRepository {
        let url = try #require(URL(string: server.origin))
        let authorization = InMemoryAuthorizationRepository { _ throws(BrowseError) in .credentials(try refresh()) }
        return StoredTokenRepository(
            store: store,
            authorization: authorization,
            eraseResponses: { [cache] in await cache.removeAll(of: $0, at: url) },
            now: { [clock] in clock.date }
        )
    }

    private static let profile = Endpoint(.path("/users/\("mona")")) { response in
        try response.json([String: Int].self)
    }

    @Test func `reports events in order`() async throws {
        let count = Mutex(0)
        let server = try LoopbackServer { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number > 1 else { return LoopbackResponse(status: 503) }
            guard request.header("If-None-Match") == nil else { return LoopbackResponse(status: 304) }
            return .json(#"{"id":1}"#, headers: [("ETag", "\"1\"")])
        }
        let client = try client(of: server)
        #expect(try await client.send(Self.profile) == ["id": 1])
        #expect(events.names == ["began", "missed", "sent", "503", "retrying", "sent", "200", "stored", "ended"])
        #expect(try await client.send(Self.profile) == ["id": 1])
        #expect(events.names.dropFirst(9) == ["began", "revalidating", "sent", "304", "answered", "ended"])
        #expect(Set(events.all.map(\.exchange)).count == 2)
        #expect(events.all.allSatisfy { $0.endpoint == "GET /users/{}" })
    }

    @Test func `reports the provenance of values, and responds offline from the cache`() async throws {
        let server = try LoopbackServer { request in
            guard request.header("If-None-Match") == nil else { return LoopbackResponse(status: 304) }
            return .json(#"{"id":1}"#, headers: [("ETag", "\"1\"")])
        }
        let client = try client(of: server)
        @Sendable func profile() async throws(BrowseError) -> [String: Int] { try await client.send(Self.profile) }
        #expect(try await LoadOptions().load(profile).provenance == .fresh)
        #expect(try await LoadOptions().load(profile).provenance == .revalidated)
        clock.advance(by: .seconds(90))
        let provenances = Mutex<[Provenance]>([])
        let first = try await LoadPolicy.cachedFirst.load(profile) { early in
            provenances.withLock { $0.append(early.provenance) }
        }
        #expect(provenances.withLock { $0 } == [.stale(since: testNow)])
        #expect(first.provenance == .revalidated)
        clock.advance(by: .seconds(60))
        server.stop()
        let second = try await LoadPolicy.cachedFirst.load(profile) { early in
            provenances.withLock { $0.append(early.provenance) }
        }
        #expect(second == Loaded(["id": 1], .offline(since: testNow + 90)))
        #expect(provenances.withLock { $0 }.last == .stale(since: testNow + 90))
        let fresh = await thrown { () throws(BrowseError) in try await LoadPolicy.fresh.load(profile) { _ in } }
        #expect(fresh?.request?.endpoint == "GET /users/{}")
        // The app is configured as offline: nothing is sent, and the provenance is offline rather than stale.
        let offline = try self.client(of: server, isOffline: true)
        let sent = events.count { $0.name == "sent" }
        let value = try await LoadOptions().load { () throws(BrowseError) in try await offline.send(Self.profile) }
        #expect(value.provenance == .offline(since: testNow + 90))
        let unseen = await thrown { () throws(BrowseError) in
            try await offline.send(Endpoint(.path("/unseen")) { $0.status })
        }
        #expect(unseen == .unreachable(.notCached, BrowseError.RequestInfo(endpoint: "GET /unseen")))
        let write = await thrown { () throws(BrowseError) in
            try await offline.send(Endpoint(method: .put, .path("/unseen")) { $0.status })
        }
        #expect(write == .unreachable(.notCached, BrowseError.RequestInfo(endpoint: "PUT /unseen")))
        #expect(events.count { $0.name == "sent" } == sent)
    }

    @Test func `stores only decodable responses, and requests others again`() async throws {
        let body = Mutex(#"<html>"#)
        let server = try LoopbackServer { request in
            guard request.header("If-None-Match") == nil else { return LoopbackResponse(status: 304) }
            return .json(body.withLock { $0 }, headers: [("ETag", "\"1\"")])
        }
        let client = try client(of: server)
        let error = await thrown { () throws(BrowseError) in try await client.send(Self.profile) }
        // Nothing proves that it's GitHub's.
        guard case .unreachable(.intercepted, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        // Nothing of it was stored, so there's nothing to discard.
        #expect(events.names.suffix(2) == ["200", "ended badly"])
        body.withLock { $0 = #"{"id":1}"# }
        #expect(try await client.send(Self.profile) == ["id": 1])
        // After an update, the SDK decodes the response differently, and the server confirms it.
        let updated = Endpoint(.path("/users/\("mona")")) { response in
            guard response.provenance == .fresh else { throw BrowseError.cancelled }
            return try response.json([String: Int].self)
        }
        #expect(try await client.send(updated) == ["id": 1])
        let expected = ["sent", "304", "answered", "discarded", "missed", "sent", "200", "stored", "ended"]
        #expect(events.names.suffix(9) == expected[...])
    }

    @Test func `separates the responses of accounts, and removes them when signing out`() async throws {
        let server = try LoopbackServer { request in
            let id = request.header("Authorization")?.last == "1" ? 1 : 2
            return .json(#"{"id":\#(id)}"#)
        }
        let tokens = try tokens(for: server)
        let client = try client(of: server, tokens: tokens)
        var cacheOnly = LoadOptions()
        cacheOnly.source = .cacheOnly
        @Sendable func profile() async throws(BrowseError) -> [String: Int] { try await client.send(Self.profile) }
        _ = try await tokens.begin(with: Credentials(token: AccessToken("token-1")))
        #expect(try await profile() == ["id": 1])
        #expect(try await cacheOnly.load(profile).value == ["id": 1])
        #expect(cachedFiles(in: folder.url).count == 1)
        let grant = try await tokens.begin(with: Credentials(token: AccessToken("token-2")))
        #expect(cachedFiles(in: folder.url).isEmpty)
        let other = await thrown { () throws(BrowseError) in try await cacheOnly.load(profile) }
        #expect(other == .unreachable(.notCached, BrowseError.RequestInfo(endpoint: "GET /users/{}")))
        #expect(try await profile() == ["id": 2])
        // The account is the same once the user is known.
        await tokens.identify(grant.id, as: StoredUser(GitHub.User(id: .init(rawValue: 2), login: GitHub.Login("two"))))
        #expect(try await cacheOnly.load(profile).value == ["id": 2])
        try await tokens.end()
        #expect(cachedFiles(in: folder.url).isEmpty)
    }

    /// The tokens of an account, of which each is counted.
    private struct CountedTokens: AccessTokens {
        let grant: AccessGrant
        let count = Monitor(0)

        func account() async throws(BrowseError) -> String? { grant.account }

        func currentGrant() async throws(BrowseError) -> AccessGrant? {
            count.withLock { $0 += 1 }
            return grant
        }
    }

    /// The response to a POST isn't cached, and neither is one that the request forbids to store.
    @Test(arguments: [HTTPMethod.get, .post])
    func `asks for no token, and for no limit, if only the cache may respond`(method: HTTPMethod) async throws {
        let tokens = CountedTokens(grant: AccessGrant(account: "mona", token: try Secret("token")))
        let wire = FakeTransport(statuses: 429)
        let client = HTTPClient.standard(
            .sample(),
            transport: wire,
            cache: cache,
            tokens: tokens,
            options: .init { [clock] in $0.clock = clock }
        )
        var search = Endpoint(method: method, .path("/search"), headers: ["Cache-Control": "no-store"]) { $0.status }
        search.onlyReads = true
        let read = { @Sendable [search] () async throws(BrowseError) in try await client.send(search) }
        guard case .rateLimited = await thrown(by: read) else {
            Issue.record("The limit isn't known.")
            return
        }
        let count = tokens.count.value
        let error = await thrown { () throws(BrowseError) in
            try await LoadOptions(source: .cacheOnly).load(read).value
        }
        #expect(error == .unreachable(.notCached, BrowseError.RequestInfo(endpoint: "\(method.rawValue) /search")))
        #expect(tokens.count.value == count && wire.requests.count == 1)
    }

    @Test func `uses the responses of a token after its refresh, and removes them when signing out`() async throws {
        let server = try LoopbackServer { _ in .json(#"{"id":1}"#, headers: [("ETag", "\"1\"")]) }
        func credentials(_ number: Int) throws -> Credentials {
            Credentials(
                token: try AccessToken("token-\(number)"),
                expiresAt: testNow + (number == 1 ? 90 : 3600),
                refreshToken: try AccessToken("refresh-\(number)")
            )
        }
        let newer = try credentials(2)
        let tokens = try tokens(for: server) { () throws(BrowseError) in newer }
        let client = try client(of: server, tokens: tokens)
        _ = try await tokens.begin(with: credentials(1))
        _ = try await client.send(Self.profile)
        #expect(cachedFiles(in: folder.url).count == 1)
        clock.advance(by: .seconds(60))
        _ = try await client.send(Self.profile)
        #expect(server.requests.map { $0.header("Authorization") } == ["Bearer token-1", "Bearer token-2"])
        #expect(server.requests.last?.header("If-None-Match") == "\"1\"")
        #expect(cachedFiles(in: folder.url).count == 1)
        try await tokens.end()
        #expect(cachedFiles(in: folder.url).isEmpty)
    }

    @Test func `responds from the cache if the token has expired and can't be refreshed`() async throws {
        let server = try LoopbackServer { _ in .json(#"{"id":1}"#) }
        let credentials = Credentials(
            token: try AccessToken("token"),
            expiresAt: testNow + 3600,
            refreshToken: try AccessToken("refresh"),
            user: GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("one"))
        )
        let failure = BrowseError.unreachable(.offline, BrowseError.RequestInfo(endpoint: "renewal"))
        let tokens = try tokens(for: server, InMemoryTokenStore(credentials)) { () throws(BrowseError) in throw failure
        }
        let client = try client(of: server, tokens: tokens)
        @Sendable func profile() async throws(BrowseError) -> [String: Int] { try await client.send(Self.profile) }
        _ = try await profile()
        clock.advance(by: .seconds(7200))
        let offline = try await LoadPolicy.freshElseCached.load(profile) { _ in }
        #expect(offline.provenance == .offline(since: testNow))
        #expect(try await LoadPolicy.offline.load(profile) { _ in }.value == ["id": 1])
        #expect(await thrown { () throws(BrowseError) in try await profile() } == failure)
    }
}
