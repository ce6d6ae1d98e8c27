import BrowseDomain
import BrowseMocks
import Foundation
import Testing

@testable import BrowsePresentation

@MainActor @Suite(.timeLimit(.minutes(1)))
struct `A RickAndMorty character` {
    private static let full = RickAndMorty.Character(
        id: .init(rawValue: 1),
        name: "Made Up",
        status: .alive,
        species: "Human",
        type: " ",
        gender: .female,
        origin: .init(name: "Earth (X)", id: .init(rawValue: 7)),
        location: .init(name: "unknown"),
        image: WebAddress(rawValue: "https://example.com/1.jpeg"),
        episodes: [3, 1, 2].map(RickAndMorty.Episode.ID.init(rawValue:)),
        created: Date(timeIntervalSince1970: 1_509_821_326.25)
    )

    private typealias Characters = HeldReplies<CharacterRepositoryDouble.Request, Page<RickAndMorty.Character>>
    private typealias Episodes = HeldReplies<EpisodeRepositoryDouble.Request, Page<RickAndMorty.Episode>>

    private func model(
        _ characters: [RickAndMorty.Character],
        texts: Texts = .english
    ) -> CharacterDetailViewModel {
        CharacterDetailViewModel(
            characterRepository: InMemoryCharacterRepository(characters),
            episodeRepository: InMemoryEpisodeRepository([.sample(1), .sample(2), .sample(3)]),
            texts: texts
        )
    }

    private func details(_ model: CharacterDetailViewModel) throws -> CharacterDetailViewModel.Details {
        guard case .loaded(let details) = model.state.status else {
            Issue.record("\(model.state.status)")
            throw CancellationError()
        }
        return details
    }

    @Test func `has a text for every field, and its episodes in order`() async throws {
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
        #expect(details.episodeCount == "3")
        #expect(model.state.episodes.status == .ready)
        #expect(model.state.episodes.rows.map(\.code) == ["S01E03", "S01E01", "S01E02"])
        #expect(model.state.episodes.rows.map(\.name) == ["episode-3", "episode-1", "episode-2"])
        #expect(model.state.episodes.rows.map(\.airDate) == ["Dec 3, 2013", "Dec 1, 2013", "Dec 2, 2013"])
    }

    @Test func `says none where there is nothing, in both languages`() async throws {
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
            #expect(details.episodeCount == "0")
            guard case .empty = model.state.episodes.status else {
                Issue.record("\(model.state.episodes.status)")
                continue
            }
            #expect(model.showOrigin() == nil)
        }
    }

    @Test func `is told in Korean`() async throws {
        let model = model([Self.full], texts: .korean)
        await model.show(.init(rawValue: 1))
        let details = try details(model)
        #expect([details.status, details.gender, details.location] == ["생존", "여성", "알 수 없음"])
        #expect(details.created == "2017년 11월 4일")
        #expect(model.state.episodes.rows.first?.airDate == "2013년 12월 3일")
    }

    @Test func `leads to its places and episodes`() async {
        let model = model([Self.full])
        #expect(model.showOrigin() == nil)
        await model.show(.init(rawValue: 1))
        #expect(model.showOrigin() == .location(.init(rawValue: 7)))
        #expect(model.showLocation() == nil)
        #expect(model.selectEpisode(at: 0) == .episode(.init(rawValue: 3)))
        #expect(model.selectEpisode(at: 3) == nil)
        let resident = RickAndMorty.Character(
            id: .init(rawValue: 2),
            name: "b",
            location: .init(id: .init(rawValue: 9))
        )
        let other = self.model([resident])
        await other.show(resident.id)
        #expect(other.showLocation() == .location(.init(rawValue: 9)))
    }

    @Test func `asks for all its episodes at once, and shows while they are on their way`() async throws {
        let episodes = Episodes()
        let model = CharacterDetailViewModel(
            characterRepository: InMemoryCharacterRepository([Self.full]),
            episodeRepository: EpisodeRepositoryDouble.held(episodes),
            texts: .english
        )
        let show = Task { await model.show(.init(rawValue: 1)) }
        await episodes.waitForRequests(1)
        #expect(episodes.requests == [.several(Self.full.episodes)])
        #expect(try details(model).name == "Made Up")
        #expect(model.state.episodes.status == .loading)
        episodes.answer(0, with: .success(Page(items: [.sample(3)], skipped: [.init(index: 1, reason: "x")])))
        await show.value
        #expect(model.state.episodes.rows.count == 1)
        #expect(model.state.episodes.skippedCount == 1)
        #expect(!model.state.episodes.hasMore)
        await model.retry()
        #expect(episodes.requests.count == 1)
    }

    @Test func `stays when its episodes do not come, and asks for them alone on retry`() async throws {
        let (characters, episodes) = (Characters(), Episodes())
        let model = CharacterDetailViewModel(
            characterRepository: CharacterRepositoryDouble.held(characters),
            episodeRepository: EpisodeRepositoryDouble.held(episodes),
            texts: .english
        )
        characters.answer(0, with: .success(Page(items: [Self.full])))
        episodes.answer(0, with: .failure(.timedOut(.sample)))
        await model.show(.init(rawValue: 1))
        #expect(try details(model).name == "Made Up")
        guard case .failed(let message) = model.state.episodes.status else {
            Issue.record("\(model.state.episodes.status)")
            return
        }
        #expect(message.kind == .timedOut)
        // Cancelled is as before, and no failure.
        let retry = Task { await model.retry() }
        await episodes.waitForRequests(2)
        retry.cancel()
        await retry.value
        #expect(model.state.episodes.status == .idle)
        episodes.answer(2, with: .success(Page(items: [.sample(1)])))
        await model.retry()
        #expect(model.state.episodes.status == .ready)
        #expect(characters.requests.count == 1)
        #expect(episodes.requests.count == 3)
    }

    @Test func `that does not exist is said so, and loads on retry`() async throws {
        let characters = Characters()
        let model = CharacterDetailViewModel(
            characterRepository: CharacterRepositoryDouble.held(characters),
            episodeRepository: InMemoryEpisodeRepository([.sample(1), .sample(2), .sample(3)]),
            texts: .english
        )
        await model.retry()
        #expect(characters.requests.isEmpty)
        characters.answer(0, with: .failure(.notFound(.sample)))
        await model.show(.init(rawValue: 1))
        guard case .failed(let message) = model.state.status else {
            Issue.record("\(model.state.status)")
            return
        }
        #expect(message.kind == .notFound)
        #expect(model.state.episodes == ListState())
        characters.answer(1, with: .success(Page(items: [Self.full])))
        await model.retry()
        #expect(characters.requests == [.one(.init(rawValue: 1)), .one(.init(rawValue: 1))])
        #expect(model.state.episodes.rows.count == 3)
    }

    @Test func `is the one that was asked for last, whatever comes first`() async throws {
        let (characters, episodes) = (Characters(), Episodes())
        let model = CharacterDetailViewModel(
            characterRepository: CharacterRepositoryDouble.held(characters),
            episodeRepository: EpisodeRepositoryDouble.held(episodes),
            texts: .english
        )
        characters.answer(0, with: .success(Page(items: [.sample(1, episodes: [1])])))
        let first = Task { await model.show(.init(rawValue: 1)) }
        await episodes.waitForRequests(1)
        let second = Task { await model.show(.init(rawValue: 2)) }
        await characters.waitForRequests(2)
        await first.value
        #expect(!episodes.answer(0, with: .success(Page(items: [.sample(1)]))))
        #expect(model.state.id == .init(rawValue: 2))
        #expect(model.state.status == .loading)
        #expect(model.state.episodes == ListState())
        let third = Task { await model.show(.init(rawValue: 3)) }
        await characters.waitForRequests(3)
        await second.value
        characters.answer(2, with: .success(Page(items: [.sample(3, episodes: [3])])))
        episodes.answer(1, with: .success(Page(items: [.sample(3)])))
        await third.value
        #expect(try details(model).name == "character-3")
        #expect(model.state.episodes.rows.map(\.id.rawValue) == [3])
        #expect(episodes.requests == [.several([.init(rawValue: 1)]), .several([.init(rawValue: 3)])])
    }

    @Test func `is as before when its load is cancelled`() async {
        let characters = Characters()
        let model = CharacterDetailViewModel(
            characterRepository: CharacterRepositoryDouble.held(characters),
            episodeRepository: EpisodeRepositoryDouble(),
            texts: .english
        )
        let show = Task { await model.show(.init(rawValue: 1)) }
        await characters.waitForRequests(1)
        show.cancel()
        await show.value
        #expect(model.state.status == .idle)
    }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct `A RickAndMorty episode or location` {
    private let characters = InMemoryCharacterRepository([.sample(1), .sample(2), .sample(3)])

    @Test func `is an episode with its characters in order`() async {
        let episode = RickAndMorty.Episode(
            id: .init(rawValue: 1),
            name: "Made Up",
            code: "S01E01",
            airDate: "December 31, 2013",
            characters: [3, 1].map(RickAndMorty.Character.ID.init(rawValue:)),
            created: Date(timeIntervalSince1970: 1_510_318_593)
        )
        let bare = RickAndMorty.Episode(id: .init(rawValue: 2), name: "Bare")
        let model = EpisodeDetailViewModel(
            episodeRepository: InMemoryEpisodeRepository([episode, bare]),
            characterRepository: characters,
            texts: .english
        )
        await model.show(episode.id)
        guard case .loaded(let details) = model.state.status else {
            Issue.record("\(model.state.status)")
            return
        }
        #expect(details.episode == episode)
        #expect([details.name, details.code, details.airDate] == ["Made Up", "S01E01", "Dec 31, 2013"])
        #expect([details.created, details.characterCount] == ["Nov 10, 2017", "2"])
        #expect(model.state.characters.rows.map(\.name) == ["character-3", "character-1"])
        #expect(model.selectCharacter(at: 0) == .character(.init(rawValue: 3)))
        #expect(model.selectCharacter(at: 2) == nil)
        await model.show(bare.id)
        guard case .loaded(let nothing) = model.state.status else {
            Issue.record("\(model.state.status)")
            return
        }
        #expect([nothing.code, nothing.airDate, nothing.created] == ["None", "None", "None"])
        await model.show(.init(rawValue: 99))
        await model.retry()
        guard case .failed(let message) = model.state.status else {
            Issue.record("\(model.state.status)")
            return
        }
        #expect(message.kind == .notFound)
    }

    @Test func `is a location with its residents in order`() async {
        let location = RickAndMorty.Location(
            id: .init(rawValue: 1),
            name: "Made Up",
            type: "Planet",
            dimension: "unknown",
            residents: [2, 9, 1].map(RickAndMorty.Character.ID.init(rawValue:)),
            created: Date(timeIntervalSince1970: 1_510_318_593)
        )
        let bare = RickAndMorty.Location(id: .init(rawValue: 2), name: "Bare")
        let model = LocationDetailViewModel(
            locationRepository: InMemoryLocationRepository([location, bare]),
            characterRepository: characters,
            texts: .english
        )
        await model.show(location.id)
        guard case .loaded(let details) = model.state.status else {
            Issue.record("\(model.state.status)")
            return
        }
        #expect(details.location == location)
        #expect([details.name, details.type, details.dimension] == ["Made Up", "Planet", "Unknown"])
        #expect([details.created, details.residentCount] == ["Nov 10, 2017", "3"])
        // One that does not exist is left out.
        #expect(model.state.residents.rows.map(\.name) == ["character-2", "character-1"])
        #expect(model.selectResident(at: 1) == .character(.init(rawValue: 1)))
        #expect(model.selectResident(at: 2) == nil)
        await model.show(bare.id)
        guard case .loaded(let nothing) = model.state.status, case .empty(let message) = model.state.residents.status
        else {
            Issue.record("\(model.state)")
            return
        }
        #expect([nothing.type, nothing.dimension, nothing.created] == ["None", "None", "None"])
        #expect(message.text == "Nobody was last seen here.")
        await model.show(.init(rawValue: 99))
        await model.retry()
        guard case .failed(let message) = model.state.status else {
            Issue.record("\(model.state.status)")
            return
        }
        #expect(message.kind == .notFound)
    }
}

@Suite struct `The RickAndMorty texts` {
    @Test(
        arguments: [
            ("December 2, 2013", "Dec 2, 2013", "2013년 12월 2일"), ("June 20, 2021", "Jun 20, 2021", "2021년 6월 20일"),
            ("May 1, 2020", "May 1, 2020", "2020년 5월 1일"), ("soon", "soon", "soon"),
            ("2013-12-02", "2013-12-02", "2013-12-02"), ("unknown", "Unknown", "알 수 없음"), (nil, "None", "없음"),
        ] as [(String?, String, String)]
    )
    func `write the day of an episode as the reader does, or as it came`(text: String?, english: String, korean: String)
    {
        #expect(Texts.english.airDate(text) == english)
        #expect(Texts.korean.airDate(text) == korean)
    }

    @Test(arguments: ["America/Los_Angeles", "Asia/Seoul", "Pacific/Kiritimati"])
    func `do not move the day of an episode with the reader's clock`(zone: String) throws {
        let texts = Texts(locale: Locale(identifier: "en_US"), timeZone: try #require(TimeZone(identifier: zone)))
        #expect(texts.airDate("December 2, 2013") == "Dec 2, 2013")
    }

    @Test func `have a word for every status and gender that the API uses`() {
        typealias Character = RickAndMorty.Character
        #expect(Character.Status.known.map(Texts.english.status) == ["Alive", "Dead", "Unknown"])
        #expect(Character.Status.known.map(Texts.korean.status) == ["생존", "사망", "알 수 없음"])
        #expect(Character.Gender.known.map(Texts.english.gender) == ["Female", "Male", "Genderless", "Unknown"])
        #expect(Character.Gender.known.map(Texts.korean.gender) == ["여성", "남성", "무성", "알 수 없음"])
    }

    @Test func `name no service where what they say holds for all`() {
        let info = BrowseError.RequestInfo(endpoint: "GET /character/{}")
        let limit = BrowseError.RateLimit(kind: .primary, retryAt: Date(timeIntervalSince1970: 0), isServerTime: false)
        let errors: [BrowseError] = [
            .notFound(info), .forbidden(info), .rejected(info), .unauthorized(info), .rateLimited(limit, info),
            .serverFailure(info), .timedOut(info), .unusableReply(.empty, info), .refused(.foreignPage, info),
        ]
        for texts in [Texts.english, .korean] {
            for error in errors { #expect(!texts.message(for: error).text.contains("GitHub"), "\(error)") }
        }
    }
}
