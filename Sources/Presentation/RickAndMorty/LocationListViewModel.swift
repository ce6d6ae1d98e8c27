public import BrowseDomain

/// A screen with the locations that match a filter; by default all.
public typealias LocationListViewModel = RickAndMortyListViewModel<RickAndMorty.LocationFilter, LocationRow>

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
