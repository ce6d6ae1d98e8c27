public import BrowseDomain

/// The screen with all episodes, or those that a person looks for.
public typealias EpisodeListViewModel = RickAndMortyListViewModel<EpisodeQuery>

/// What a person looks for, as they typed it; blank texts are nothing.
public struct EpisodeQuery: RickAndMortyQuery {
    /// A row of the list.
    public typealias Row = EpisodeRow

    /// A part of the title.
    public var name: String = ""
    /// A part of the code, as in `S01` or `E05`.
    public var code: String = ""

    /// Looks for nothing in particular.
    public init() {}

    /// Looks for what passes a filter.
    public init(_ filter: RickAndMorty.EpisodeFilter) {
        name = filter.name ?? ""
        code = filter.code ?? ""
    }

    /// The query as the repository takes it.
    public var filter: RickAndMorty.EpisodeFilter {
        RickAndMorty.EpisodeFilter(name: name, code: code)
    }

    /// Whether everything passes.
    public var isEmpty: Bool { filter.isEmpty }
}

extension EpisodeListViewModel {
    /// Creates the screen; showing a filter fills it.
    ///
    /// - Parameters:
    ///   - repository: Where episodes come from.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - clock: Measures the pause after which typed text counts.
    public convenience init(
        repository: any RickAndMorty.EpisodeRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let texts = texts.about(.rickAndMorty)
        self.init(
            title: texts(.episodesTitle),
            texts: texts,
            policy: policy,
            prefetchDistance: prefetchDistance,
            clock: clock,
            page: { filter, cursor throws(BrowseError) in try await repository.page(of: filter, at: cursor) },
            row: { EpisodeRow($0, texts: texts) }
        )
    }
}
