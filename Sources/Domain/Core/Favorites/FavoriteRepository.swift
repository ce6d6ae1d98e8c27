/// Stores favorites in the order of adding.
///
/// Use `SQLiteFavoriteRepository` of BrowseData for a database file, or
/// `InMemoryFavoriteRepository` of BrowseCoreMocks for tests and previews. A change is durable when
/// the call returns.
///
/// Methods throw ``BrowseError``: `.storageFailed`, in which case nothing has changed. With two
/// reasons, a change may be applied nevertheless: with `.busy`, later, if the disk hangs in the
/// middle of it, and with `.unavailable`, if the connection to another machine ended before the
/// reply. It's safe to repeat the change, and ``changes`` reports it.
public protocol FavoriteRepository: Sendable {
    /// Returns one page of favorites.
    ///
    /// A page starts after the last row of the previous page, even if that row was removed, so
    /// changes between two pages neither repeat nor skip a row that remains. Its favorites have
    /// their ``Favorite/sequenceNumber``.
    ///
    /// - Parameters:
    ///   - query: The filter and the order.
    ///   - cursor: ``Page/next`` of the previous page; `nil` for the first page.
    /// - Throws: ``BrowseError``: also `.refused(.foreignPage)` if the cursor isn't one of this
    ///   order.
    func page(of query: FavoriteQuery, at cursor: PageCursor?) async throws(BrowseError) -> Page<Favorite>

    /// Adds a favorite after all others.
    ///
    /// - Returns: `false` if it existed already; then nothing changes, including the row's title
    ///   and image.
    func add(_ favorite: Favorite) async throws(BrowseError) -> Bool

    /// Replaces the titles, images, and entities of those favorites that are stored, in their
    /// places.
    ///
    /// It adds none, such as one that was removed meanwhile, and writes none that is equal to the
    /// stored one. Each of the others is reported as ``FavoriteChange/updated(_:)``.
    func update(_ favorites: [Favorite]) async throws(BrowseError)

    /// Removes a favorite.
    ///
    /// - Returns: `false` if it didn't exist.
    func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool

    /// Returns the identities of all favorites.
    func ids() async throws(BrowseError) -> Set<Favorite.ID>

    /// Reports changes that other processes have made since the last use as
    /// ``FavoriteChange/replaced(_:)``.
    ///
    /// View models call it whenever a screen appears. A failure isn't reported. The default does
    /// nothing, for a store that reports such changes by itself.
    func reportExternalChanges() async

    /// Ends the report of a recovery to later streams of ``changes``, since a screen shows it.
    ///
    /// The default does nothing.
    func endRecoveryReport()

    /// The changes from now on, in order; the stream ends when the repository is deallocated.
    ///
    /// Read the favorites after subscribing, so that no change is missed; a change may be in both.
    /// If this repository has replaced a damaged file, the stream starts with
    /// ``FavoriteChange/recovered(_:)``, until ``endRecoveryReport()`` is called.
    var changes: AsyncStream<FavoriteChange> { get }
}

extension FavoriteRepository {
    /// Does nothing.
    public func reportExternalChanges() async {}

    /// Does nothing.
    public func endRecoveryReport() {}
}
