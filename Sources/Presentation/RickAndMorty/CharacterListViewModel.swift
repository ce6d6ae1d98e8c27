public import BrowseDomain

/// A screen with the characters that match a filter; by default all.
public typealias CharacterListViewModel = RickAndMortyListViewModel<CharacterQuery>

/// The texts and choices that a person filters characters by; blank texts are ignored.
public struct CharacterQuery: RickAndMortyQuery {
    /// A row of the list.
    public typealias Row = CharacterRow

    /// A part of the name.
    public var name: String = ""
    /// The status; `nil` is any.
    public var status: RickAndMorty.Character.Status?
    /// A part of the species.
    public var species: String = ""
    /// A part of the type.
    public var type: String = ""
    /// The gender; `nil` is any.
    public var gender: RickAndMorty.Character.Gender?

    /// Creates an empty query, which matches every character.
    public init() {}

    /// Creates the query of a filter.
    public init(_ filter: RickAndMorty.CharacterFilter) {
        name = filter.name ?? ""
        status = filter.status
        species = filter.species ?? ""
        type = filter.type ?? ""
        gender = filter.gender
    }

    /// The query in the form that the repository takes.
    public var filter: RickAndMorty.CharacterFilter {
        RickAndMorty.CharacterFilter(name: name, status: status, species: species, type: type, gender: gender)
    }

    /// Returns whether the status or the gender differs.
    public func isChosen(after old: CharacterQuery) -> Bool {
        status != old.status || gender != old.gender
    }
}

extension CharacterListViewModel {
    /// Creates the screen; ``show(_:)`` loads it.
    public convenience init(
        repository: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository,
        options: ScreenOptions
    ) {
        self.init(.charactersTitle, options: options) { filter, cursor throws(BrowseError) in
            try await repository.page(of: filter, at: cursor)
        } row: {
            CharacterRow($0, texts: $1)
        }
        pages.markFavorites(in: favorites)
    }
}
