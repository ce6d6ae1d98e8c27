public import BrowseDomain

/// A screen with the details of an episode, and the characters in it.
public typealias EpisodeDetailViewModel = RickAndMortyDetailViewModel<
    RickAndMorty.Episode, EpisodeDetails, CharacterRow
>

/// An episode in words.
public struct EpisodeDetails: Equatable, Sendable {
    /// The episode.
    public var episode: RickAndMorty.Episode
    /// The title.
    public var name: String
    /// The season and number, such as `S01E01`.
    public var code: String
    /// The day on which it was first aired.
    public var airDate: String
    /// The day on which the API added it.
    public var created: String
    /// The number of characters.
    public var characterCount: String

    init(_ episode: RickAndMorty.Episode, texts: Texts) {
        self.episode = episode
        name = episode.name
        code = texts.value(episode.code)
        airDate = texts.airDate(episode.airDate)
        created = texts.created(episode.created)
        characterCount = texts(.count(episode.characters.count))
    }
}

extension EpisodeDetailViewModel {
    /// Creates the screen; ``show(_:)`` loads it.
    public convenience init(
        episodeRepository: any RickAndMorty.EpisodeRepository,
        characterRepository: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository,
        options: ScreenOptions
    ) {
        self.init(options, empty: .noCharacters, details: EpisodeDetails.init, row: { CharacterRow($0, texts: $1) }) {
            id throws(BrowseError) in
            try await episodeRepository.episode(id)
        } related: { episode throws(BrowseError) in
            try await characterRepository.characters(episode.characters)
        }
        rows.markFavorites(in: favorites)
    }
}
