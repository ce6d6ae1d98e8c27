import BrowseAppStoreDomain
import BrowseDomain
import BrowseMocks
import BrowseRickAndMortyDomain
import TestLimits
import Testing

import BrowseAppStorePresentation
import BrowsePresentation
import BrowseRickAndMortyPresentation

/// Every screen with one entity shows a mark: that of the entity, or those of the rows beside it.
@MainActor @Suite(.bounded)
struct `Favorite marks on detail screens` {
    private nonisolated static let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "x"))

    @Test(arguments: Screen.Kind.allCases)
    func `are shown the first time and again`(kind: Screen.Kind) async {
        let screen = Screen(kind, InMemoryFavoriteRepository([kind.favorite]))
        #expect(!screen.isFavorite())
        for _ in 1...2 {
            await screen.show()
            #expect(screen.isFavorite())
        }
    }

    @Test(arguments: Screen.Kind.allCases)
    func `update when other screens change favorites`(kind: Screen.Kind) async throws {
        let favorites = InMemoryFavoriteRepository()
        let screen = Screen(kind, favorites)
        await screen.show()
        #expect(!screen.isFavorite())
        _ = try await favorites.add(kind.favorite)
        try await waitUntil { screen.isFavorite() }
        _ = try await favorites.remove(kind.favorite.id)
        try await waitUntil { !screen.isFavorite() }
    }

    @Test(arguments: Screen.Kind.allCases)
    func `change at once, and are stored`(kind: Screen.Kind) async throws {
        let held = ControlledResponses<Favorite, Bool>()
        let store = InMemoryFavoriteRepository()
        var favorites = store
        favorites.onCall = { call throws(BrowseError) in
            if case .add(let favorite) = call { _ = try await held.response(to: favorite) }
            return nil
        }
        let screen = Screen(kind, favorites)
        await screen.show()
        let tap = Task { await screen.toggle() }
        await held.waitForRequests(1)
        #expect(screen.isFavorite())
        #expect(held.requests == [kind.favorite])
        held.answer(0, with: .success(true))
        await tap.value
        #expect(screen.isFavorite())
        #expect(screen.notice() == nil)
        #expect(try await store.ids() == [kind.favorite.id])
        await screen.toggle()
        #expect(!screen.isFavorite())
        #expect(try await store.ids().isEmpty)
    }

    @Test(arguments: Screen.Kind.allCases)
    func `change back with a notice if they can't be stored`(kind: Screen.Kind) async throws {
        let store = InMemoryFavoriteRepository()
        var favorites = store
        favorites.onCall = { call throws(BrowseError) in
            if case .add = call { throw Self.full }
            return nil
        }
        let screen = Screen(kind, favorites)
        await screen.show()
        await screen.toggle()
        #expect(!screen.isFavorite())
        #expect(screen.notice()?.text == Texts.english.message(for: Self.full).text)
        // A button would load the screen, not repeat the change.
        #expect(screen.notice()?.action == nil && screen.notice()?.actionTitle == nil)
        #expect(try await store.ids().isEmpty)
        await screen.show()
        #expect(screen.notice() == nil)
    }

    @Test(arguments: Screen.Kind.allCases)
    func `don't delay or fail the details`(kind: Screen.Kind) async throws {
        let held = ControlledResponses<Int, Page<Favorite>>()
        let favorites = InMemoryFavoriteRepository { call throws(BrowseError) in
            call == .ids ? try await held.response(to: 0) : nil
        }
        let screen = Screen(kind, favorites)
        let show = Task { await screen.show() }
        await held.waitForRequests(1)
        try await waitUntil { screen.isLoaded() }
        held.answer(0, with: .failure(Self.full))
        await show.value
        #expect(screen.isLoaded())
        #expect(screen.notice() == nil)
        #expect(!screen.isFavorite())
        // The next load asks again, and they show although they come last.
        let again = Task { await screen.show() }
        await held.waitForRequests(2)
        try await waitUntil { screen.isLoaded() }
        #expect(!screen.isFavorite())
        held.answer(1, with: .success(Page(items: [kind.favorite])))
        await again.value
        #expect(screen.isFavorite())
    }

    @Test(arguments: Screen.Kind.allCases)
    func `do nothing until the details are loaded`(kind: Screen.Kind) async throws {
        let favorites = InMemoryFavoriteRepository([kind.favorite])
        let screen = Screen(kind, favorites)
        await screen.toggle()
        #expect(try await favorites.ids() == [kind.favorite.id])
    }

    @Test(arguments: Screen.Kind.allCases)
    func `are followed only while the view model exists`(kind: Screen.Kind) async {
        let (changes, feed) = AsyncStream.makeStream(of: FavoriteChange.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        feed.onTermination = { _ in end.finish() }
        var favorites = InMemoryFavoriteRepository([kind.favorite])
        favorites.onChanges = { changes }
        var screen: Screen? = Screen(kind, favorites)
        await screen?.show()
        screen = nil
        for await _ in ends {}
    }

    @Test func `belong to each row`() async throws {
        let favorites = InMemoryFavoriteRepository([.character(.sample(2))])
        let screen = EpisodeDetailViewModel(
            InMemoryEpisodeRepository([.sample(1, characters: [1, 2, 3])]),
            InMemoryCharacterRepository([.sample(1), .sample(2), .sample(3)]),
            favorites: favorites
        )
        await screen.show(.init(rawValue: 1))
        #expect(screen.state.related.rows.map(\.isFavorite) == [false, true, false])
        await screen.related.toggleFavorite(at: 2)
        await screen.related.toggleFavorite(at: 3)
        #expect(screen.state.related.rows.map(\.isFavorite) == [false, true, true])
        #expect(try await favorites.ids() == Set(["2", "3"].map { Favorite.ID(kind: .character, key: $0) }))
    }

    @Test func `aren't those of the previous entity while another loads`() async {
        let characters = ControlledResponses<InMemoryCharacterRepository.Call, Page<RickAndMorty.Character>>()
        let screen = CharacterDetailViewModel(
            InMemoryCharacterRepository(onCall: characters.response),
            InMemoryEpisodeRepository([]),
            favorites: InMemoryFavoriteRepository([.character(.sample(1))])
        )
        characters.answer(0, with: .success(Page(characters: [1])))
        await screen.show(.init(rawValue: 1))
        #expect(screen.state.isFavorite)
        let next = Task { await screen.show(.init(rawValue: 2)) }
        await characters.waitForRequests(2)
        #expect(!screen.state.isFavorite)
        characters.answer(1, with: .success(Page(characters: [2])))
        await next.value
        #expect(!screen.state.isFavorite)
    }

    @Test func `are shown for an app that is loaded already`() async {
        let screen = AppDetailViewModel(
            repository: InMemoryAppRepository(),
            options: .english.with(InMemoryFavoriteRepository([.app(.tea)]))
        )
        screen.show(AppStore.App.tea)
        screen.toggleDescription()
        await screen.until { $0.isFavorite }
        #expect(screen.state.descriptionActionTitle == "less")
        screen.show(AppStore.App.bare)
        #expect(!screen.state.isFavorite)
    }
}

extension `Favorite marks on detail screens` {
    /// A screen with one entity, as far as its mark goes.
    @MainActor
    struct Screen {
        enum Kind: CaseIterable {
            case character, episode, location, app

            /// The owner of the mark: the entity, or its only related row.
            var favorite: Favorite {
                switch self {
                case .character, .episode, .location: .character(.sample(1))
                case .app: .app(.americanTea)
                }
            }
        }

        let show: () async -> Void
        let toggle: () async -> Void
        let isLoaded: () -> Bool
        let isFavorite: () -> Bool
        let notice: () -> Message?

        init(_ kind: Kind, _ favorites: any FavoriteRepository) {
            let characters = InMemoryCharacterRepository([.sample(1)])
            switch kind {
            case .character:
                let model = CharacterDetailViewModel(characters, InMemoryEpisodeRepository([]), favorites: favorites)
                show = { await model.show(.init(rawValue: 1)) }
                toggle = { await model.toggleFavorite() }
                isLoaded = { if case .loaded = model.state.content.status { true } else { false } }
                isFavorite = { model.state.isFavorite }
                notice = { model.state.notice }
            case .episode:
                let episodes = InMemoryEpisodeRepository([.sample(1, characters: [1])])
                let model = EpisodeDetailViewModel(episodes, characters, favorites: favorites)
                show = { await model.show(.init(rawValue: 1)) }
                toggle = { await model.related.toggleFavorite(at: 0) }
                isLoaded = { model.state.related.status == .ready }
                isFavorite = { model.state.related.rows.first?.isFavorite ?? false }
                notice = { model.state.notice }
            case .location:
                let locations = InMemoryLocationRepository([.sample(1, residents: [1])])
                let model = LocationDetailViewModel(locations, characters, favorites: favorites)
                show = { await model.show(.init(rawValue: 1)) }
                toggle = { await model.related.toggleFavorite(at: 0) }
                isLoaded = { model.state.related.status == .ready }
                isFavorite = { model.state.related.rows.first?.isFavorite ?? false }
                notice = { model.state.notice }
            case .app:
                let model = AppDetailViewModel(
                    repository: InMemoryAppRepository(apps: [.americanTea]),
                    options: .english.with(favorites)
                )
                show = { await model.show(AppStore.AppReference.tea) }
                toggle = { await model.toggleFavorite() }
                isLoaded = { model.state.content.details != nil }
                isFavorite = { model.state.isFavorite }
                notice = { model.state.notice }
            }
        }
    }
}
