import BrowseKit
import RedisStores
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `Keys of the stores of visitors` {
    @Test func `stay when another process replaces the id, and the former id leads nowhere`() async throws {
        let redis = try await RedisServer()
        let (one, two) = (RedisVisitorKeys(redis.client()), RedisVisitorKeys(redis.client()))
        #expect(try await one.key(of: "a", orAdd: "first") == "first")
        #expect(try await two.key(of: "a", orAdd: "second") == "first")
        try await two.move("a", to: "b")
        #expect(try await one.key(of: "b", orAdd: "third") == "first")
        #expect(try await one.key(of: "a", orAdd: "fourth") == "fourth")
        await #expect(throws: StorageFailure.self) { try await one.move("unknown", to: "c") }
        #expect(try await one.key(of: "c", orAdd: "fifth") == "fifth")
    }

    @Test func `are the same for all requests that a new visitor sends at once`() async throws {
        let redis = try await RedisServer()
        let keys = RedisVisitorKeys(redis.client())
        let results = try await withThrowingTaskGroup { group in
            for number in 0..<20 { group.addTask { try await keys.key(of: "a", orAdd: "\(number)") } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(results.count == 1)
    }
}
