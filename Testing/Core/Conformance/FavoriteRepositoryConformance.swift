public import BrowseDomain
import Foundation
import Synchronization

/// The rules of `FavoriteRepository`. Each needs a new, empty repository.
public enum FavoriteRepositoryConformance {
    /// The rules for every repository.
    public static var rules: [ConformanceRule<any FavoriteRepository>] { changeRules + pageRules + streamRules }

    private typealias Rule = ConformanceRule<any FavoriteRepository>

    private static var changeRules: [Rule] {
        [
            Rule("Favorites are listed in the order of adding.") { favorites, require in
                for number in [3, 1, 2] {
                    let isNew = try await favorites.add(favorite(number))
                    try require(isNew, "adding favorite \(number) reported that it existed.")
                }
                let listed = try await all(favorites).map(\.id)
                try require(listed == [3, 1, 2].map { favorite($0).id }, "they are \(listed).")
            },
            Rule("A favorite is stored unchanged, whatever its kind.") { favorites, require in
                for favorite in samples { _ = try await favorites.add(favorite) }
                for (stored, sample) in zip(try await all(favorites), samples) {
                    try require(stored.id == sample.id, "\(sample.id) is \(stored.id).")
                    try require(stored.title == sample.title, "\(sample.title) is \(stored.title).")
                    try require(stored.image == sample.image, "\(sample.title) has another image.")
                    try require(stored.payload == sample.payload, "\(sample.title) has another payload.")
                }
                let ids = try await favorites.ids()
                try require(ids == Set(samples.map(\.id)), "the identities are \(ids).")
            },
            Rule("Adding a favorite again changes nothing, even with another title.") { favorites, require in
                _ = try await favorites.add(favorite(1))
                _ = try await favorites.add(favorite(2))
                let isNew = try await favorites.add(favorite(1, "renamed"))
                try require(!isNew, "it was reported as new.")
                let listed = try await all(favorites).map(\.title)
                try require(listed == [favorite(1).title, favorite(2).title], "they are \(listed).")
            },
            Rule("An update replaces the title, image, and entity of a stored favorite, and keeps its place.") {
                favorites,
                require in
                for number in 1...3 { _ = try await favorites.add(favorite(number)) }
                let numbers = try await all(favorites).map(\.sequenceNumber)
                let new = sample(user, "2", "a new name", image: "https://example.com/new.png")
                try await favorites.update([new])
                let listed = try await all(favorites)
                try require(listed == [favorite(1), new, favorite(3)], "they are \(listed.map(\.title)).")
                try require(listed.map(\.sequenceNumber) == numbers, "their numbers are others.")
                for query in [FavoriteQuery(order: .name), FavoriteQuery(filter: "NEW", order: .name)] {
                    let first = try await favorites.page(of: query, at: nil).items.first
                    try require(first == new, "the first by name is \(first?.title ?? "none").")
                }
                let old = try await favorites.page(of: FavoriteQuery(filter: "user-2", order: .name), at: nil)
                try require(old.items.isEmpty, "the old name is found.")
            },
            Rule("An update adds nothing, and reports only favorites that changed.") { favorites, require in
                let changes = favorites.changes
                for number in 1...2 { _ = try await favorites.add(favorite(number)) }
                _ = try await favorites.remove(favorite(1).id)
                let new = favorite(2, "renamed")
                for _ in 0..<2 {
                    try await favorites.update([favorite(2), favorite(1, "gone"), favorite(4), new])
                    try await favorites.update([new, new])
                }
                _ = try await favorites.add(favorite(3))
                let listed = try await all(favorites).map(\.title)
                try require(listed == ["renamed", favorite(3).title], "they are \(listed).")
                var received: [FavoriteChange] = []
                for await change in changes {
                    if case .added(let added) = change, added.id == favorite(3).id { break }
                    if case .updated = change { received.append(change) }
                }
                let expected = [new, favorite(2), new].map(FavoriteChange.updated)
                try require(received == expected, "\(received) were reported.")
            },
            Rule("A removed favorite is gone; removing it again reports that it didn't exist.") { favorites, require in
                _ = try await favorites.add(favorite(1))
                let results = [
                    try await favorites.remove(favorite(1).id), try await favorites.remove(favorite(1).id),
                ]
                try require(results == [true, false], "the results are \(results).")
                let ids = try await favorites.ids()
                let listed = try await all(favorites)
                try require(ids.isEmpty && listed.isEmpty, "\(ids) are left.")
            },
            Rule("Parallel additions are all stored.") { favorites, require in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...50 { group.addTask { _ = try await favorites.add(favorite(number)) } }
                    try await group.waitForAll()
                }
                let count = try await favorites.ids().count
                try require(count == 50, "\(count) of 50 are stored.")
            },
            Rule("Two additions at the same time are both stored, or one if they add the same favorite.") {
                favorites,
                require in
                for round in 0..<100 {
                    let pair = [favorite(2 * round), favorite(2 * round + (round % 4 == 0 ? 0 : 1))]
                    let start = Start()
                    let new = try await withThrowingTaskGroup(of: Bool.self) { group in
                        for favorite in pair {
                            group.addTask {
                                start.arrive()
                                return try await favorites.add(favorite)
                            }
                        }
                        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                    }
                    let ids = try await favorites.ids()
                    let added = Set(pair.map(\.id))
                    try require(ids.isSuperset(of: added), "\(added.subtracting(ids).count) of two is lost.")
                    try require(new == added.count, "\(new) of \(added.count) were reported as new.")
                }
                let count = try await favorites.ids().count
                let listed = try await all(favorites).count
                try require(count == 175 && listed == 175, "\(count) and \(listed) of 175 are stored.")
            },
        ]
    }

    private static var pageRules: [Rule] {
        let queries: [(name: String, query: FavoriteQuery)] = [
            ("The order by name is that of `FavoriteSortKey`.", FavoriteQuery(order: .name)),
            ("Only favorites of the kinds of a query are listed.", FavoriteQuery(kinds: [user, app])),
            (
                "Only favorites whose title contains the filter are listed, ignoring case and diacritics.",
                FavoriteQuery(filter: " ECL ")
            ),
            (
                "Filter, kinds, and order of a query apply together.",
                FavoriteQuery(kinds: [repo, unknown], filter: "é", order: .name)
            ),
        ]
        let queryRules = queries.map { name, query in
            Rule(name) { favorites, require in
                for favorite in samples { _ = try await favorites.add(favorite) }
                let listed = try await all(favorites, query).map(\.title)
                let expected = sorted(samples.filter(query.includes), by: query.order).map(\.title)
                try require(listed == expected, "\(expected) are \(listed).")
            }
        }
        return queryRules + [
            Rule("Pages neither repeat nor skip rows when favorites are added and removed between them.") {
                favorites,
                require in
                let rows = (1...250).map { number in
                    number % 3 == 0 ? sample(unknown, "\(number)", "planet-\(number)") : favorite(number)
                }
                for order in [FavoriteQuery.Order.added, .name] {
                    for row in rows { _ = try await favorites.add(row) }
                    let expected = sorted(rows, by: order).map(\.id)
                    var listed: [Favorite.ID] = []
                    var cursor: PageCursor?
                    var removed = 0
                    repeat {
                        let page = try await favorites.page(of: FavoriteQuery(order: order), at: cursor)
                        listed += page.items.map(\.id)
                        cursor = page.next
                        // Rows that were listed already.
                        if cursor != nil, removed < listed.count {
                            _ = try await favorites.remove(listed[removed])
                            removed += 1
                        }
                    } while cursor != nil && listed.count <= 250
                    try require(listed == expected, "\(listed.count) rows were listed.")
                    for id in try await favorites.ids() { _ = try await favorites.remove(id) }
                }
            },
            Rule("A cursor of another order, or of another list, isn't accepted.") { favorites, require in
                for number in 1...250 { _ = try await favorites.add(favorite(number)) }
                var cursors = [PageCursor(rawValue: "https://conformance.invalid/elsewhere?page=2")]
                // `nil` if all rows are on the first page.
                if let next = try await favorites.page(of: FavoriteQuery(), at: nil).next { cursors.append(next) }
                for cursor in cursors {
                    let result = await outcome { () throws(BrowseError) in
                        try await favorites.page(of: FavoriteQuery(order: .name), at: cursor)
                    }
                    guard case .failure(.refused) = result else { return try require(false, describe(result)) }
                }
            },
            .cancellation("read of a page") { favorites throws(BrowseError) in
                try await favorites.page(of: FavoriteQuery(), at: nil)
            },
        ]
    }

    private static var streamRules: [Rule] {
        [
            Rule("Changes are reported in order, to all listeners.") { favorites, require in
                let streams = (0..<3).map { _ in favorites.changes }
                _ = try await favorites.add(favorite(1))
                _ = try await favorites.add(favorite(1))
                _ = try await favorites.remove(favorite(2).id)
                _ = try await favorites.remove(favorite(1).id)
                _ = try await favorites.add(favorite(3))
                for (number, changes) in streams.enumerated() {
                    let received = await first(3, of: changes)
                    guard received.count == 3, received[0] == .added(favorite(1)),
                        case .removed(let id, _) = received[1],
                        id == favorite(1).id, received[2] == .added(favorite(3))
                    else { return try require(false, "listener \(number + 1) received \(received).") }
                }
            },
            Rule("A new listener receives no earlier changes.") { favorites, require in
                for number in 1...2 { _ = try await favorites.add(favorite(number)) }
                _ = try await favorites.remove(favorite(1).id)
                let changes = favorites.changes
                _ = try await favorites.add(favorite(3))
                for await change in changes {
                    switch change {
                    case .added(let added) where added.id == favorite(3).id: return
                    case .added, .removed: return try require(false, "it received \(change).")
                    case .updated, .replaced, .recovered: continue
                    }
                }
            },
            Rule("Changes and pages have sequence numbers, which grow with each addition.") { favorites, require in
                let changes = favorites.changes
                for number in [2, 1] { _ = try await favorites.add(favorite(number)) }
                // Without the last favorite, the next one must still have a new number.
                _ = try await favorites.remove(favorite(1).id)
                for number in [1, 3] { _ = try await favorites.add(favorite(number)) }
                var numbers: [Favorite.ID: Int64] = [:]
                var last = Int64.min
                for change in await first(5, of: changes) {
                    switch change {
                    case .added(let added):
                        let number = added.sequenceNumber ?? last
                        try require(number > last, "that of \(added.id) is \(number), after \(last).")
                        (numbers[added.id], last) = (number, number)
                    case .removed(let id, let number):
                        try require(numbers[id] == number, "\(id) was removed with the number \(number).")
                    case .updated, .replaced, .recovered: try require(false, "\(change) was reported.")
                    }
                }
                for order in [FavoriteQuery.Order.added, .name] {
                    for listed in try await all(favorites, FavoriteQuery(order: order)) {
                        let number = listed.sequenceNumber
                        try require(number == numbers[listed.id], "the page has \(String(describing: number)).")
                    }
                }
            },
        ]
    }

    private static func first(_ count: Int, of changes: AsyncStream<FavoriteChange>) async -> [FavoriteChange] {
        var received: [FavoriteChange] = []
        for await change in changes {
            received.append(change)
            if received.count == count { break }
        }
        return received
    }

    private static func favorite(_ number: Int, _ login: String? = nil) -> Favorite {
        sample(user, "\(number)", login ?? "user-\(number)")
    }

    private static let app = Favorite.Kind(rawValue: "conformance.app")
    private static let character = Favorite.Kind(rawValue: "conformance.character")
    private static let repo = Favorite.Kind(rawValue: "conformance.repo")
    private static let user = Favorite.Kind(rawValue: "conformance.user")

    /// A kind that no app has.
    private static let unknown = Favorite.Kind(rawValue: "conformance.planet")

    /// Kinds with unusual names, of which two are canonically equivalent.
    private static let oddKinds = ["", "é", "e\u{301}", "a\u{0}b", "a", "a b'%_", "하늘", "👩‍👩‍👧", "\u{301}x"]
        .map(Favorite.Kind.init(rawValue:))

    /// Favorites of several kinds, whose orders differ.
    private static let samples: [Favorite] =
        [
            sample(unknown, "7", "Éclair"), sample(user, "2", "mona"), sample(repo, "3", "mona/eclair"),
            sample(app, "1", "하늘"), sample(user, "1", "Zoé"), sample(repo, "9", "ash/tools"),
            sample(character, "1", "eclipse"), sample(unknown, "007", "Ärger"), sample(app, "2", "가방"),
            sample(user, "eclair", "Ash"), sample(repo, "4", "recluse/é"), sample(repo, "7", "Ash"),
        ] + oddKinds.map { sample($0, "1", "odd") }

    private static func sample(_ kind: Favorite.Kind, _ key: String, _ title: String, image: String? = nil) -> Favorite
    {
        let image = image ?? (kind == user ? nil : "https://example.com/\(key).png")
        return Favorite(
            id: Favorite.ID(kind: kind, key: key),
            title: title,
            image: image.map(WebAddress.init(rawValue:)),
            // No text, and with a NUL.
            payload: Favorite.Payload(version: 9, data: Data([0, 255, 0x7B, 0]) + Data((image ?? key).utf8))
        )
    }

    private static func sorted(_ favorites: [Favorite], by order: FavoriteQuery.Order) -> [Favorite] {
        order == .added ? favorites : favorites.sorted { FavoriteSortKey($0) < FavoriteSortKey($1) }
    }

    private static func all(
        _ favorites: any FavoriteRepository,
        _ query: FavoriteQuery = FavoriteQuery()
    ) async throws(BrowseError) -> [Favorite] {
        try await allPages { cursor throws(BrowseError) in try await favorites.page(of: query, at: cursor) }
            .flatMap(\.items)
    }
}

/// The start of two tasks, which wait for each other.
private final class Start: Sendable {
    private let missing = Atomic(2)

    /// Waits briefly for the other task; on one core, in vain.
    func arrive() {
        missing.subtract(1, ordering: .sequentiallyConsistent)
        for _ in 0..<10_000 where missing.load(ordering: .sequentiallyConsistent) > 0 {}
    }
}
