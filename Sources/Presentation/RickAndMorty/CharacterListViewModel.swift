public import BrowseDomain

/// The screen with all characters, or those that a person looks for.
public typealias CharacterListViewModel = RickAndMortyListViewModel<CharacterQuery>

/// What a person looks for, as they typed it; blank texts are nothing.
public struct CharacterQuery: RickAndMortyQuery {
    /// A row of the list.
    public typealias Row = CharacterRow

    /// A part of the name.
    public var name: String = ""
    /// Whether they live; `nil` is any.
    public var status: RickAndMorty.Character.Status?
    /// A part of the species.
    public var species: String = ""
    /// A part of the type.
    public var type: String = ""
    /// The gender; `nil` is any.
    public var gender: RickAndMorty.Character.Gender?

    /// Looks for nothing in particular.
    public init() {}

    /// Looks for what passes a filter.
    public init(_ filter: RickAndMorty.CharacterFilter) {
        name = filter.name ?? ""
        status = filter.status
        species = filter.species ?? ""
        type = filter.type ?? ""
        gender = filter.gender
    }

    /// The query as the repository takes it.
    public var filter: RickAndMorty.CharacterFilter {
        RickAndMorty.CharacterFilter(name: name, status: status, species: species, type: type, gender: gender)
    }

    /// Whether everything passes.
    public var isEmpty: Bool { filter.isEmpty }

    /// Whether status or gender differ.
    public func isChosen(after old: CharacterQuery) -> Bool {
        status != old.status || gender != old.gender
    }
}

extension CharacterListViewModel {
    /// Creates the screen; showing a filter fills it.
    ///
    /// - Parameters:
    ///   - repository: Where characters come from.
    ///   - favorites: Where favorites are stored.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - clock: Measures the pause after which typed text counts.
    public convenience init(
        repository: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let texts = texts.about(.rickAndMorty)
        self.init(
            title: texts(.charactersTitle),
            texts: texts,
            policy: policy,
            prefetchDistance: prefetchDistance,
            clock: clock,
            page: { filter, cursor throws(BrowseError) in try await repository.page(of: filter, at: cursor) },
            row: { CharacterRow($0, texts: texts) }
        )
        pages.markFavorites(in: favorites)
    }
}
