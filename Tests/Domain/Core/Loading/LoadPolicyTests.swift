import BrowseDomain
import Foundation
import Synchronization
import TestLimits
import Testing

@Suite(.bounded)
struct `Load policy` {
    private static let date = Date(timeIntervalSince1970: 1)
    private static let failure = BrowseError.unreachable(.offline, BrowseError.RequestInfo(endpoint: "GET /"))

    /// Responds as a client with a cache does, and records the options.
    private final class Source: Sendable {
        let requests = Mutex<[LoadOptions]>([])
        let isCached: Bool

        init(isCached: Bool) { self.isCached = isCached }

        @Sendable func read() async throws(BrowseError) -> Int {
            requests.withLock { $0.append(LoadOptions.current) }
            guard LoadOptions.current.source == .cacheOnly else { return 2 }
            guard isCached else { throw failure }
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
    func `reads from its sources, the cache first`(
        policy: LoadPolicy,
        isCached: Bool,
        values: [Int],
        sources: [LoadOptions.Source]
    ) async throws {
        let source = Source(isCached: isCached)
        var received: [Int] = []
        let last = try await policy.load(priority: .prefetch, source.read) { received.append($0.value) }
        received.append(last.value)
        #expect(received == values)
        #expect(source.requests.withLock { $0 }.map(\.source) == sources)
        #expect(source.requests.withLock { $0 }.allSatisfy { $0.priority == .prefetch })
        #expect(LoadOptions.current == LoadOptions())
    }

    @Test func `throws the error of the last read`() async {
        let source = Source(isCached: false)
        await #expect(throws: Self.failure) { try await LoadPolicy.offline.load(source.read) { _ in } }
    }

    @Test func `doesn't send a request if it is canceled while it delivers the cached value`() async {
        let source = Source(isCached: true)
        let task = Task {
            await Result.of { () throws(BrowseError) in
                try await LoadPolicy.cachedFirst.load(source.read) { _ in withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        #expect(await task.value == .failure(.cancelled))
        #expect(source.requests.withLock { $0.count } == 1)
    }

    @Test func `returns the least reliable provenance of several reads`() async throws {
        let all: [Provenance] = [
            .fresh, .revalidated, .stale(since: Self.date + 1), .stale(since: Self.date),
            .offline(since: Self.date + 9),
            .offline(since: Self.date),
        ]
        for (rank, one) in all.enumerated() {
            for (otherRank, other) in all.enumerated() {
                #expect(one.combined(with: other) == all[max(rank, otherRank)])
                let loaded = try await LoadOptions().load { () throws(BrowseError) in
                    ProvenanceRecord.current?.note(one)
                    ProvenanceRecord.current?.note(other)
                    return 1
                }
                #expect(loaded.provenance == all[max(rank, otherRank)])
            }
        }
        // A repository that records no provenance returns fresh values.
        let plain = try await LoadOptions().load { () throws(BrowseError) in 1 }
        #expect(plain == Loaded(1, .fresh))
    }
}
