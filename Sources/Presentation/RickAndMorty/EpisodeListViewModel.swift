public import BrowseDomain

/// A screen with the episodes that match a filter; by default all.
public typealias EpisodeListViewModel = RickAndMortyListViewModel<RickAndMorty.EpisodeFilter, EpisodeRow>

extension EpisodeListViewModel {
    /// Creates the screen; ``show(_:)`` loads it.
    public convenience init(repository: any RickAndMorty.EpisodeRepository, options: ScreenOptions) {
        self.init(.episodesTitle, options: options) { filter, cursor throws(BrowseError) in
            try await repository.page(of: filter, at: cursor)
        } row: {
            EpisodeRow($0, texts: $1)
        }
    }
}
