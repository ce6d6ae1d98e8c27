import BrowseKit
import BrowseMocks
import Foundation
import RedisStores
import TestServers
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `Favorites in Redis` {
    private static let names = ["Mona", "mona", "가나", "깨비", "0x", "", "a\u{0}b", "a", "ab", "É", "e\u{301}", "zz\u{0}"]

    private static func favorite(_ number: Int, _ title: String? = nil) -> Favorite {
        let kinds: [Favorite.Kind] = [.user, .repo, Favorite.Kind(rawValue: "a\u{0}:b")]
        return Favorite(
            id: Favorite.ID(kind: kinds[number % kinds.count], key: "\(number / 2)"),
            title: title ?? names[number % names.count],
            image: number.isMultiple(of: 2) ? WebAddress(rawValue: "https://a.example/\(number)") : nil,
            payload: Favorite.Payload(version: 1, data: Data("{\"number\":\(number)}".utf8))
        )
    }

    private static func rows(_ favorites: any FavoriteRepository, _ query: FavoriteQuery) async throws -> [Favorite] {
        var rows: [Favorite] = []
        var cursor: PageCursor?
        repeat {
            let page = try await favorites.page(of: query, at: cursor)
            rows += page.items
            cursor = page.next
        } while cursor != nil
        return rows
    }

    /// huggingface/swift-transformers#51
    @Test(arguments: [FavoriteQuery.Order.added, .name])
    func `continue behind a title that begins with a combining mark`(order: FavoriteQuery.Order) async throws {
        let server = try await RedisServer()
        let favorites = RedisFavoriteRepository(server.client(), visitor: "a", pageSize: 1)
        for (number, mark) in ["\u{301}", "\u{FE0F}", "\u{200D}"].enumerated() {
            _ = try await favorites.add(Self.favorite(number, "\(mark)\(number)"))
        }
        #expect(try await Self.rows(favorites, FavoriteQuery(order: order)).count == 3)
    }

    @Test(arguments: 0..<12) func `equal a model after random changes by two processes`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let server = try await RedisServer()
        let repositories = (0..<2).map { _ in
            RedisFavoriteRepository(server.client(), visitor: "a", pageSize: 3)
        }
        let model = InMemoryFavoriteRepository(pageSize: 3)
        let queries = [FavoriteQuery.Order.added, .name].flatMap { order in
            [
                FavoriteQuery(order: order), FavoriteQuery(filter: "a", order: order),
                FavoriteQuery(kinds: [.user], order: order),
            ]
        }
        for step in 0..<80 {
            guard let repository = repositories.randomElement(using: &random) else { return }
            let favorite = Self.favorite(Int.random(in: 0..<24, using: &random))
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let (isNew, expected) = (try await repository.add(favorite), try await model.add(favorite))
                #expect(isNew == expected, "step \(step)")
            case 5:
                let renamed = Self.favorite(Int.random(in: 0..<24, using: &random), "renamed \(step % 3)")
                try await repository.update([renamed])
                try await model.update([renamed])
            case 6..<8:
                let (existed, expected) = (
                    try await repository.remove(favorite.id), try await model.remove(favorite.id)
                )
                #expect(existed == expected, "step \(step)")
            default:
                guard let query = queries.randomElement(using: &random) else { return }
                #expect(try await Self.rows(repository, query) == Self.rows(model, query), "step \(step), \(query)")
                #expect(try await repository.ids() == model.ids(), "step \(step)")
            }
        }
        for query in queries {
            #expect(try await Self.rows(repositories[0], query) == Self.rows(model, query), "\(query)")
        }
    }

    @Test(arguments: 0..<4)
    func `and their changes survive restarts of the server and lost connections`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let server = try await RedisServer()
        let repositories = (0..<2).map { _ in RedisFavoriteRepository(server.client(), visitor: "a") }
        let followers = repositories.map(FavoriteFollower.init)
        for repository in repositories { _ = try await repository.ids() }
        var expected: Set<Favorite.ID> = []
        for step in 0..<60 {
            let fault = Int.random(in: 0..<12, using: &random)
            // The server is away during some of the changes.
            let restart: Task<Void, any Error>?
            switch fault {
            case 0:
                server.stop()
                restart = Task { try await server.start() }
            case 1:
                try await server.run("client", "kill", "type", "pubsub")
                restart = nil
            case 2:
                try await server.run("client", "kill", "type", "normal")
                restart = nil
            default: restart = nil
            }
            guard let repository = repositories.randomElement(using: &random) else { return }
            let favorite = Self.favorite(Int.random(in: 0..<24, using: &random))
            if Bool.random(using: &random) {
                _ = try await untilAvailable { try await repository.add(favorite) }
                expected.insert(favorite.id)
            } else {
                _ = try await untilAvailable { try await repository.remove(favorite.id) }
                expected.remove(favorite.id)
            }
            try await restart?.value
            #expect(
                try await untilAvailable { try await repositories[step % 2].ids() }
                    == expected,
                "step \(step)"
            )
        }
        // Everything that was missed is reported in the end.
        for follower in followers { await follower.ids.wait { [expected] in $0 == expected } }
    }

    @Test func `are added once by processes that add them at the same time`() async throws {
        let server = try await RedisServer()
        let repositories = (0..<3).map { _ in RedisFavoriteRepository(server.client(), visitor: "a") }
        let newCount = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                for repository in repositories {
                    group.addTask { try await repository.add(Self.favorite(number * 2)) }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        let ids = Set((0..<20).map { Self.favorite($0 * 2).id })
        #expect(newCount == ids.count)
        #expect(try await repositories[0].ids() == ids)
    }

    @Test func `belong to one visitor`() async throws {
        let server = try await RedisServer()
        let client = server.client()
        let (first, second) = (
            RedisFavoriteRepository(client, visitor: "a"), RedisFavoriteRepository(client, visitor: "b")
        )
        _ = try await first.add(Self.favorite(1))
        #expect(try await second.ids().isEmpty)
        var changes = second.changes.makeAsyncIterator()
        _ = try await first.add(Self.favorite(3))
        _ = try await second.add(Self.favorite(5))
        let change = await changes.next()
        #expect(change == .added(Self.favorite(5)))
    }

    @Test func `fail with a clear error while the server doesn't respond, and nothing is lost`() async throws {
        let server = try await RedisServer()
        let repository = RedisFavoriteRepository(server.client(timeout: .milliseconds(200)), visitor: "a")
        let patient = RedisFavoriteRepository(server.client(), visitor: "a")
        _ = try await patient.add(Self.favorite(1))
        // The server accepts connections and doesn't respond.
        try await server.run("client", "pause", "100000", "all")
        await #expect(throws: unavailable) { try await repository.add(Self.favorite(2)) }
        await #expect(throws: unavailable) { try await repository.page(of: FavoriteQuery(), at: nil) }
        server.stop()
        await #expect(throws: unavailable) { try await repository.remove(Self.favorite(1).id) }
        try await server.start()
        let ids = try await untilAvailable { try await repository.ids() }
        #expect(ids.contains(Self.favorite(1).id))
    }
}

/// The identities of favorites, as the changes of a repository report them.
private final class FavoriteFollower: Sendable {
    let ids = Monitor<Set<Favorite.ID>>([])
    private let task: Task<Void, Never>

    init(_ favorites: RedisFavoriteRepository) {
        task = Task { [ids, changes = favorites.changes] in
            for await change in changes {
                ids.withLock { ids in
                    switch change {
                    case .added(let favorite): ids.insert(favorite.id)
                    case .removed(let id, _): ids.remove(id)
                    case .replaced(let all): ids = all
                    case .updated, .recovered: break
                    }
                }
            }
        }
    }

    deinit { task.cancel() }
}
