public import BrowseData
import BrowseDomain
import Foundation

/// The rules of `RateLimitStore`. Each needs a new, empty store.
public enum RateLimitStoreConformance {
    /// The rules for every store.
    public static var rules: [ConformanceRule<any RateLimitStore>] {
        [
            ConformanceRule("A new store has no limits.") { store, require in
                let received = CallLog<Data?>()
                try await store.update("a") { data in
                    received.add(data)
                    return nil
                }
                try require(received.all.last == .some(nil), "it has some.")
            },
            ConformanceRule("Stored limits are read unchanged, for their own key.") { store, require in
                let data = Data((0...255).map { UInt8($0) })
                let keys = ["https://a.example\n", "https://a.example\nuser 1", "https://a.example\n가 b"]
                for key in keys { try await store.update(key) { _ in data + Data(key.utf8) } }
                for key in keys {
                    let loaded = try await load(key, from: store)
                    try require(loaded == data + Data(key.utf8), "\(loaded.map { "\($0.count) bytes" } ?? "nothing").")
                }
                try await store.update(keys[0]) { _ in Data("new".utf8) }
                let loaded = try await load(keys[0], from: store)
                try require(loaded == Data("new".utf8), "a later value wasn't stored.")
            },
            ConformanceRule("No change keeps the limits.") { store, require in
                try await store.update("a") { _ in Data("1".utf8) }
                try await store.update("a") { _ in nil }
                let loaded = try await load("a", from: store)
                try require(loaded == Data("1".utf8), "they changed.")
            },
            ConformanceRule("Parallel updates are atomic.") { store, require in
                let count = 50
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<count {
                        group.addTask { try await store.update("a") { ($0 ?? Data()) + Data([1]) } }
                    }
                    try await group.waitForAll()
                }
                let loaded = try await load("a", from: store)?.count ?? 0
                try require(loaded == count, "of \(count) updates, \(loaded) were kept.")
            },
        ]
    }

    private static func load(_ key: String, from store: any RateLimitStore) async throws -> Data? {
        let received = CallLog<Data?>()
        try await store.update(key) { data in
            received.add(data)
            return nil
        }
        return received.all.last ?? nil
    }
}
