public import BrowseDomain
public import Observation

/// The screen with what is known of an episode, and who appears in it.
@MainActor @Observable
public final class EpisodeDetailViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Which episode; `nil` before ``EpisodeDetailViewModel/show(_:)``.
        public var id: RickAndMorty.Episode.ID?
        /// The episode, and what the screen is doing.
        public var status: DetailStatus<Details> = .idle
        /// Who appears in it, in order.
        public var characters: ListState<CharacterRow> = ListState()
        /// Something to tell beside the episode, such as that a favourite could not be stored.
        public var notice: Message?
        /// Where what is shown came from; `nil` while nothing is.
        public var provenance: Provenance?
        /// From when what is shown is, in words; `nil` when it is as the server has it.
        public var age: String?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// An episode as it is read: every field has a text.
    public struct Details: Equatable, Sendable {
        /// The episode behind the texts.
        public var episode: RickAndMorty.Episode
        /// The title.
        public var name: String
        /// Season and number, as in `S01E01`.
        public var code: String
        /// The day it was first shown, as the reader writes it.
        public var airDate: String
        /// The day on which the API took it in.
        public var created: String
        /// How many characters appear in it.
        public var characterCount: String
    }

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = Broadcast<State>()
    @ObservationIgnored private let loader: DetailLoader<RickAndMorty.Episode, RickAndMorty.Character, CharacterRow>
    @ObservationIgnored private var id: RickAndMorty.Episode.ID?
    @ObservationIgnored private var notice: Message?
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let episodeRepository: any RickAndMorty.EpisodeRepository
    @ObservationIgnored private let texts: Texts

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - episodeRepository: Where episodes come from.
    ///   - characterRepository: Where characters come from.
    ///   - favorites: Where favourites are kept.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    public init(
        episodeRepository: any RickAndMorty.EpisodeRepository,
        characterRepository: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh
    ) {
        self.episodeRepository = episodeRepository
        let texts = texts.about(.rickAndMorty)
        self.texts = texts
        let marks = FavoriteMarks(repository: favorites)
        self.marks = marks
        loader = DetailLoader(policy: policy) { episode throws(BrowseError) in
            try await characterRepository.characters(episode.characters)
        } row: {
            CharacterRow($0, isFavorite: marks.contains(.character($0.id)), texts: texts)
        }
        loader.mark(by: marks)
        loader.didChange = { [weak self] in self?.publish() }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension EpisodeDetailViewModel {
    /// Starts over with an episode, then loads its characters, all at once and in the episode's order.
    ///
    /// What was on its way for another is cancelled, and dropped if it comes.
    public func show(_ id: RickAndMorty.Episode.ID) async {
        self.id = id
        notice = nil
        await loader.show { [episodeRepository] () throws(BrowseError) in try await episodeRepository.episode(id) }
    }

    /// Loads what failed: the episode, or its characters.
    public func retry() async {
        await loader.retry()
    }

    /// Keeps the character of a row as a favourite, or forgets it, as the opposite of what its mark shows.
    ///
    /// The mark changes at once; when it cannot be stored it changes back, with a notice.
    public func toggleFavorite(at position: Int) async {
        notice = await marks.toggle(at: position, in: state.characters.rows).map(texts.message(for:))
        publish()
    }

    /// Goes on to the character of a row; `nil` when there is no such row.
    public func selectCharacter(at position: Int) -> Route? {
        guard state.characters.rows.indices.contains(position) else { return nil }
        return .character(state.characters.rows[position].id)
    }

    /// Shows everything as it is now, as one state.
    private func publish() {
        var state = state
        state.id = id
        state.status = loader.status(texts: texts) { Details($0, texts: texts) }
        state.provenance = loader.provenance
        state.age = loader.provenance.flatMap(texts.age(of:))
        state.notice = notice ?? loader.notice(texts: texts)
        state.characters = loader.relatedState(texts: texts, empty: texts.noRows(.noCharacters))
        self.state = state
    }
}

extension EpisodeDetailViewModel.Details {
    init(_ episode: RickAndMorty.Episode, texts: Texts) {
        self.episode = episode
        name = episode.name
        code = texts.value(episode.code)
        airDate = texts.airDate(episode.airDate)
        created = texts.created(episode.created)
        characterCount = texts(.count(episode.characters.count))
    }
}
