import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct `A favorites repository` {
    /// The type is known, so the optimizer sees the calls.
    @MainActor @Test func `in memory returns to the caller's actor`() async throws {
        let favorites = InMemoryFavoriteRepository()
        _ = try await favorites.add(.user(1))
        MainActor.preconditionIsolated()
        try await favorites.update([.user(1, "renamed")])
        MainActor.preconditionIsolated()
        _ = try await favorites.page(of: FavoriteQuery(kinds: [.user]), at: nil)
        MainActor.preconditionIsolated()
        _ = try await favorites.ids()
        MainActor.preconditionIsolated()
        _ = try await favorites.remove(Favorite.user(1).id)
        MainActor.preconditionIsolated()
    }

    @Test(
        arguments: FavoriteStore.allCases,
        [
            ("cafe", "Café"), ("CAFÉ", "cafe\u{301}"), ("e\u{301}", "É"), ("i", "İstanbul"), ("İ", "iris"),
            ("istanbul", "ISTANBUL"), ("ıstanbul", "Istanbul"),
            ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
            ("\u{1112}\u{1161}\u{11AB}", "한글"), ("ёлка", "Елка"), ("σοφοσ", "ΣΟΦΌΣ"), ("strasse", "Straße"),
            ("strasse", "STRAẞE"), ("ẞ", "Strasse"),
            ("  ash\n", "Ash"), ("\u{3000}", "anything"), ("Beth’s", "Beth's"), ("ｇｏ", "Go"), ("하", "한글"),
            ("ㅎㄱ", "한글"), ("한", "하늘"), ("한ㄱ", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
        ]
    )
    func `finds names regardless of case, diacritics, and composition`(
        store: FavoriteStore,
        sample: (filter: String, name: String)
    ) async throws {
        let (favorites, folder) = store.make()
        _ = try await favorites.add(.user(1, sample.name))
        _ = try await favorites.add(.repo(2, "other/thing"))
        for order: FavoriteQuery.Order in [.added, .name] {
            let query = FavoriteQuery(kinds: [.user], filter: sample.filter, order: order)
            #expect(try await favorites.all(query).map(\.title) == [sample.name])
            #expect(query.includes(.user(1, sample.name)))
        }
        _ = folder
    }

    @Test(arguments: FavoriteStore.allCases, [("하글", "한글"), ("ㄴ", "한글"), ("か", "がく"), ("o", "0")])
    func `doesn't match part of a character`(
        store: FavoriteStore,
        sample: (filter: String, name: String)
    ) async throws {
        let (favorites, folder) = store.make()
        _ = try await favorites.add(.user(1, sample.name))
        for order: FavoriteQuery.Order in [.added, .name] {
            #expect(try await favorites.all(FavoriteQuery(filter: sample.filter, order: order)).isEmpty)
        }
        #expect(!FavoriteQuery(filter: sample.filter).includes(.user(1, sample.name)))
        _ = folder
    }

    @Test(
        arguments: FavoriteStore.allCases,
        [
            ("ash", ["Ash", "bash", "TRASH-1"]), ("ASH", ["Ash", "bash", "TRASH-1"]), ("-", ["TRASH-1", "o'-%_\\"]),
            ("%", ["o'-%_\\"]), ("_", ["o'-%_\\"]), ("é", ["CAFÉ"]), ("É", ["CAFÉ"]), ("m\u{0}", ["mona"]),
            ("nobody", []),
            ("\u{200B}\u{0}", ["Ash", "bash", "mona", "TRASH-1", "o'-%_\\", "CAFÉ"]),
        ]
    )
    func `finds part of a name regardless of case, without wildcards`(
        store: FavoriteStore,
        filter: (text: String, names: [String])
    ) async throws {
        let (favorites, folder) = store.make(pageSize: 1)
        for (number, name) in ["Ash", "bash", "mona", "TRASH-1", "o'-%_\\", "CAFÉ"].enumerated() {
            _ = try await favorites.add(.user(Int64(number), name))
        }
        #expect(try await favorites.all(FavoriteQuery(filter: filter.text)).map(\.title) == filter.names)
        _ = folder
    }

    @Test(arguments: FavoriteStore.allCases)
    func `doesn't reuse the position of a removed favorite`(store: FavoriteStore) async throws {
        let (favorites, folder) = store.make(pageSize: 2)
        for number in 1...3 { _ = try await favorites.add(.user(Int64(number))) }
        let first = try await favorites.page(of: FavoriteQuery(), at: nil)
        for number in 2...3 { _ = try await favorites.remove(.init(kind: .user, key: String(number))) }
        _ = try await favorites.add(.user(4))
        #expect(try await favorites.page(of: FavoriteQuery(), at: first.next).items == [.user(4)])
        _ = folder
    }

    @Test(arguments: FavoriteStore.allCases)
    func `ends its change stream when it's deallocated`(store: FavoriteStore) async throws {
        var (favorites, folder): ((any FavoriteRepository)?, TemporaryFolder) = store.make()
        let changes = try #require(favorites?.changes)
        favorites = nil
        for await change in changes { Issue.record("\(change)") }
        _ = folder
    }

    @Test(arguments: FavoriteStore.allCases)
    func `doesn't read for a canceled caller, but writes`(store: FavoriteStore) async throws {
        let (favorites, folder) = store.make()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let isAdded = try await favorites.add(.user(1))
            let error = await thrown { () async throws(BrowseError) in
                try await favorites.page(of: FavoriteQuery(), at: nil)
            }
            return (isAdded, error)
        }
        let (isAdded, error) = try await task.value
        #expect(isAdded)
        #expect(error == .cancelled)
        #expect(try await favorites.all() == [.user(1)])
        _ = folder
    }
}

@Suite(.bounded) struct `Favorites repositories` {
    /// Random adding, removing, and paging in every order, on both repositories and on arrays.
    @Test(arguments: 0..<40)
    func `match a model after random operations`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let size = Int.random(in: 1...7, using: &random)
        let stores = FavoriteStore.allCases.map { $0.make(pageSize: size) }
        let letters = ["a", "B", "é", "É", "하", "9", "_", "z", "Z", "ß", "ẞ", "s", "İ", "Σ", "ς", "\u{301}", "-"]
        var model: [Favorite] = []
        for _ in 0..<60 {
            let number = Int64.random(in: 0..<10, using: &random)
            let name = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? ""
            }
            let kind = Favorite.Kind.samples.randomElement(using: &random) ?? .user
            let favorite = Favorite.sample(kind, number, name.joined())
            switch Int.random(in: 0..<5, using: &random) {
            case 0..<3:
                let isNew = !model.contains { $0.id == favorite.id }
                if isNew { model.append(favorite) }
                for store in stores { #expect(try await store.favorites.add(favorite) == isNew) }
            case 3:
                let isThere = model.contains { $0.id == favorite.id }
                model.removeAll { $0.id == favorite.id }
                for store in stores { #expect(try await store.favorites.remove(favorite.id) == isThere) }
            default:
                let query = FavoriteQuery(
                    kinds: Bool.random(using: &random)
                        ? [] : [Favorite.Kind.samples.randomElement(using: &random) ?? .user],
                    filter: Bool.random(using: &random) ? "" : letters.randomElement(using: &random) ?? "",
                    order: [.added, .name].randomElement(using: &random) ?? .added
                )
                var expected = model.filter(query.includes)
                if query.order != .added { expected.sort { FavoriteSortKey($0) < FavoriteSortKey($1) } }
                for store in stores { #expect(try await store.favorites.all(query) == expected, "\(query)") }
            }
        }
        for store in stores {
            #expect(try await store.favorites.all() == model)
            #expect(try await store.favorites.ids() == Set(model.map(\.id)))
        }
    }
}
