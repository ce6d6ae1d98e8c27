import BrowseDomain
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `The details of a Rick and Morty character` {
    private static let full = RickAndMorty.Character(id: .init(rawValue: 1), name: "Made Up") {
        $0.status = .alive
        $0.species = "Human"
        $0.gender = .female
        $0.origin = .init(name: "Earth (X)", id: .init(rawValue: 7))
        $0.location = .init(name: "unknown")
        $0.image = WebAddress(rawValue: "https://example.com/1.jpeg")
        $0.episodes = [3, 1, 2].map(RickAndMorty.Episode.ID.init(rawValue:))
        $0.created = Date(timeIntervalSince1970: 1_509_821_326.25)
    }

    private let characters = ControlledResponses<InMemoryCharacterRepository.Call, Page<RickAndMorty.Character>>()
    private let episodes = ControlledResponses<InMemoryEpisodeRepository.Call, Page<RickAndMorty.Episode>>()
    private let stored = InMemoryEpisodeRepository([.sample(1), .sample(2), .sample(3)])

    private func model(_ characters: [RickAndMorty.Character], texts: Texts = .english) -> CharacterDetailViewModel {
        CharacterDetailViewModel(InMemoryCharacterRepository(characters), stored, texts: texts)
    }

    /// A model whose requests the test answers.
    private func heldModel() -> CharacterDetailViewModel {
        CharacterDetailViewModel(
            InMemoryCharacterRepository(onCall: characters.response),
            InMemoryEpisodeRepository(onCall: episodes.response)
        )
    }

    private func details(_ model: CharacterDetailViewModel) throws -> RickAndMortyDetails<CharacterRow> {
        try #require(model.state.content.details)
    }

    @Test func `has a text for each field, and its episodes in order`() async throws {
        let model = model([Self.full])
        await model.show(.init(rawValue: 1))
        let details = try details(model)
        #expect(details.character == Self.full)
        #expect(details.name == "Made Up")
        #expect(details.image?.rawValue == "https://example.com/1.jpeg")
        #expect(
            [details.status, details.gender, details.species, details.type] == ["Alive", "Female", "Human", "None"]
        )
        #expect([details.origin, details.location] == ["Earth (X)", "Unknown"])
        #expect(details.created == "Nov 4, 2017")
        #expect(details.facts.first { $0.id == "related" }?.value == "3")
        #expect(model.state.related.status == .ready)
        #expect(model.state.related.rows.map(\.code) == ["S01E03", "S01E01", "S01E02"])
        #expect(model.state.related.rows.map(\.name) == ["episode-3", "episode-1", "episode-2"])
        #expect(model.state.related.rows.map(\.airDate) == ["Dec 3, 2013", "Dec 1, 2013", "Dec 2, 2013"])
    }

    @Test func `shows a text for missing values in both languages`() async throws {
        let bare = RickAndMorty.Character(id: .init(rawValue: 1), name: "Bare")
        for (texts, none) in [(Texts.english, "None"), (.korean, "없음")] {
            let model = model([bare], texts: texts)
            await model.show(bare.id)
            let details = try details(model)
            #expect(
                [details.status, details.gender, details.species, details.type, details.origin, details.location]
                    == Array(repeating: none, count: 6)
            )
            #expect(details.created == none)
            #expect(details.facts.first { $0.id == "related" }?.value == "0")
            #expect(model.state.related.status.emptyMessage != nil)
            #expect(details.facts.allSatisfy { $0.isMissing != ($0.id == "related") && $0.route == nil })
        }
    }

    @Test func `is localized in Korean`() async throws {
        let model = model([Self.full], texts: .korean)
        await model.show(.init(rawValue: 1))
        let details = try details(model)
        #expect([details.status, details.gender, details.location] == ["생존", "여성", "알 수 없음"])
        #expect(details.created == "2017년 11월 4일")
        #expect(details.facts.map(\.label) == ["상태", "종", "유형", "성별", "출신", "마지막 위치", "에피소드", "등록일"])
        #expect(details.facts.map(\.value).suffix(3) == ["알 수 없음", "3", "2017년 11월 4일"])
        #expect(model.state.related.rows.first?.airDate == "2013년 12월 3일")
    }

    @Test func `returns the routes of its locations and episodes`() async {
        let model = model([Self.full])
        #expect(model.state.title.isEmpty)
        await model.show(.init(rawValue: 1))
        #expect(model.state.title == Self.full.name)
        #expect(route(model, "origin") == .rickAndMorty(.location(.init(rawValue: 7))))
        #expect(route(model, "location") == nil)
        #expect(model.related.select(at: 0) == .rickAndMorty(.episode(.init(rawValue: 3))))
        #expect(model.related.select(at: 3) == nil)
        let resident = RickAndMorty.Character(id: .init(rawValue: 2), name: "b") {
            $0.location = .init(id: .init(rawValue: 9))
        }
        let other = self.model([resident])
        await other.show(resident.id)
        #expect(route(other, "location") == .rickAndMorty(.location(.init(rawValue: 9))))
    }

    private func route(_ model: CharacterDetailViewModel, _ fact: String) -> Route? {
        model.state.content.details?.facts.first { $0.id == fact }?.route
    }

    @Test func `requests all episodes at once, and is shown while they load`() async throws {
        let model = heldModel()
        characters.answer(0, with: .success(Page(items: [Self.full])))
        let show = Task { await model.show(.init(rawValue: 1)) }
        await episodes.waitForRequests(1)
        #expect(episodes.requests == [.entities(Self.full.episodes)])
        #expect(try details(model).name == "Made Up")
        #expect(model.state.id == .init(rawValue: 1))
        #expect(model.state.related.status == .loading)
        episodes.answer(0, with: .success(Page(items: [.sample(3)], skipped: SkippedRows(count: 1))))
        await show.value
        #expect(model.state.related.rows.count == 1)
        #expect(model.state.related.skippedCount == 1)
        #expect(!model.state.related.hasMore)
        await model.retry()
        #expect(episodes.requests.count == 1)
    }

    @Test func `keeps its episodes below a message when they can't be refreshed`() async {
        let model = heldModel()
        for request in 0...1 { characters.answer(request, with: .success(Page(items: [Self.full]))) }
        episodes.answer(0, with: .success(Page(items: [.sample(3)])))
        episodes.answer(1, with: .failure(.timedOut(.sample)))
        await model.show(.init(rawValue: 1))
        await model.refresh()
        #expect(model.state.related.rows.count == 1 && model.state.related.layout.header?.kind == .timedOut)
    }

    /// The device's clock may be set back meanwhile.
    @Test(arguments: [(120.0, "3:00"), (-7200, "1:00")])
    func `that was current in its row is stale when it can't be loaded later`(delay: Double, time: String) async {
        let start = Date(timeIntervalSince1970: 54_000)
        let now = Monitor(start)
        let texts = Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt, now: { now.value })
        let repository = InMemoryCharacterRepository(onCall: characters.response)
        let model = CharacterDetailViewModel(repository, stored, texts: texts)
        for request in 0...1 { characters.answer(request, with: .failure(.timedOut(.sample))) }
        model.showIfNeeded(EntityPreview(Self.full, from: PreviewSource(.fresh, readAt: start)))
        await model.showIfNeeded(Self.full.id)
        #expect(model.state.content.provenance == .fresh && model.state.notice != nil)
        now.withLock { $0 += delay }
        await model.retry()
        #expect(model.state.content.provenance == .stale(since: start))
        #expect(model.state.content.age?.contains(" \(time)") == true)
    }
}
