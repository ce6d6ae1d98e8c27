import BrowseData
import BrowseKit
import Crypto
import Foundation
import RedisStores
import ServerStores
import TestServers
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `What is stored for a visitor` {
    private let secret = SymmetricKey(size: .bits256)

    private func favorite(_ number: Int) -> Favorite {
        Favorite(
            id: Favorite.ID(kind: .user, key: "\(number)"),
            title: "user-\(number)",
            image: nil,
            payload: Favorite.Payload(version: 1, data: Data("{}".utf8))
        )
    }

    private func save(_ token: String, of visitor: String, in stores: RedisStores) async throws {
        let session = SessionName("GitHub", at: try #require(URL(string: "https://api.github.com")))
        try await stores.tokens(of: visitor, session: session).save(Credentials(token: try AccessToken(token)))
    }

    @Test func `is nothing for 10,000 visitors who store nothing`() async throws {
        let redis = try await RedisServer()
        let stores = redis.stores(secret)
        for number in 0..<10_000 {
            let visitor = "visitor-\(number)"
            #expect(try await stores.visitors.current(of: visitor) == nil)
            if number.isMultiple(of: 100) {
                #expect(try await stores.favorites(of: visitor).ids().isEmpty)
                #expect(try await stores.pendingSignIn(of: visitor).load() == nil)
            }
        }
        #expect(try await redis.keyCount() == 0)
    }

    @Test func `expires together, 32 days after the last visit, and is extended once a day`() async throws {
        let redis = try await RedisServer()
        let stores = redis.stores(secret)
        #expect(try await stores.visitors.replace("a", by: "b", of: "mona"))
        // Nothing else is stored yet.
        #expect(try await lifetime(of: "visitor:mona", redis) <= 3_600)
        _ = try await stores.favorites(of: "mona").add(favorite(1))
        try await save("token", of: "mona", in: stores)
        let keys = try await redis.run("keys", "*").split(separator: "\n").map { String($0.dropFirst(10)) }
        #expect(keys == ["visitor:mona"])
        for key in keys { #expect(try await lifetime(of: key, redis) > 31 * 86_400, "\(key)") }
        for key in keys { try await redis.run("expire", "browsekit:" + key, "\(20 * 86_400)") }
        let writes = try await writeCount(redis)
        #expect(try await stores.visitors.current(of: "mona") == "b")
        try await eventually { try await writeCount(redis) > writes }
        for key in keys { #expect(try await lifetime(of: key, redis) > 31 * 86_400, "\(key)") }
        // On the same day, visits change nothing.
        let extended = try await writeCount(redis)
        for _ in 0..<100 { #expect(try await stores.visitors.current(of: "mona") == "b") }
        #expect(try await writeCount(redis) == extended)
        for key in keys { try await redis.run("pexpire", "browsekit:" + key, "1") }
        try await eventually { try await redis.keyCount() == 0 }
    }

    @Test func `lives on when it's changed, though nobody has visited`() async throws {
        let redis = try await RedisServer()
        let stores = redis.stores(secret)
        _ = try await stores.favorites(of: "mona").add(favorite(1))
        try await redis.run("expire", "browsekit:visitor:mona", "60")
        try await save("token", of: "mona", in: stores)
        #expect(try await lifetime(of: "visitor:mona", redis) > 31 * 86_400)
        try await redis.run("expire", "browsekit:visitor:mona", "60")
        _ = try await stores.favorites(of: "mona").remove(favorite(1).id)
        #expect(try await lifetime(of: "visitor:mona", redis) > 31 * 86_400)
    }

    @Test func `belongs to one id, whose replacement can be repeated after a lost reply`() async throws {
        let redis = try await RedisServer()
        let (one, two) = (redis.stores(secret).visitors, redis.stores(secret).visitors)
        let impatient = RedisVisitors(redis.client(timeout: .milliseconds(200)))
        try await redis.run("client", "pause", "600000", "all")
        await #expect(throws: unavailable) { try await impatient.replace("a", by: "b", of: "mona") }
        // Another connection isn't paused for commands that end the pause.
        redis.stop()
        try await redis.start()
        #expect(try await one.replace("a", by: "b", of: "mona"))
        #expect(try await one.replace("a", by: "b", of: "mona"))
        #expect(try await two.current(of: "mona") == "b")
        // The former id replaces nothing.
        #expect(try await !two.replace("a", by: "c", of: "mona"))
        #expect(try await two.replace("b", by: "c", of: "mona"))
        #expect(try await one.current(of: "mona") == "c")
        #expect(try await one.current(of: "hubot") == nil)
    }

    @Test func `is one new id if requests replace it at once`() async throws {
        let redis = try await RedisServer()
        let visitors = redis.stores(secret).visitors
        let winners = try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask { try await visitors.replace("a", by: "\(number)", of: "mona") ? "\(number)" : nil }
            }
            return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
        #expect(winners.count == 1)
        #expect(try await visitors.current(of: "mona") == winners.first)
    }

    @Test func `includes a sign-in, which is encrypted, and taken once`() async throws {
        let redis = try await RedisServer()
        let pending = try await pendingSignIn()
        let (one, two) = (
            redis.stores(secret).pendingSignIn(of: "mona"), redis.stores(secret).pendingSignIn(of: "mona")
        )
        try await one.save(pending)
        #expect(try await lifetime(of: "sign-in:mona", redis) <= 600)
        #expect(try await !redis.run("get", "browsekit:sign-in:mona").contains("a.example"))
        #expect(try await two.load() == pending)
        #expect(try await redis.stores(SymmetricKey(size: .bits256)).pendingSignIn(of: "mona").load() == nil)
        // Another visitor can't use it.
        try await redis.run("copy", "browsekit:sign-in:mona", "browsekit:sign-in:hubot")
        #expect(try await redis.stores(secret).pendingSignIn(of: "hubot").load() == nil)
        #expect(try await two.take() == pending)
        #expect(try await one.take() == nil)
        try await one.save(pending)
        try await one.save(nil)
        #expect(try await one.load() == nil)
    }

    @Test func `doesn't include a sign-in that has expired, not even briefly`() async throws {
        let redis = try await RedisServer()
        let signIns = redis.stores(secret).pendingSignIn(of: "mona")
        let (new, old) = (try await pendingSignIn(), try await pendingSignIn(startedAt: Date() - 86_400))
        for _ in 0..<20 {
            try await signIns.save(new)
            try await signIns.save(old)
            #expect(try await signIns.load() == nil)
        }
    }

    private func pendingSignIn(startedAt date: Date = Date()) async throws -> PendingSignIn {
        let container = Container(
            Configuration().with {
                $0.gitHub.app = .gitHub(clientID: "client", redirect: URL(string: "https://a.example/b"))
                $0.now = { date }
            }
        )
        let model = await container.gitHubSignInViewModel()
        _ = await model.signInByBrowser()
        return try #require(await model.pending)
    }

    private func lifetime(of key: String, _ redis: RedisServer) async throws -> Int {
        Int(try await redis.run("ttl", "browsekit:" + key).filter { $0.isNumber || $0 == "-" }) ?? -9
    }

    /// The number of commands that changed lifetimes or values.
    private func writeCount(_ redis: RedisServer) async throws -> Int {
        let names = ["pexpire", "set", "hset", "zadd", "incr", "hincrby", "expire"]
        return try await redis.run("info", "commandstats").split(whereSeparator: \.isNewline).reduce(0) { sum, line in
            guard let name = names.first(where: { line.hasPrefix("cmdstat_\($0):calls=") }) else { return sum }
            return sum + (Int(line.dropFirst("cmdstat_\(name):calls=".count).prefix { $0 != "," }) ?? 0)
        }
    }
}
