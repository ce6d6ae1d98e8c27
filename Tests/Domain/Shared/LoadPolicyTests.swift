import Foundation
import Synchronization
import Testing

@testable import BrowseDomain

struct `A policy of loading` {
    private static let date = Date(timeIntervalSince1970: 1)
    private static let failure = BrowseError.unreachable(.offline, BrowseError.RequestInfo(endpoint: "GET /"))

    /// Answers a read as a client with a cache does, and notes from where it was asked for.
    private final class Source: Sendable {
        let asked = Mutex<[LoadOptions]>([])
        let hasKept: Bool

        init(hasKept: Bool) { self.hasKept = hasKept }

        @Sendable func read() async throws(BrowseError) -> Int {
            asked.withLock { $0.append(LoadOptions.current) }
            guard LoadOptions.current.source == .cacheOnly else { return 2 }
            guard hasKept else { throw failure }
            return 1
        }
    }

    @Test(
        arguments: [
            (LoadPolicy.fresh, true, [2], [LoadOptions.Source.network]),
            (.freshElseCached, true, [2], [.networkElseCache]),
            (.cachedFirst, true, [1, 2], [.cacheOnly, .networkElseCache]),
            (.cachedFirst, false, [2], [.cacheOnly, .networkElseCache]),
            (.offline, true, [1], [.cacheOnly]),
        ]
    )
    func `reads from where it says, what is kept first`(
        policy: LoadPolicy,
        hasKept: Bool,
        values: [Int],
        sources: [LoadOptions.Source]
    ) async throws {
        let source = Source(hasKept: hasKept)
        var received: [Int] = []
        let last = try await policy.load(priority: .prefetch, source.read) { received.append($0.value) }
        received.append(last.value)
        #expect(received == values)
        #expect(source.asked.withLock { $0 }.map(\.source) == sources)
        #expect(source.asked.withLock { $0 }.allSatisfy { $0.priority == .prefetch })
        #expect(LoadOptions.current == LoadOptions())
    }

    @Test func `fails as the last read does`() async {
        let source = Source(hasKept: false)
        await #expect(throws: Self.failure) { try await LoadPolicy.offline.load(source.read) { _ in } }
    }

    @Test func `asks no server for somebody who went away while they looked at what is kept`() async {
        let source = Source(hasKept: true)
        let task = Task {
            await Result.of { () throws(BrowseError) in
                try await LoadPolicy.cachedFirst.load(source.read) { _ in withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        #expect(await task.value == .failure(.cancelled))
        #expect(source.asked.withLock { $0.count } == 1)
    }

    @Test func `knows the least certain of all that a value was put together from`() async throws {
        let all: [Provenance] = [
            .fresh, .revalidated, .stale(since: Self.date + 1), .stale(since: Self.date),
            .offline(since: Self.date + 9),
            .offline(since: Self.date),
        ]
        for (rank, one) in all.enumerated() {
            for (otherRank, other) in all.enumerated() {
                #expect(one.combined(with: other) == all[max(rank, otherRank)])
            }
        }
        // A repository that does not say is believed.
        let plain = try await LoadOptions().load { () throws(BrowseError) in 1 }
        #expect(plain == Loaded(1, .fresh))
    }

    @Test func `leaves the patience to whoever asks`() async throws {
        let source = Source(hasKept: true)
        let options = LoadOptions(priority: .visible, patience: .seconds(5))
        _ = try await LoadOptions.$current.withValue(options) { () -> Result<Loaded<Int>, BrowseError> in
            await Result.of { () throws(BrowseError) in
                try await LoadPolicy.cachedFirst.load(priority: .prefetch, source.read) { _ in }
            }
        }.get()
        #expect(
            source.asked.withLock { $0 } == [
                LoadOptions(source: .cacheOnly, priority: .prefetch, patience: .seconds(5)),
                LoadOptions(source: .networkElseCache, priority: .prefetch, patience: .seconds(5)),
            ]
        )
    }

    @Test func `tells of what came from several places the least certain`() async throws {
        let then = Date(timeIntervalSince1970: 1)
        for order in [[Provenance.offline(since: then), .fresh], [.fresh, .offline(since: then)]] {
            let loaded = try await LoadOptions().load { () throws(BrowseError) in
                for provenance in order { ProvenanceRecord.current?.note(provenance) }
                return 1
            }
            #expect(loaded.provenance == .offline(since: then))
        }
    }
}
