public import BrowseDomain

/// The screen with all locations, or those that a person looks for.
public typealias LocationListViewModel = RickAndMortyListViewModel<LocationQuery>

/// What a person looks for, as they typed it; blank texts are nothing.
public struct LocationQuery: RickAndMortyQuery {
    /// A row of the list.
    public typealias Row = LocationRow

    /// A part of the name.
    public var name: String = ""
    /// A part of the type.
    public var type: String = ""
    /// A part of the dimension.
    public var dimension: String = ""

    /// Looks for nothing in particular.
    public init() {}

    /// Looks for what passes a filter.
    public init(_ filter: RickAndMorty.LocationFilter) {
        name = filter.name ?? ""
        type = filter.type ?? ""
        dimension = filter.dimension ?? ""
    }

    /// The query as the repository takes it.
    public var filter: RickAndMorty.LocationFilter {
        RickAndMorty.LocationFilter(name: name, type: type, dimension: dimension)
    }

    /// Whether everything passes.
    public var isEmpty: Bool { filter.isEmpty }
}

extension LocationListViewModel {
    /// Creates the screen; showing a filter fills it.
    ///
    /// - Parameters:
    ///   - repository: Where locations come from.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - clock: Measures the pause after which typed text counts.
    public convenience init(
        repository: any RickAndMorty.LocationRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let texts = texts.about(.rickAndMorty)
        self.init(
            title: texts(.locationsTitle),
            texts: texts,
            policy: policy,
            prefetchDistance: prefetchDistance,
            clock: clock,
            page: { filter, cursor throws(BrowseError) in try await repository.page(of: filter, at: cursor) },
            row: { LocationRow($0, texts: texts) }
        )
    }
}
