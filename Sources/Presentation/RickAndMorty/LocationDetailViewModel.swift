public import BrowseDomain
public import Observation

/// The screen with what is known of a location, and who was last seen there.
@MainActor @Observable
public final class LocationDetailViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Which location; `nil` before ``LocationDetailViewModel/show(_:)``.
        public var id: RickAndMorty.Location.ID?
        /// The location, and what the screen is doing.
        public var status: DetailStatus<Details> = .idle
        /// Who was last seen there, in order.
        public var residents: ListState<CharacterRow> = ListState()
        /// Something to tell beside the location, such as that a favourite could not be stored.
        public var notice: Message?
        /// Where what is shown came from; `nil` while nothing is.
        public var provenance: Provenance?
        /// From when what is shown is, in words; `nil` when it is as the server has it.
        public var age: String?

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

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = Broadcast<State>()
    @ObservationIgnored private let loader: DetailLoader<RickAndMorty.Location, RickAndMorty.Character, CharacterRow>
    @ObservationIgnored private var id: RickAndMorty.Location.ID?
    @ObservationIgnored private var notice: Message?
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let locationRepository: any RickAndMorty.LocationRepository
    @ObservationIgnored private let texts: Texts

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - locationRepository: Where locations come from.
    ///   - characterRepository: Where characters come from.
    ///   - favorites: Where favourites are kept.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    public init(
        locationRepository: any RickAndMorty.LocationRepository,
        characterRepository: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh
    ) {
        self.locationRepository = locationRepository
        let texts = texts.about(.rickAndMorty)
        self.texts = texts
        let marks = FavoriteMarks(repository: favorites)
        self.marks = marks
        loader = DetailLoader(policy: policy) { location throws(BrowseError) in
            try await characterRepository.characters(location.residents)
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

extension LocationDetailViewModel {
    /// Starts over with a location, then loads its residents, all at once and in the location's order.
    ///
    /// What was on its way for another is cancelled, and dropped if it comes.
    public func show(_ id: RickAndMorty.Location.ID) async {
        self.id = id
        notice = nil
        await loader.show { [locationRepository] () throws(BrowseError) in try await locationRepository.location(id) }
    }

    /// Loads what failed: the location, or its residents.
    public func retry() async {
        await loader.retry()
    }

    /// Keeps the character of a row as a favourite, or forgets it, as the opposite of what its mark shows.
    ///
    /// The mark changes at once; when it cannot be stored it changes back, with a notice.
    public func toggleFavorite(at position: Int) async {
        notice = await marks.toggle(at: position, in: state.residents.rows).map(texts.message(for:))
        publish()
    }

    /// Goes on to the character of a row; `nil` when there is no such row.
    public func selectResident(at position: Int) -> Route? {
        guard state.residents.rows.indices.contains(position) else { return nil }
        return .character(state.residents.rows[position].id)
    }

    /// Shows everything as it is now, as one state.
    private func publish() {
        var state = state
        state.id = id
        state.status = loader.status(texts: texts) { Details($0, texts: texts) }
        state.provenance = loader.provenance
        state.age = loader.provenance.flatMap(texts.age(of:))
        state.notice = notice ?? loader.notice(texts: texts)
        state.residents = loader.relatedState(texts: texts, empty: texts.noRows(.noResidents))
        self.state = state
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
