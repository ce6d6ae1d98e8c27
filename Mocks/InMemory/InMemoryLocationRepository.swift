public import BrowseDomain

/// Locations that a test or a preview brings along, filtered as the Rick and Morty API filters them.
public struct InMemoryLocationRepository: RickAndMorty.LocationRepository {
    private let rows: NumberedRows<RickAndMorty.Location>

    /// Creates a repository of these locations.
    ///
    /// - Parameters:
    ///   - locations: All of them, in order; of two with one number, the first counts.
    ///   - pageSize: How many rows a page has; below 1 is raised to that.
    public init(_ locations: [RickAndMorty.Location], pageSize: Int = 20) {
        rows = NumberedRows(locations, pageSize: pageSize)
    }

    /// One page of the locations that pass a filter.
    ///
    /// - Throws: `.refused(.foreignPage)` when the cursor is not one of this filter, `.cancelled` when the calling task is
    ///   canceled.
    public func page(
        of filter: RickAndMorty.LocationFilter,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<RickAndMorty.Location> {
        let endpoint = "InMemoryLocationRepository.page(of:at:)"
        return try rows.page(at: cursor, of: "\(filter)", endpoint: endpoint, where: filter.includes)
    }

    /// One location.
    ///
    /// - Throws: `.notFound` when there is none of that number, `.cancelled` when the calling task is cancelled.
    public func location(_ id: RickAndMorty.Location.ID) async throws(BrowseError) -> RickAndMorty.Location {
        try rows.one(id, endpoint: "InMemoryLocationRepository.location(_:)")
    }

    /// Several locations in the order asked for; those that do not exist are left out.
    ///
    /// - Throws: `.cancelled` when the calling task is cancelled.
    public func locations(
        _ ids: [RickAndMorty.Location.ID]
    ) async throws(BrowseError) -> Page<RickAndMorty.Location> {
        try rows.several(ids)
    }
}
