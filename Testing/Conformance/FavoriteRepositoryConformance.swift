public import BrowseDomain

/// The rules of `FavoriteRepository`. Each needs a new, empty repository.
public enum FavoriteRepositoryConformance {
    /// The rules for every repository.
    public static var rules: [ConformanceRule<any FavoriteRepository>] {
        [
            ConformanceRule("Favorites are listed in the order of adding.") { favorites, require in
                for number in [3, 1, 2] {
                    let isNew = try await favorites.add(favorite(number))
                    try require(isNew, "adding favorite \(number) reported that it existed.")
                }
                let listed = try await all(favorites).map(\.id)
                try require(listed == [3, 1, 2].map { favorite($0).id }, "they are \(listed).")
            },
            ConformanceRule("Adding a favorite again changes nothing.") { favorites, require in
                _ = try await favorites.add(favorite(1))
                _ = try await favorites.add(favorite(2))
                let isNew = try await favorites.add(favorite(1))
                try require(!isNew, "it was reported as new.")
                let listed = try await all(favorites).map(\.id)
                try require(listed == [favorite(1).id, favorite(2).id], "they are \(listed).")
            },
            ConformanceRule("A removed favorite is gone; removing it again reports that it didn't exist.") {
                favorites,
                require in
                _ = try await favorites.add(favorite(1))
                let results = [
                    try await favorites.remove(favorite(1).id), try await favorites.remove(favorite(1).id),
                ]
                try require(results == [true, false], "the results are \(results).")
                let ids = try await favorites.ids()
                try require(ids.isEmpty, "\(ids) are left.")
            },
            ConformanceRule("Pages neither repeat nor skip rows when favorites are added and removed between them.") {
                favorites,
                require in
                for number in 1...250 { _ = try await favorites.add(favorite(number)) }
                var listed: [Favorite.ID] = []
                var cursor: PageCursor?
                var removed = 0
                repeat {
                    let page = try await favorites.page(of: FavoriteQuery(), at: cursor)
                    listed += page.items.map(\.id)
                    cursor = page.next
                    // Rows that were listed already.
                    if cursor != nil, removed < listed.count {
                        _ = try await favorites.remove(listed[removed])
                        removed += 1
                    }
                } while cursor != nil && listed.count <= 250
                try require(listed == (1...250).map { favorite($0).id }, "\(listed.count) rows were listed.")
            },
            ConformanceRule("Changes are reported in order.") { favorites, require in
                let changes = favorites.changes
                _ = try await favorites.add(favorite(1))
                _ = try await favorites.add(favorite(1))
                _ = try await favorites.remove(favorite(1).id)
                var received: [FavoriteChange] = []
                for await change in changes {
                    received.append(change)
                    if received.count == 2 { break }
                }
                let expected: [FavoriteChange] = [.added(favorite(1)), .removed(favorite(1).id)]
                try require(received == expected, "they are \(received).")
            },
            ConformanceRule("Parallel additions are all stored.") { favorites, require in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...50 { group.addTask { _ = try await favorites.add(favorite(number)) } }
                    try await group.waitForAll()
                }
                let count = try await favorites.ids().count
                try require(count == 50, "\(count) of 50 are stored.")
            },
        ]
    }

    private static func favorite(_ number: Int) -> Favorite {
        .user(GitHub.User(id: GitHub.User.ID(rawValue: Int64(number)), login: GitHub.Login("user-\(number)")))
    }

    private static func all(_ favorites: any FavoriteRepository) async throws -> [Favorite] {
        var all: [Favorite] = []
        var cursor: PageCursor?
        repeat {
            let page = try await favorites.page(of: FavoriteQuery(), at: cursor)
            all += page.items
            cursor = page.next
        } while cursor != nil
        return all
    }
}
