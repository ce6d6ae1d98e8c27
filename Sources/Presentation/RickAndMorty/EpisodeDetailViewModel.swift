public import BrowseDomain

/// The screen with what is known of an episode, and who appears in it.
@MainActor
public final class EpisodeDetailViewModel: DetailViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Which episode; `nil` before ``EpisodeDetailViewModel/show(_:)``.
        public var id: RickAndMorty.Episode.ID?
        /// The episode, and what the screen is doing.
        public var content: DetailState<Details> = DetailState()
        /// Who appears in it, in order.
        public var characters: ListState<CharacterRow> = ListState()
        /// Something to tell beside the episode, such as that a favorite could not be stored.
        public var notice: Message?

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

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the episode.
    public var detail: DetailControls<RickAndMorty.Episode> { episode.controls }
    /// What a front end can do with the characters.
    public var characters: ListControls<CharacterRow> { charactersList.controls }

    private let store = StateStore(State())
    private let episode: DetailController<RickAndMorty.Episode, Details>
    private let charactersList: ListController<CharacterRow>
    private let repository: any RickAndMorty.EpisodeRepository

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - episodeRepository: Where episodes come from.
    ///   - characterRepository: Where characters come from.
    ///   - favorites: Where favorites are stored.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    public init(
        episodeRepository: any RickAndMorty.EpisodeRepository,
        characterRepository: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh
    ) {
        repository = episodeRepository
        let texts = texts.about(.rickAndMorty)
        episode = DetailController(in: store, at: \.content, notice: \.notice, texts: texts, policy: policy) {
            Details($0, texts: texts)
        }
        charactersList = ListController(in: store, at: \.characters, notice: \.notice, texts: texts, policy: policy)
        episode.relate(charactersList, empty: texts.noRows(.noCharacters)) { thing throws(BrowseError) in
            try await characterRepository.characters(thing.characters)
        } row: {
            CharacterRow($0, texts: texts)
        }
        charactersList.markFavorites(in: favorites)
    }

    /// Starts over with an episode, then loads its characters, all at once and in the episode's order.
    public func show(_ id: RickAndMorty.Episode.ID) async {
        let load = store.update { state in
            state = State()
            state.id = id
            return episode.begin { [repository] () throws(BrowseError) in try await repository.episode(id) }
        }
        await load()
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
