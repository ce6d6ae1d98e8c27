public import BrowseDomain

/// The screen with what is known of a location, and who was last seen there.
@MainActor
public final class LocationDetailViewModel: DetailViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Which location; `nil` before ``LocationDetailViewModel/show(_:)``.
        public var id: RickAndMorty.Location.ID?
        /// The location, and what the screen is doing.
        public var content: DetailState<Details> = DetailState()
        /// Who was last seen there, in order.
        public var residents: ListState<CharacterRow> = ListState()
        /// Something to tell beside the location, such as that a favorite could not be stored.
        public var notice: Message?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// A location as it is read: every field has a text.
    public struct Details: Equatable, Sendable {
        /// The location behind the texts.
        public var location: RickAndMorty.Location
        /// The name.
        public var name: String
        /// What it is.
        public var type: String
        /// The dimension it is in.
        public var dimension: String
        /// The day on which the API took it in.
        public var created: String
        /// How many characters were last seen there.
        public var residentCount: String
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the location.
    public var detail: DetailControls<RickAndMorty.Location> { location.controls }
    /// What a front end can do with the residents.
    public var residents: ListControls<CharacterRow> { residentsList.controls }

    private let store = StateStore(State())
    private let location: DetailController<RickAndMorty.Location, Details>
    private let residentsList: ListController<CharacterRow>
    private let repository: any RickAndMorty.LocationRepository

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - locationRepository: Where locations come from.
    ///   - characterRepository: Where characters come from.
    ///   - favorites: Where favorites are stored.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    public init(
        locationRepository: any RickAndMorty.LocationRepository,
        characterRepository: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh
    ) {
        repository = locationRepository
        let texts = texts.about(.rickAndMorty)
        location = DetailController(in: store, at: \.content, notice: \.notice, texts: texts, policy: policy) {
            Details($0, texts: texts)
        }
        residentsList = ListController(in: store, at: \.residents, notice: \.notice, texts: texts, policy: policy)
        location.relate(residentsList, empty: texts.noRows(.noResidents)) { thing throws(BrowseError) in
            try await characterRepository.characters(thing.residents)
        } row: {
            CharacterRow($0, texts: texts)
        }
        residentsList.markFavorites(in: favorites)
    }

    /// Starts over with a location, then loads its residents, all at once and in the location's order.
    public func show(_ id: RickAndMorty.Location.ID) async {
        let load = store.update { state in
            state = State()
            state.id = id
            return location.begin { [repository] () throws(BrowseError) in try await repository.location(id) }
        }
        await load()
    }
}

extension LocationDetailViewModel.Details {
    init(_ location: RickAndMorty.Location, texts: Texts) {
        self.location = location
        name = location.name
        type = texts.value(location.type)
        dimension = texts.value(location.dimension)
        created = texts.created(location.created)
        residentCount = texts(.count(location.residents.count))
    }
}
