import BrowseDomain
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `The list of Rick and Morty episodes` {
    private let held = ControlledResponses<InMemoryEpisodeRepository.Call, Page<RickAndMorty.Episode>>()
    private let clock = TestClock()

    private func model(_ repository: (any RickAndMorty.EpisodeRepository)? = nil) -> EpisodeListViewModel {
        EpisodeListViewModel(
            repository: repository ?? InMemoryEpisodeRepository(onCall: held.response),
            options: .english(prefetchDistance: 0, clock: clock)
        )
    }

    @Test func `are listed with code, name, and air date, and return their routes`() async {
        let episodes = [RickAndMorty.Episode.sample(2), .sample(1), .init(id: .init(rawValue: 3), name: "bare")]
        let model = model(InMemoryEpisodeRepository(episodes))
        await model.show()
        #expect(model.state.title == "Episodes")
        #expect(model.state.content.rows.map(\.code) == ["S01E02", "S01E01", "None"])
        #expect(model.state.content.rows.map(\.name) == ["episode-2", "episode-1", "bare"])
        #expect(model.state.content.rows.map(\.airDate) == ["Dec 2, 2013", "Dec 1, 2013", "None"])
        #expect(model.select(at: 0) == .rickAndMorty(.episode(.init(rawValue: 2))))
        #expect(model.select(at: 3) == nil)
    }

    @Test func `are filtered by name and code after a pause`() async {
        let model = model()
        model.query.name = "pilot"
        model.query.code = "s01"
        await clock.waitForSleepers(1)
        #expect(held.requests.isEmpty)
        await clock.advance(by: .milliseconds(300))
        await held.waitForRequests(1)
        let filter = RickAndMorty.EpisodeFilter { ($0.name, $0.code) = ("pilot", "s01") }
        #expect(held.requests == [.page(of: filter, at: nil)])
    }
}

@MainActor @Suite(.bounded)
struct `The list of Rick and Morty locations` {
    private let clock = TestClock()

    @Test func `are listed with name, type, and dimension, and return their routes`() async {
        let bare = RickAndMorty.Location(id: .init(rawValue: 3), name: "bare") {
            $0.dimension = "unknown"
        }
        let model = LocationListViewModel(
            repository: InMemoryLocationRepository([.sample(2), bare]),
            options: ScreenOptions(texts: .english) { $0.clock = clock }
        )
        await model.show()
        #expect(model.state.title == "Locations")
        #expect(model.state.content.rows.map(\.name) == ["location-2", "bare"])
        #expect(model.state.content.rows.map(\.type) == ["Planet", "None"])
        #expect(model.state.content.rows.map(\.dimension) == ["C-2", "Unknown"])
        #expect(model.select(at: 1) == .rickAndMorty(.location(.init(rawValue: 3))))
        #expect(model.select(at: 2) == nil)
    }

    @Test func `are filtered by name, type, and dimension after a pause`() async {
        let held = ControlledResponses<InMemoryLocationRepository.Call, Page<RickAndMorty.Location>>()
        let model = LocationListViewModel(
            repository: InMemoryLocationRepository(onCall: held.response),
            options: .english(prefetchDistance: 0, clock: clock)
        )
        model.query.name = "earth"
        model.query.type = "planet"
        model.query.dimension = "c-137"
        await clock.waitForSleepers(1)
        #expect(held.requests.isEmpty)
        await clock.advance(by: .milliseconds(300))
        await held.waitForRequests(1)
        let filter = RickAndMorty.LocationFilter { filter in
            (filter.name, filter.type, filter.dimension) = ("earth", "planet", "c-137")
        }
        #expect(held.requests == [.page(of: filter, at: nil)])
    }
}
