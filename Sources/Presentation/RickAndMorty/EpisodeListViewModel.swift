public import BrowseDomain

/// A screen with the episodes that match a filter; by default all.
public typealias EpisodeListViewModel = RickAndMortyListViewModel<EpisodeQuery>

/// The texts that a person filters episodes by; blank ones are ignored.
public struct EpisodeQuery: RickAndMortyQuery {
    /// A row of the list.
    public typealias Row = EpisodeRow

    /// A part of the title.
    public var name: String = ""
    /// A part of the code, such as `S01` or `E05`.
    public var code: String = ""

    /// Creates an empty query, which matches every episode.
    public init() {}

    /// Creates the query of a filter.
    public init(_ filter: RickAndMorty.EpisodeFilter) {
        name = filter.name ?? ""
        code = filter.code ?? ""
    }

    /// The query in the form that the repository takes.
    public var filter: RickAndMorty.EpisodeFilter {
        RickAndMorty.EpisodeFilter(name: name, code: code)
    }
}

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
