public import BrowseDomain

/// A screen with the locations that match a filter; by default all.
public typealias LocationListViewModel = RickAndMortyListViewModel<LocationQuery>

/// The texts that a person filters locations by; blank ones are ignored.
public struct LocationQuery: RickAndMortyQuery {
    /// A row of the list.
    public typealias Row = LocationRow

    /// A part of the name.
    public var name: String = ""
    /// A part of the type.
    public var type: String = ""
    /// A part of the dimension.
    public var dimension: String = ""

    /// Creates an empty query, which matches every location.
    public init() {}

    /// Creates the query of a filter.
    public init(_ filter: RickAndMorty.LocationFilter) {
        name = filter.name ?? ""
        type = filter.type ?? ""
        dimension = filter.dimension ?? ""
    }

    /// The query in the form that the repository takes.
    public var filter: RickAndMorty.LocationFilter {
        RickAndMorty.LocationFilter(name: name, type: type, dimension: dimension)
    }
}

extension LocationListViewModel {
    /// Creates the screen; ``show(_:)`` loads it.
    public convenience init(repository: any RickAndMorty.LocationRepository, options: ScreenOptions) {
        self.init(.locationsTitle, options: options) { filter, cursor throws(BrowseError) in
            try await repository.page(of: filter, at: cursor)
        } row: {
            LocationRow($0, texts: $1)
        }
    }
}
