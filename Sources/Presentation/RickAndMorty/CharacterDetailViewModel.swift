public import BrowseDomain
public import Observation

/// The screen with what is known of a character, and the episodes they appear in.
@MainActor @Observable
public final class CharacterDetailViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Which character; `nil` before ``CharacterDetailViewModel/show(_:)``.
        public var id: RickAndMorty.Character.ID?
        /// The character, and what the screen is doing.
        public var status: DetailStatus<Details> = .idle
        /// Whether the character is a favourite.
        public var isFavorite: Bool = false
        /// The episodes they appear in, in order.
        public var episodes: ListState<EpisodeRow> = ListState()
        /// Something to tell beside the character, such as that a favourite could not be stored.
        public var notice: Message?
        /// Where what is shown came from; `nil` while nothing is.
        public var provenance: Provenance?
        /// From when what is shown is, in words; `nil` when it is as the server has it.
        public var age: String?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// A character as it is read: every field has a text.
    public struct Details: Equatable, Sendable {
        /// The character behind the texts.
        public var character: RickAndMorty.Character
        /// The name.
        public var name: String
        /// Where the photo is; `nil` when there is none.
        public var image: WebAddress?
        /// Whether they live.
        public var status: String
        /// The gender.
        public var gender: String
        /// What they are.
        public var species: String
        /// What kind of their species they are.
        public var type: String
        /// Where they come from.
        public var origin: String
        /// Where they were last seen.
        public var location: String
        /// The day on which the API took them in.
        public var created: String
        /// How many episodes they appear in.
        public var episodeCount: String
    }

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = Broadcast<State>()
    @ObservationIgnored private let loader: DetailLoader<RickAndMorty.Character, RickAndMorty.Episode, EpisodeRow>
    @ObservationIgnored private var id: RickAndMorty.Character.ID?
    @ObservationIgnored private var notice: Message?
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let characterRepository: any RickAndMorty.CharacterRepository
    @ObservationIgnored private let texts: Texts

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - characterRepository: Where characters come from.
    ///   - episodeRepository: Where episodes come from.
    ///   - favorites: Where favourites are kept.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    public init(
        characterRepository: any RickAndMorty.CharacterRepository,
        episodeRepository: any RickAndMorty.EpisodeRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh
    ) {
        self.characterRepository = characterRepository
        let texts = texts.about(.rickAndMorty)
        self.texts = texts
        let marks = FavoriteMarks(repository: favorites)
        self.marks = marks
        loader = DetailLoader(policy: policy) { character throws(BrowseError) in
            try await episodeRepository.episodes(character.episodes)
        } row: {
            EpisodeRow($0, texts: texts)
        }
        loader.didChange = { [weak self] in self?.publish() }
        loader.willBegin = { await marks.follow() }
        marks.didChange = { [weak self] _ in self?.publish() }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension CharacterDetailViewModel {
    /// Starts over with a character, then loads its episodes, all at once and in the character's order.
    ///
    /// What was on its way for another is cancelled, and dropped if it comes.
    public func show(_ id: RickAndMorty.Character.ID) async {
        self.id = id
        notice = nil
        await loader.show { [characterRepository] () throws(BrowseError) in try await characterRepository.character(id)
        }
    }

    /// Loads what failed: the character, or its episodes.
    public func retry() async {
        await loader.retry()
    }

    /// Keeps the character as a favourite, or forgets it, as the opposite of what its mark shows.
    ///
    /// The mark changes at once; when it cannot be stored it changes back, with a notice. Does nothing while the character
    /// is not there.
    public func toggleFavorite() async {
        guard let character = loader.thing else { return }
        notice = await marks.toggle(.character(character), shownAs: state.isFavorite).map(texts.message(for:))
        publish()
    }

    /// Goes on to where they come from; `nil` when the API has no such location, or the character is not there.
    public func showOrigin() -> Route? {
        loader.thing?.origin.id.map(Route.location)
    }

    /// Goes on to where they were last seen; `nil` when the API has no such location, or the character is not there.
    public func showLocation() -> Route? {
        loader.thing?.location.id.map(Route.location)
    }

    /// Goes on to the episode of a row; `nil` when there is no such row.
    public func selectEpisode(at position: Int) -> Route? {
        guard state.episodes.rows.indices.contains(position) else { return nil }
        return .episode(state.episodes.rows[position].id)
    }

    /// Shows everything as it is now, as one state.
    private func publish() {
        var state = state
        state.id = id
        state.status = loader.status(texts: texts) { Details($0, texts: texts) }
        state.provenance = loader.provenance
        state.age = loader.provenance.flatMap(texts.age(of:))
        state.isFavorite = loader.thing.map { marks.contains(.character($0.id)) } ?? false
        state.notice = notice ?? loader.notice(texts: texts)
        state.episodes = loader.relatedState(texts: texts, empty: texts.noRows(.noEpisodes))
        self.state = state
    }
}

extension CharacterDetailViewModel.Details {
    init(_ character: RickAndMorty.Character, texts: Texts) {
        self.character = character
        name = character.name
        image = character.image
        status = texts.status(character.status)
        gender = texts.gender(character.gender)
        species = texts.value(character.species)
        type = texts.value(character.type)
        origin = texts.value(character.origin.name)
        location = texts.value(character.location.name)
        created = texts.created(character.created)
        episodeCount = texts(.count(character.episodes.count))
    }
}
