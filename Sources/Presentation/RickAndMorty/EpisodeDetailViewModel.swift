public import BrowseDomain

/// A screen with the details of an episode, and the characters in it.
public typealias EpisodeDetailViewModel = RickAndMortyDetailViewModel<
    RickAndMorty.Episode, RickAndMortyDetails<EpisodeRow>, CharacterRow
>

extension EpisodeDetailViewModel {
    /// Creates the screen; ``show(_:)`` loads it.
    public convenience init(
        episodeRepository: any RickAndMorty.EpisodeRepository,
        characterRepository: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository,
        options: ScreenOptions
    ) {
        self.init(options, empty: .noCharacters) { id throws(BrowseError) in
            try await episodeRepository.episode(id)
        } details: {
            RickAndMortyDetails(
                EpisodeRow($0, texts: $1),
                created: $0.created,
                relatedCount: $0.characters.count,
                texts: $1
            )
        } related: { episode throws(BrowseError) in
            try await characterRepository.characters(episode.characters)
        } row: {
            CharacterRow($0, texts: $1)
        }
        rows.markFavorites(in: favorites)
    }
}
