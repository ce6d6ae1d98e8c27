import BrowseData
import BrowseKit
import BrowseMocks
import Crypto
import Foundation
import RedisStores
import TestServers
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `Tokens in Redis` {
    private let secret = SymmetricKey(size: .bits256)

    private func store(
        _ server: RedisServer,
        visitor: String = "a",
        secret: SymmetricKey? = nil,
        clock: TestClock = TestClock(),
        client: RedisClient? = nil
    ) throws -> RedisTokenStore {
        RedisTokenStore(
            client ?? server.client(),
            visitor: visitor,
            session: SessionName("GitHub", at: try #require(URL(string: "https://api.github.com"))),
            secret: secret ?? self.secret,
            lease: .seconds(3_000),
            clock: clock
        )
    }

    private func credentials(_ token: String) throws -> Credentials {
        Credentials(token: try AccessToken(token), refreshToken: try Secret(token + "-refresh"))
    }

    @Test func `are encrypted`() async throws {
        let server = try await RedisServer()
        try await store(server).save(credentials("gho_secret"))
        let stored = try await server.run("--no-raw", "hget", "browsekit:visitor:a", "token")
        #expect(stored.count > 60)
        #expect(!stored.contains("secret"))
        let other = try store(server, secret: SymmetricKey(size: .bits256))
        let damaged = BrowseError.storageFailed(StorageFailure(reason: .damaged, file: "Redis"))
        await #expect(throws: damaged) { try await other.load() }
        // One visitor's credentials don't open for another.
        try await server.run("copy", "browsekit:visitor:a", "browsekit:visitor:b")
        await #expect(throws: damaged) { try await store(server, visitor: "b").load() }
    }

    @Test func `are reported to another process, also after a restart of the server`() async throws {
        let server = try await RedisServer()
        let (here, elsewhere) = (try store(server), try store(server))
        var changes = here.changes.makeAsyncIterator()
        // The connection of notifications is reported as a change.
        await changes.next()
        try await elsewhere.save(credentials("a"))
        await changes.next()
        #expect(try await here.load() == credentials("a"))
        let later = here.changes
        server.stop()
        await #expect(throws: unavailable) { try await here.load() }
        await #expect(throws: unavailable) { try await here.save(credentials("lost")) }
        try await server.start()
        for await _ in later {
            let loaded = try await untilAvailable { try await here.load() }
            if loaded == (try credentials("a")) { break }
        }
    }

    @Test func `have a refresh lock that is free again after a request for it without a reply`() async throws {
        let server = try await RedisServer()
        let clock = TestClock()
        let here = try store(server, clock: clock, client: RedisClient(server.address))
        let elsewhere = try store(server)
        #expect(try await here.load() == nil)
        // A server that hangs executes the command later.
        server.suspend()
        await #expect(throws: unavailable) { try await here.refreshLock() }
        server.suspend(false)
        try await eventually { try await elsewhere.refreshLock() == nil }
        // The connection is used again half a second after the failure.
        _ = try await untilAvailable { try await here.load() }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(1))
        try await eventually { try await elsewhere.refreshLock() != nil }
    }

    @Test func `are changed atomically by processes`() async throws {
        let server = try await RedisServer()
        let stores = try (0..<4).map { _ in try store(server) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<80 {
                group.addTask {
                    try await stores[number % 4].update { stored in
                        guard var next = (try? stored.get()) ?? (try? credentials("a")) else { return .keep }
                        next.scopes.append("\(number)")
                        return .store(next)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].load()?.scopes.count == 80)
    }

    @Test func `have a refresh lock that a process loses with its lease, and then knows it`() async throws {
        let server = try await RedisServer()
        let clock = TestClock()
        let (here, elsewhere) = (try store(server, clock: clock), try store(server))
        let lock = try #require(try await here.refreshLock())
        #expect(try await elsewhere.refreshLock() == nil)
        // As if this process had been suspended for longer than its lease.
        try await server.run("del", "browsekit:refresh:a")
        let other = try #require(try await elsewhere.refreshLock())
        #expect(lock.isHeld)
        // The end of the lease, and the next report.
        await clock.waitForSleepers(2)
        await clock.advance(by: .seconds(2_999))
        #expect(lock.isHeld)
        await clock.advance(by: .seconds(1))
        try await eventually { !lock.isHeld }
        // Its release doesn't release the other's lock.
        #expect(try await here.refreshLock() == nil)
        // Another client's release arrives in its own time.
        other.release()
        try await eventually { try await here.refreshLock() != nil }
    }

    @Test func `are reported while their refresh lock is held, because they may have to be stored`() async throws {
        let server = try await RedisServer()
        let clock = TestClock()
        let here = try store(server, clock: clock)
        var changes = here.changes.makeAsyncIterator()
        // The connection of notifications is reported as a change.
        await changes.next()
        let lock = try #require(try await here.refreshLock())
        for _ in 0..<3 {
            await clock.waitForSleepers(2)
            await clock.advance(by: .seconds(5))
            // Without a report, this waits until the suite's time limit.
            await changes.next()
        }
        lock.release()
    }

    @Test func `have a refresh lock that a process gets though the first reply is lost`() async throws {
        let server = try await RedisServer()
        let relay = try RedisRelay(to: server)
        let (here, elsewhere) = (try store(server, client: relay.client()), try store(server))
        // A command is repeated on a connection that was used before, where its script is loaded.
        try #require(try await here.refreshLock()).release()
        #expect(try await here.load() == nil)
        relay.losesReply = true
        let lock = try #require(try await here.refreshLock())
        #expect(!relay.losesReply)
        #expect(try await elsewhere.refreshLock() == nil)
        lock.release()
        try await eventually { try await elsewhere.refreshLock() != nil }
    }
}
