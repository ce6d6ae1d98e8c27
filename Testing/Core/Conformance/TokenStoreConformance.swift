public import BrowseData
import BrowseDomain
import Foundation

/// The rules of `TokenStore`. Each needs a new store without credentials.
public enum TokenStoreConformance {
    /// The rules for every store.
    public static var rules: [ConformanceRule<any TokenStore>] {
        [
            ConformanceRule("A new store has no credentials.") { store, require in
                let loaded = try await store.load()
                try require(loaded == nil, "it has some.")
            },
            ConformanceRule("Stored credentials are loaded unchanged.") { store, require in
                let full = try credentials("token-1", isComplete: true)
                try await store.save(full)
                var loaded = try await store.load()
                try require(loaded == full, difference(loaded, full))
                let other = try credentials("token-2")
                try await store.save(other)
                loaded = try await store.load()
                try require(loaded == other, difference(loaded, other))
            },
            ConformanceRule("Deleted credentials are gone, and deleting none succeeds.") { store, require in
                try await store.delete()
                try await store.save(try credentials("token-1"))
                try await store.delete()
                try await store.delete()
                let loaded = try await store.load()
                try require(loaded == nil, "they are still there.")
            },
            ConformanceRule("An update receives the stored credentials, and can keep them.") { store, require in
                let first = try credentials("token-1")
                try await store.save(first)
                let received = Received()
                try await store.update { stored in
                    received.add(stored)
                    return .keep
                }
                try require(!received.all.isEmpty, "the closure wasn't called.")
                try require((try? received.all.last?.get()) == first, "it received other credentials.")
                let loaded = try await store.load()
                try require(loaded == first, difference(loaded, first))
            },
            ConformanceRule("Parallel updates are atomic.") { store, require in
                let count = 20
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<count {
                        group.addTask {
                            try await store.update { stored in
                                let scopes = (try? stored.get())?.scopes ?? []
                                guard var next = try? credentials("token") else { return .keep }
                                next.scopes = scopes + ["\(scopes.count)"]
                                return .store(next)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let scopes = try await store.load()?.scopes.count ?? 0
                try require(scopes == count, "of \(count) updates, \(scopes) were kept.")
            },
        ]
    }

    /// The rule for stores that several repositories or processes share.
    public static var lockRules: [ConformanceRule<any TokenStore>] {
        [
            ConformanceRule("The refresh lock is held once, and can be taken again after its release.") {
                store,
                require in
                guard let first = try await store.refreshLock() else {
                    return try require(false, "a free lock can't be taken.")
                }
                let second = try await store.refreshLock()
                try require(second == nil, "it's held twice.")
                first.release()
                let third = try await store.refreshLock()
                try require(third != nil, "it can't be taken after its release.")
            }
        ]
    }

    /// The rule for stores that report changes, such as remote ones.
    public static var changeRules: [ConformanceRule<any TokenStore>] {
        [
            ConformanceRule("Changes are reported.") { store, require in
                let changes = store.changes
                var remaining = try ["token-1", "token-2"].map { try credentials($0) }
                try await store.save(remaining[0])
                // A report may precede the change, or cover several; but the last change is
                // reported after it's stored.
                for await _ in changes {
                    guard try await store.load() == remaining[0] else { continue }
                    remaining.removeFirst()
                    guard let next = remaining.first else { return }
                    try await store.save(next)
                }
                try require(false, "the stream ended.")
            }
        ]
    }

    private static func credentials(_ token: String, isComplete: Bool = false) throws -> Credentials {
        guard isComplete else { return Credentials(token: try AccessToken(token)) }
        var credentials = Credentials(
            token: try AccessToken(token),
            expiresAt: Date(timeIntervalSince1970: 1_900_000_000),
            refreshToken: try Secret("refresh-\(token)"),
            scopes: ["public_repo", "read:user"],
            user: ConformanceUser(name: "mona")
        )
        credentials.issuedAt = Date(timeIntervalSince1970: 1_800_000_000)
        return credentials
    }

    private static func difference(_ actual: Credentials?, _ expected: Credentials) -> String {
        actual.map { "\($0) was loaded, not \(expected)." } ?? "nothing was loaded."
    }

    private typealias Received = CallLog<Result<Credentials?, BrowseError>>
}
