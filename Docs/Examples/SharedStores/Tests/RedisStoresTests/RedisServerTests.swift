import BrowseData
import BrowseKit
import BrowseMocks
import Crypto
import Foundation
import TestServers
import Testing

@testable import RedisStores

@Suite(.timeLimit(.minutes(10)))
struct `A Redis server` {
    private let secret = SymmetricKey(size: .bits256)

    private func favorite(_ number: Int, bytes: Int = 2) -> Favorite {
        Favorite(
            id: Favorite.ID(kind: .user, key: "\(number)"),
            title: "user-\(number)",
            image: nil,
            payload: Favorite.Payload(version: 1, data: Data(repeating: 0x20, count: bytes))
        )
    }

    @Test(arguments: ["volatile-lru", "allkeys-lru", "allkeys-random"])
    func `is refused if it evicts`(policy: String) async throws {
        let durable = try await RedisServer("--maxmemory-policy", policy)
        let stores = durable.stores(secret)
        let error = await #expect(throws: RedisStores.UnsuitableServer.self) { try await stores.check() }
        #expect(error?.description.contains(policy) == true && error?.description.contains("noeviction") == true)
        try await durable.run("config", "set", "maxmemory-policy", "noeviction")
        #expect(try await stores.check() == [])
        durable.stop()
        let away = try await stores.check()
        #expect(away.count == 1 && away[0].contains("can't be reached"))
    }

    /// A cancellation holds a lock of its task that an element of its stream waits for.
    @Test func `sends changes while their listeners leave`() async throws {
        let client = try await RedisServer().client()
        let sender = Task {
            while !Task.isCancelled {
                try await client.send(["PUBLISH", client.subscriber.channel, "topic"]) { _ in }
            }
        }
        for _ in 0..<5_000 {
            let listener = Task {
                for await _ in client.subscriber.changes(of: "topic") {}
            }
            _ = await client.isAvailable()
            listener.cancel()
            await listener.value
        }
        sender.cancel()
    }

    @Test func `tells other processes of a star whose response is lost`() async throws {
        let server = try await RedisServer()
        let (here, elsewhere) = (server.client(), server.client())
        let lost = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "PUT /user/starred"))
        let remote = InMemoryStarRepository { _ throws(BrowseError) in throw lost }
        let stars = RedisStarRepository(remote, here, visitor: "a")
        var changes = elsewhere.subscriber.changes(of: elsewhere.key("stars", of: "a")).makeAsyncIterator()
        // Notifications have started.
        _ = await changes.next()
        let repo = GitHub.Repo(id: GitHub.Repo.ID(rawValue: 1), name: "tea", fullName: "octocat/tea")
        await #expect(throws: lost) { try await stars.set(true, for: repo) }
        #expect(await changes.next() != nil)
    }

    /// redis/redis-rb#1095, StackExchange/StackExchange.Redis#2264
    @Test func `is reported if it is a replica`() async throws {
        let replica = try await RedisServer()
        try await replica.run("replicaof", "127.0.0.1", "1")
        let problems = try await replica.stores(secret).check()
        #expect(problems.count == 1 && problems[0].contains("replica"))
    }

    /// gin-contrib/sessions#211, whatyouhide/redix#240
    @Test func `is reported if it is part of a cluster`() async throws {
        let member = try await RedisServer("--cluster-enabled", "yes")
        let problems = try await member.stores(secret).check()
        #expect(problems.count == 1 && problems[0].contains("cluster"))
        // valkey-io/valkey#306: Valkey has another name for the kind of server.
        let valkey = try RedisRelay(to: member, isValkey: true)
        defer { withExtendedLifetime(valkey) {} }
        #expect(try await RedisStores(durable: valkey.client(), secret: secret).check() == problems)
    }

    @Test func `is reported if it loses data`() async throws {
        let durable = try await RedisServer("--appendonly", "no")
        let problems = try await durable.stores(secret).check()
        #expect(problems.count == 1 && problems[0].contains("append-only"))
        try await durable.run("config", "set", "appendonly", "yes")
        #expect(try await durable.stores(secret).check() == [])
    }

    @Test func `tells a known visitor from an unknown one when it can't write`() async throws {
        let durable = try await RedisServer()
        let stores = durable.stores(secret)
        _ = try await stores.favorites(of: "mona").add(favorite(1))
        #expect(try await stores.visitors.replace("a", by: "b", of: "mona"))
        try await durable.run("expire", "browsekit:visitor:mona", "60")
        // A replica after a failover reads, and doesn't write.
        try await durable.run("replicaof", "127.0.0.1", "1")
        for _ in 0..<20 { #expect(try await stores.visitors.current(of: "mona") == "b") }
        try await durable.run("replicaof", "no", "one")
        try await eventually {
            _ = try await stores.visitors.current(of: "mona")
            return (Int(try await durable.run("ttl", "browsekit:visitor:mona").filter(\.isNumber)) ?? 0) > 60
        }
    }

    @Test func `is connected again after a failover, because the address leads to another one`() async throws {
        let redis = try await RedisServer()
        let client = redis.client()
        let favorites = RedisFavoriteRepository(client, visitor: "mona")
        #expect(try await favorites.add(favorite(1)))
        func connection() async throws -> Int64? { try await client.send(["CLIENT", "ID"], \.integer) }
        let former = try await connection()
        try await redis.run("replicaof", "127.0.0.1", "1")
        let failure = BrowseError.storageFailed(StorageFailure(reason: .notWritable, file: "Redis"))
        await #expect(throws: failure) { try await favorites.add(favorite(2)) }
        #expect(try await connection() != former)
        try await redis.run("replicaof", "no", "one")
        #expect(try await favorites.add(favorite(2)))
    }

    @Test(
        arguments: [
            ("OOM command not allowed when used memory > 'maxmemory'.", StorageFailure.Reason.unavailable),
            ("READONLY You can't write against a read only replica.", .notWritable), ("", .other),
            ("ERR unknown command", .other), ("FULL too many favorites", .full),
            (
                "ERR Error running script (call to f_10): @user_script:4: @user_script: 4: -READONLY You can't write.",
                .notWritable
            ),
            ("ERR Error running script (call to f_10): @user_script:9: -OOM command not allowed.", .unavailable),
        ]
    )
    func `of any version names the reason of a failure`(reply: String, reason: StorageFailure.Reason) {
        #expect(BrowseError.redis(reply: reply) == .redis(reason))
    }

    /// redis/redis#12418
    @Test func `stores changes though its user may not notify other processes`() async throws {
        let redis = try await RedisServer()
        try await redis.run("acl", "setuser", "mona", "on", ">secret", "~*", "resetchannels", "+@all")
        let address = RedisAddress(port: redis.port, user: "mona", password: "secret")
        let stores = RedisStores(durable: RedisClient(address, timeout: .seconds(60)), secret: secret)
        #expect(try await stores.favorites(of: "mona").add(favorite(1)))
        #expect(try await stores.favorites(of: "mona").ids() == [favorite(1).id])
        let session = SessionName("GitHub", at: try #require(URL(string: "https://api.github.com")))
        try await stores.tokens(of: "mona", session: session).save(Credentials(token: try AccessToken("gho_1")))
    }

    @Test func `has a limited number of favorites for each visitor`() async throws {
        let redis = try await RedisServer()
        let favorites = redis.stores(secret).favorites(of: "mona")
        var count = 0
        await #expect(throws: BrowseError.storageFailed(StorageFailure(reason: .full, file: "Redis"))) {
            while count < 3_000 {
                _ = try await favorites.add(favorite(count))
                count += 1
            }
        }
        #expect((2_000...2_002).contains(count))
        // One that exists can be added again, and removing one makes room.
        #expect(try await !favorites.add(favorite(7)))
        #expect(try await favorites.remove(favorite(7).id))
        #expect(try await favorites.add(favorite(count)))
    }

    @Test func `is unavailable when it is full, and loses nothing`() async throws {
        let durable = try await RedisServer("--maxmemory", "3mb", "--maxmemory-policy", "noeviction")
        let favorites = durable.stores(secret).favorites(of: "mona")
        var count = 0
        await #expect(throws: unavailable) {
            while count < 1_000 {
                _ = try await favorites.add(favorite(count, bytes: 50_000))
                count += 1
            }
        }
        #expect(count > 3 && count < 1_000)
        #expect(try await favorites.ids().count == count)
        try await durable.run("config", "set", "maxmemory", "0")
        #expect(try await favorites.add(favorite(count)))
    }

    @Test func `delays reads once, and not all of them, while it hangs`() async throws {
        let redis = try await RedisServer()
        let client = RedisClient(redis.address)
        let favorites = RedisFavoriteRepository(client, visitor: "mona")
        _ = try await redis.stores(secret).favorites(of: "mona").add(favorite(1))
        redis.suspend()
        let start = ContinuousClock.now
        for _ in 0..<100 { await #expect(throws: unavailable) { try await favorites.ids() } }
        // Otherwise 100 reads would take 100 seconds; one of them is repeated each second.
        #expect(start.duration(to: .now) < .seconds(20))
        #expect(await !client.isAvailable())
        redis.suspend(false)
        #expect(try await untilAvailable { try await favorites.ids() }.count == 1)
    }
}

@Suite struct `Addresses of Redis servers` {
    @Test func `have a user and a password`() throws {
        #expect(try RedisAddress("10.0.0.5") == RedisAddress(host: "10.0.0.5"))
        #expect(try RedisAddress("redis:7000") == RedisAddress(host: "redis", port: 7_000))
        #expect(
            try RedisAddress("redis://:a%40b@[::1]:7000/") == RedisAddress(host: "::1", port: 7_000, password: "a@b")
        )
        let both = try RedisAddress("redis://mona:secret@redis.example")
        #expect(both == RedisAddress(host: "redis.example", user: "mona", password: "secret"))
        var text = ""
        dump(both, to: &text)
        #expect(text.contains("redis.example:6379") && !text.contains("secret"))
        #expect(!"\(both)".contains("secret"))
    }

    @Test(
        arguments: [
            ("rediss://redis.example", RedisAddress.Problem.usesTLS), ("redis://redis.example/1", .hasDatabase),
            ("http://redis.example", .malformed), ("", .malformed), ("redis://", .malformed), ("a b", .malformed),
            ("redis.example:x", .malformed), ("redis://mona@redis.example", .malformed),
            ("redis.example:70000", .malformed), ("redis://a?b", .malformed),
        ]
    )
    func `are refused with a reason`(text: String, problem: RedisAddress.Problem) {
        #expect(throws: problem) { try RedisAddress(text) }
    }

    @Test func `log in with an ACL`() async throws {
        let redis = try await RedisServer()
        try await redis.run("acl", "setuser", "mona", "on", ">secret", "~*", "&*", "+@all")
        try await redis.run("acl", "setuser", "default", "off")
        func address(_ password: String) -> RedisAddress {
            RedisAddress(port: redis.port, user: "mona", password: password)
        }
        #expect(await RedisClient(address("secret"), timeout: .seconds(60)).isAvailable())
        let wrong = RedisClient(address("wrong"), timeout: .seconds(60))
        #expect(await !wrong.isAvailable())
        // StackExchange/StackExchange.Redis#1879
        let problems = try await RedisStores(durable: wrong, secret: SymmetricKey(size: .bits256)).check()
        #expect(problems.first?.contains("password") == true)
    }

    /// redis/ioredis#1211, redis/redis#12418
    @Test(arguments: [("-info", "Permit +info."), ("resetchannels", "Permit &browsekit:changes.")])
    func `name the permission that their user lacks`(rule: String, text: String) async throws {
        let redis = try await RedisServer()
        try await redis.run("acl", "setuser", "mona", "on", ">secret", "~*", "&*", "+@all", rule)
        let address = RedisAddress(port: redis.port, user: "mona", password: "secret")
        let client = RedisClient(address, timeout: .seconds(60))
        let problems = try await RedisStores(durable: client, secret: SymmetricKey(size: .bits256)).check()
        #expect(problems.count == 1 && problems[0].contains(text), "\(problems)")
    }
}
