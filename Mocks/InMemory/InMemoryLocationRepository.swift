public import BrowseDomain

/// A repository of locations in memory, with the API's filters, for tests and previews.
public struct InMemoryLocationRepository: RickAndMorty.LocationRepository {
    private let rows: NumberedRows<RickAndMorty.Location>

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - locations: All locations, in order; those whose ID occurred before are ignored.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    public init(_ locations: [RickAndMorty.Location], pageSize: Int = 20) {
        rows = NumberedRows(locations, pageSize: pageSize)
    }

    /// Returns a page of the locations that pass a filter.
    ///
    /// - Throws: `.refused(.foreignPage)` for another filter's cursor, or `.cancelled`.
    public func page(
        of filter: RickAndMorty.LocationFilter,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<RickAndMorty.Location> {
        let endpoint = "InMemoryLocationRepository.page(of:at:)"
        return try rows.page(at: cursor, of: "\(filter)", endpoint: endpoint, where: filter.includes)
    }

    /// Returns a location.
    ///
    /// - Throws: `.notFound` for an unknown ID, or `.cancelled`.
    public func location(_ id: RickAndMorty.Location.ID) async throws(BrowseError) -> RickAndMorty.Location {
        try rows.one(id, endpoint: "InMemoryLocationRepository.location(_:)")
    }

    /// Returns several locations in the requested order, without those that don't exist.
    ///
    /// - Throws: `.cancelled`.
    public func locations(
        _ ids: [RickAndMorty.Location.ID]
    ) async throws(BrowseError) -> Page<RickAndMorty.Location> {
        try rows.several(ids)
    }
}
