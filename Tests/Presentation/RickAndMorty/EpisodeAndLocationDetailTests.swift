import BrowseDomain
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `The details of a Rick and Morty episode or location` {
    private let characters = InMemoryCharacterRepository([.sample(1), .sample(2), .sample(3)])

    @Test func `shows an episode with its characters in order`() async throws {
        let episode = RickAndMorty.Episode(id: .init(rawValue: 1), name: "Made Up") {
            $0.code = "S01E01"
            $0.airDate = "December 31, 2013"
            $0.characters = [3, 1].map(RickAndMorty.Character.ID.init(rawValue:))
            $0.created = Date(timeIntervalSince1970: 1_510_318_593)
        }
        let bare = RickAndMorty.Episode(id: .init(rawValue: 2), name: "Bare")
        let model = EpisodeDetailViewModel(InMemoryEpisodeRepository([episode, bare]), characters)
        await model.show(episode.id)
        let details = try #require(model.state.content.details)
        #expect(details.episode == episode)
        #expect([details.name, details.code, details.airDate] == ["Made Up", "S01E01", "Dec 31, 2013"])
        #expect([details.created, details.facts.first { $0.id == "related" }?.value] == ["Nov 10, 2017", "2"])
        #expect(model.state.related.rows.map(\.name) == ["character-3", "character-1"])
        #expect(model.related.select(at: 0) == .rickAndMorty(.character(.init(rawValue: 3))))
        #expect(model.related.select(at: 2) == nil)
        await model.show(bare.id)
        let nothing = try #require(model.state.content.details)
        #expect([nothing.code, nothing.airDate, nothing.created] == ["None", "None", "None"])
        await model.show(.init(rawValue: 99))
        await model.retry()
        #expect(model.state.content.status.message?.kind == .notFound)
    }

    /// YannNeves/rick-and-morty-challenge#17
    @Test func `counts a resident that is listed twice once`() async throws {
        let location = RickAndMorty.Location.sample(1, residents: [2, 1, 2, 1])
        let model = LocationDetailViewModel(InMemoryLocationRepository([location]), characters)
        await model.show(location.id)
        #expect(model.state.content.details?["related"]?.value == "2")
        #expect(model.state.related.rows.map(\.name) == ["character-2", "character-1"])
    }

    @Test func `shows a location with its residents in order`() async throws {
        let location = RickAndMorty.Location(id: .init(rawValue: 1), name: "Made Up") {
            $0.type = "Planet"
            $0.dimension = "unknown"
            $0.residents = [2, 9, 1].map(RickAndMorty.Character.ID.init(rawValue:))
            $0.created = Date(timeIntervalSince1970: 1_510_318_593)
        }
        let bare = RickAndMorty.Location(id: .init(rawValue: 2), name: "Bare")
        let model = LocationDetailViewModel(InMemoryLocationRepository([location, bare]), characters)
        await model.show(location.id)
        let details = try #require(model.state.content.details)
        #expect(details.location == location)
        #expect([details.name, details.type, details.dimension] == ["Made Up", "Planet", "Unknown"])
        #expect([details.created, details.facts.first { $0.id == "related" }?.value] == ["Nov 10, 2017", "3"])
        // One that does not exist is left out.
        #expect(model.state.related.rows.map(\.name) == ["character-2", "character-1"])
        #expect(model.related.select(at: 1) == .rickAndMorty(.character(.init(rawValue: 1))))
        #expect(model.related.select(at: 2) == nil)
        await model.show(bare.id)
        let nothing = try #require(model.state.content.details)
        #expect([nothing.type, nothing.dimension, nothing.created] == ["None", "None", "None"])
        #expect(model.state.related.status.emptyMessage?.text == "No residents are known.")
        await model.show(.init(rawValue: 99))
        await model.retry()
        #expect(model.state.content.status.message?.kind == .notFound)
        // One whose residents are counted, but don't exist, isn't said to have none.
        let lonely = LocationDetailViewModel(InMemoryLocationRepository([location]), InMemoryCharacterRepository())
        await lonely.show(location.id)
        #expect(lonely.state.content.details?.facts.first { $0.id == "related" }?.value == "3")
        #expect(lonely.state.related.status.emptyMessage?.title == "Incomplete Results")
    }
}
