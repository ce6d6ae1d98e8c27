public import BrowseDomain

/// The screen with what is known of a character, and the episodes they appear in.
@MainActor
public final class CharacterDetailViewModel: FavoriteDetailViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Which character; `nil` before ``CharacterDetailViewModel/show(_:)``.
        public var id: RickAndMorty.Character.ID?
        /// The character, and what the screen is doing.
        public var content: DetailState<Details> = DetailState()
        /// Whether the character is a favorite.
        public var isFavorite: Bool = false
        /// The episodes they appear in, in order.
        public var episodes: ListState<EpisodeRow> = ListState()
        /// Something to tell beside the character, such as that a favorite could not be stored.
        public var notice: Message?

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

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the character.
    public var detail: DetailControls<RickAndMorty.Character> { character.controls }
    /// What a front end can do with the episodes.
    public var episodes: ListControls<EpisodeRow> { episodesList.controls }

    private let store = StateStore(State())
    private let character: DetailController<RickAndMorty.Character, Details>
    private let episodesList: ListController<EpisodeRow>
    private let repository: any RickAndMorty.CharacterRepository

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - characterRepository: Where characters come from.
    ///   - episodeRepository: Where episodes come from.
    ///   - favorites: Where favorites are stored.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    public init(
        characterRepository: any RickAndMorty.CharacterRepository,
        episodeRepository: any RickAndMorty.EpisodeRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh
    ) {
        repository = characterRepository
        let texts = texts.about(.rickAndMorty)
        character = DetailController(in: store, at: \.content, notice: \.notice, texts: texts, policy: policy) {
            Details($0, texts: texts)
        }
        episodesList = ListController(in: store, at: \.episodes, notice: \.notice, texts: texts, policy: policy)
        character.relate(episodesList, empty: texts.noRows(.noEpisodes)) { thing throws(BrowseError) in
            try await episodeRepository.episodes(thing.episodes)
        } row: {
            EpisodeRow($0, texts: texts)
        }
        character.markFavorite(in: favorites, store: store, at: \.isFavorite) { .character($0) }
    }

    /// Starts over with a character, then loads its episodes, all at once and in the character's order.
    public func show(_ id: RickAndMorty.Character.ID) async {
        let load = store.update { state in
            state = State()
            state.id = id
            return character.begin { [repository] () throws(BrowseError) in try await repository.character(id) }
        }
        await load()
    }

    /// Returns the place they come from; `nil` when the API has no such location, or the character isn't loaded.
    public func showOrigin() -> Route? {
        character.thing?.origin.id.map(Route.location)
    }

    /// Returns where they were last seen; `nil` when the API has no such location, or the character isn't loaded.
    public func showLocation() -> Route? {
        character.thing?.location.id.map(Route.location)
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
