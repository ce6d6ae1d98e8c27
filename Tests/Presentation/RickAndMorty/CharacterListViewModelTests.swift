import BrowseDomain
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `The list of Rick and Morty characters` {
    private typealias Filter = RickAndMorty.CharacterFilter

    private let held = ControlledResponses<InMemoryCharacterRepository.Call, Page<RickAndMorty.Character>>()
    private let clock = TestClock()
    private let favorites = InMemoryFavoriteRepository()

    private func model(_ repository: (any RickAndMorty.CharacterRepository)? = nil) -> CharacterListViewModel {
        CharacterListViewModel(
            repository: repository ?? InMemoryCharacterRepository(onCall: held.response),
            options: .english(prefetchDistance: 1, clock: clock).with(favorites)
        )
    }

    @Test func `show favorites, and update when other screens change them`() async throws {
        let model = model()
        held.answer(0, with: .success(Page(characters: 1...3)))
        await model.show()
        await model.toggleFavorite(at: 1)
        #expect(model.state.content.rows.map(\.isFavorite) == [false, true, false])
        let kept = FavoriteListViewModel(favorites: favorites, kinds: .samples, options: .english)
        await kept.show()
        #expect(kept.state.content.rows.map(\.favorite.kind) == [.character])
        #expect(kept.select(at: 0) == .rickAndMorty(.character(model.state.content.rows[1].id)))
        _ = try await favorites.add(model.state.content.rows[2].favorite)
        await model.until { $0.content.rows[2].isFavorite }
        await kept.remove(at: 0)
        await model.until { !$0.content.rows[1].isFavorite }
    }

    // MARK: - Pages

    @Test func `have a text for every field of a row`() async {
        let known = RickAndMorty.Character(id: .init(rawValue: 1), name: "a") {
            $0.status = .dead
            $0.species = "Alien"
        }
        let odd = RickAndMorty.Character(id: .init(rawValue: 2), name: "b") { $0.status = .init(rawValue: "Frozen") }
        let unknown = RickAndMorty.Character(id: .init(rawValue: 3), name: "c") {
            $0.status = .unknown
            $0.species = "unknown"
        }
        let bare = RickAndMorty.Character(id: .init(rawValue: 4), name: "d")
        let model = model(InMemoryCharacterRepository([known, odd, unknown, bare]))
        await model.show()
        #expect(model.state.content.rows.map(\.status) == ["Dead", "Frozen", "Unknown", "None"])
        #expect(model.state.content.rows.map(\.species) == ["Alien", "None", "Unknown", "None"])
    }

    // MARK: - Filters

    @Test func `are filtered by all texts and choices together`() async {
        let model = model()
        model.query.name = "rick "
        model.query.species = "human"
        model.query.type = "clone"
        #expect(held.requests.isEmpty)
        // A choice also submits the text that was typed before it.
        model.query.gender = .male
        await held.waitForRequests(1)
        let wanted = Filter { filter in
            (filter.name, filter.species, filter.type, filter.gender) = ("rick", "human", "clone", .male)
        }
        #expect(held.requests == [.page(of: wanted, at: nil)])
        held.answer(0, with: .success(Page(characters: 1...1)))
        await model.until { $0.content.status == .ready }
        await clock.advance(by: .seconds(1))
        #expect(held.requests.count == 1)
    }

    @Test func `keep an unknown status in the filter when its form is submitted`() {
        let model = model()
        model.query.status = RickAndMorty.Character.Status(rawValue: "Frozen")
        let query = model.query
        #expect(model.state.fields.map { $0.value(in: query) } == ["", "other", "", "", ""])
        #expect(model.state.fields.reduce(query) { $1.setting($1.value(in: query), in: $0) } == query)
    }

    @Test func `are all shown again without a filter`() async {
        let model = model()
        held.answer(0, with: .success(Page(characters: 9...9)))
        await model.show(Filter { ($0.name, $0.status) = ("x", .alive) })
        #expect(model.query == Filter { ($0.name, $0.status) = ("x", .alive) })
        held.answer(1, with: .success(Page(characters: 1...2)))
        await model.clearFilter()
        #expect(model.query == Filter())
        #expect(held.requests.last == .page(of: Filter(), at: nil))
        model.query.name = "x"
        model.query.name = ""
        held.answer(2, with: .success(Page(characters: 1...3)))
        await model.submit()
        #expect(model.state.content.rows.count == 3)
    }

    @Test func `explain an empty list with or without a filter`() async throws {
        let model = model(InMemoryCharacterRepository([.sample(1)]))
        await model.show(Filter { $0.name = "nobody" })
        let filtered = try #require(model.state.content.status.emptyMessage)
        #expect(filtered.text == "Nothing matches the filter.")
        #expect(filtered.action == .clearFilter)
        let nobody = self.model(InMemoryCharacterRepository([]))
        await nobody.show()
        let message = try #require(nobody.state.content.status.emptyMessage)
        #expect(message.text == "There’s nothing to show yet.")
        #expect(message.action == nil)
    }
}
