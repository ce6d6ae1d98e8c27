public import BrowseDomain

/// A screen with the characters that match a filter; by default all.
public typealias CharacterListViewModel = RickAndMortyListViewModel<RickAndMorty.CharacterFilter, CharacterRow>

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
        } isChoice: {
            $0.status != $1.status || $0.gender != $1.gender
        }
        pages.markFavorites(in: favorites)
    }
}
