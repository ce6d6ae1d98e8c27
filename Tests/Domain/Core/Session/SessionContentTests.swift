import BrowseDomain
import BrowseMocks
import Synchronization
import TestLimits
import Testing

@Suite(.bounded)
struct `A session of any service` {
    private struct Reader: SessionUser {
        typealias Content = Shelf

        var name: String
        var accountID: String { name }
    }

    private struct Guest: SessionUser {
        var accountID: String
    }

    /// Content that records the calls of the session.
    private final class Shelf: SessionContent {
        let calls = Mutex<[String]>([])
        let failsToLoad = Mutex(false)

        var needsReload: Bool { failsToLoad.withLock { $0 } }

        func activate() { note("activate") }
        func load() async { note("load") }
        func end() { note("end") }

        func note(_ call: String) { calls.withLock { $0.append(call) } }
    }

    @Test func `activates its content before it reports the token, and loads it before it's ready`() async throws {
        let shelf = Shelf()
        let session = SessionManager<Reader>(tokens: InMemoryTokenRepository(), content: shelf) {
            () throws(BrowseError) in
            shelf.note("user")
            return Reader(name: "mona")
        }
        await session.start()
        try await session.signIn(with: Credentials(token: Secret("token")))
        #expect(session.current == .ready(Reader(name: "mona")))
        #expect(shelf.calls.withLock { $0 } == ["activate", "user", "load"])
        await session.retry()
        shelf.failsToLoad.withLock { $0 = true }
        await session.retry()
        try await session.signOut()
        #expect(shelf.calls.withLock { $0 } == ["activate", "user", "load", "load", "end"])
    }

    @Test func `needs no content, and knows a stored user without a request`() async throws {
        let credentials = Credentials(token: try Secret("token"), user: Guest(accountID: "7"))
        let session = SessionManager<Guest>(
            tokens: InMemoryTokenRepository(credentials),
            content: NoSessionContent()
        ) { () throws(BrowseError) in
            throw .timedOut(.init(endpoint: "test"))
        }
        await session.start()
        #expect(session.current == .ready(Guest(accountID: "7")))
    }

    @Test func `loads its user if another type was stored`() async throws {
        let credentials = Credentials(token: try Secret("token"), user: Guest(accountID: "7"))
        let tokens = InMemoryTokenRepository(credentials)
        let session = SessionManager<Reader>(tokens: tokens, content: Shelf()) { () throws(BrowseError) in
            Reader(name: "mona")
        }
        await session.start()
        #expect(session.current == .ready(Reader(name: "mona")))
        #expect(try await tokens.current()?.credentials.user == StoredUser(Reader(name: "mona")))
    }
}

@Suite(.bounded)
struct `A stored user` {
    private struct Sample: SessionUser {
        var accountID = "a"
        var big = Int64.max
        var half = 0.5
        var isOn = true
        var names: [String?] = ["", nil]
        var more = ["nested": ["deep": [1]]]
    }

    private struct Unencodable: SessionUser {
        var accountID = "b"
        var value = Double.infinity
    }

    @Test func `is the same after decoding`() {
        #expect(StoredUser(Sample()).user() == Sample())
        #expect(StoredUser(Sample()).accountID == "a")
    }

    @Test func `that can't be encoded still has its account`() {
        let stored = StoredUser(Unencodable())
        #expect(stored.user(as: Unencodable.self) == nil)
        #expect(stored.accountID == "b")
    }
}
