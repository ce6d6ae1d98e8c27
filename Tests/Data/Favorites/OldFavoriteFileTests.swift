import BrowseDomain
import Foundation
import TestSupport
import Testing

@testable import BrowseData

@Suite(.timeLimit(.minutes(5)))
struct `A favorites file of an older version` {
    private let folder = TemporaryFolder()
    private var file: StorageFile { StorageFile(folder: folder.url, name: "favorites.sqlite") }

    private func repository() -> SQLiteFavoriteRepository { SQLiteFavoriteRepository(folder: folder.url, pageSize: 3) }

    /// The favorites without their payloads, which differ if the old file has more fields.
    private func entities(_ favorites: [Favorite]) -> [AnyHashable?] {
        favorites.map { favorite in
            switch favorite.kind {
            case .user: favorite.value(as: GitHub.User.self)
            case .repo: favorite.value(as: GitHub.Repo.self)
            case .character: favorite.value(as: RickAndMorty.Character.self)
            default: favorite.value(as: AppStore.App.self)
            }
        }
    }

    @Test(arguments: [1, 2]) func `is upgraded with all entities`(version: Int) async throws {
        try OldFavorites.write(to: file, version: version)
        let favorites = try await repository().all()
        #expect(entities(favorites) == entities(OldFavorites.favorites))
        #expect(favorites.map(\.id) == OldFavorites.favorites.map(\.id))
        #expect(favorites.map(\.title) == OldFavorites.favorites.map(\.title))
        #expect(favorites.map(\.image) == OldFavorites.favorites.map(\.image))
        // After the replacement, only the file and its lock remain.
        let names = folder.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        #expect(names == ["favorites.sqlite", "favorites.sqlite-lock"])
        let byKind = try await repository().all(FavoriteQuery(kinds: [.app, .user], filter: "배", order: .kind))
        #expect(byKind.map(\.title) == ["배달 앱"])
    }

    @Test func `doesn't reuse the position of a removed favorite after the upgrade`() async throws {
        try OldFavorites.write(to: file, version: 2)
        _ = try await repository().add(.user(1000))
        let position = try Database(file.url).first("SELECT max(position) FROM favorite") { $0.integer(0) }
        #expect(position == 100)
    }

    @Test func `preserves rows that it can't read`() async throws {
        let letter = "Dear Ada, this is no JSON"
        try OldFavorites.write(
            to: file,
            version: 2,
            more: [
                "(20, 'planet', 7, 'Mars', 'https://example.com/m.png', NULL, X'00FF7B', 0, 'M', 'mars')",
                "(21, 'repo', 8, 'x/y', NULL, NULL, CAST('\(letter)' AS BLOB), 0, 'X', 'x/y')",
                "(22, 'planet', 8, 'Moon', NULL, NULL, NULL, 0, 'M', 'moon')",
                #"(23, 'app', 9, 'Odd', NULL, NULL, CAST('{"price":{"amount":"NaN"}}' AS BLOB), 0, 'O', 'odd')"#,
            ]
        )
        let favorites = try await repository().all().suffix(4)
        #expect(favorites.map(\.title) == ["Mars", "x/y", "Moon", "Odd"])
        #expect(favorites.map(\.image?.rawValue) == ["https://example.com/m.png", nil, nil, nil])
        #expect(
            favorites.prefix(3).map(\.payload) == [
                Favorite.Payload(version: 0, data: Data([0, 255, 0x7B])),
                Favorite.Payload(version: 0, data: Data(letter.utf8)), Favorite.Payload(version: 0, data: Data()),
            ]
        )
        #expect(
            favorites.allSatisfy { $0.value(as: GitHub.Repo.self) == nil && $0.value(as: AppStore.App.self) == nil }
        )
        // These rows can be removed.
        for favorite in favorites { #expect(try await repository().remove(favorite.id)) }
        #expect(try await repository().ids() == Set(OldFavorites.favorites.map(\.id)))
    }

    @Test func `is replaced once for concurrent users`() async throws {
        try OldFavorites.write(to: file, version: 1)
        let found = try await withThrowingTaskGroup(of: [Favorite].self) { group in
            for number in 0..<8 {
                group.addTask { [folder] in
                    let favorites = SQLiteFavoriteRepository(folder: folder.url)
                    _ = try await favorites.add(.user(1000 + Int64(number)))
                    return try await favorites.all()
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let all = try await repository().all()
        #expect(all.count == OldFavorites.favorites.count + 8)
        #expect(found.allSatisfy { entities(Array($0.prefix(8))) == entities(OldFavorites.favorites) })
    }

    @Test func `waits for a process that is writing to it, and loses nothing`() async throws {
        try OldFavorites.write(to: file, version: 2)
        let writer = try Database(file.url)
        try writer.run("BEGIN IMMEDIATE")
        try writer.run(
            "INSERT INTO favorite VALUES (50, 'user', 50, 'late', NULL, NULL, NULL, 0, 'L', 'late')"
        )
        let executor = FIFOExecutor()
        let favorites = try await withTaskExecutorPreference(executor) { [folder] in
            async let all = SQLiteFavoriteRepository(folder: folder.url).all()
            await executor.waitUntilIdle()
            try writer.run("COMMIT")
            return try await all
        }
        #expect(favorites.count == OldFavorites.favorites.count + 1)
        #expect(favorites.last?.value(as: GitHub.User.self)?.login.rawValue == "late")
    }

    @Test func `is replaced after an interrupted upgrade`() async throws {
        try OldFavorites.write(to: file, version: 2)
        try Data("half of a file".utf8).write(to: folder.file("favorites-new.sqlite"))
        #expect(entities(try await repository().all()) == entities(OldFavorites.favorites))
    }

    /// A damaged old file is recovered like a current one.
    @Test(arguments: [true, false]) func `is recovered if it's damaged`(isFirstPage: Bool) async throws {
        let more = (100..<2000).map { "(\($0), 'user', \($0), 'user-\($0)', NULL, NULL, NULL, 0, 'U', 'user-\($0)')" }
        try OldFavorites.write(to: file, version: 2, more: more)
        try Database(file.url).run("PRAGMA wal_checkpoint(TRUNCATE)")
        var bytes = try Data(contentsOf: file.url)
        let damaged = isFirstPage ? 0..<4096 : (bytes.count / 8192 * 4096)..<(bytes.count / 8192 * 4096 + 4096)
        bytes.replaceSubrange(damaged, with: Data(repeating: 0xAA, count: 4096))
        try bytes.write(to: file.url)
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        let found = try await favorites.all()
        #expect(found.count > 1700, "\(found.count)")
        #expect(entities(Array(found.prefix(8))) == entities(OldFavorites.favorites))
        #expect(found.dropFirst(8).allSatisfy { $0.value(as: GitHub.User.self)?.login.rawValue == $0.title })
    }
}
