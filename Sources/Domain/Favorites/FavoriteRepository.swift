/// Where favorites are kept.
///
/// Choose `SQLiteFavoriteRepository` of BrowseData for a database file, or `InMemoryFavoriteRepository` of BrowseMocks for
/// tests and previews. Both keep the order of adding. A favorite that was added or removed is so for good when the call
/// returns.
///
/// Methods throw ``BrowseError``: `.storageFailed` when the storage cannot do it, in which case nothing has changed.
public protocol FavoriteRepository: Sendable {
    /// One page of favorites.
    ///
    /// A page begins after the last row of the one before, wherever that row stood, so that adding and removing between two
    /// pages neither repeats nor skips a row.
    ///
    /// - Parameters:
    ///   - query: Which ones, in which order.
    ///   - cursor: ``Page/next`` of the page before, or `nil` for the first page.
    func page(of query: FavoriteQuery, at cursor: PageCursor?) async throws(BrowseError) -> Page<Favorite>

    /// Keeps a favorite, after those that were added before.
    ///
    /// - Returns: `false` when it was there already; then nothing changes, not even what its row shows.
    func add(_ favorite: Favorite) async throws(BrowseError) -> Bool

    /// Forgets a favorite.
    ///
    /// - Returns: `false` when it was not there.
    func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool

    /// Everything that is kept, as identities: what lists of other things mark their rows by.
    func ids() async throws(BrowseError) -> Set<Favorite.ID>

    /// Every change from now on, in the order in which they were made; it ends when the repository goes away.
    ///
    /// What is read after this, and the changes, together tell everything; a change may be in both. When a damaged file was
    /// replaced before, that comes first.
    var changes: AsyncStream<FavoriteChange> { get }
}

/// What happened to the favorites.
public enum FavoriteChange: Hashable, Sendable {
    /// One was added, after all others.
    case added(Favorite)
    /// One was removed.
    case removed(Favorite.ID)
    /// Another process wrote, or a damaged file was replaced: these are the favorites now.
    case replaced(Set<Favorite.ID>)
    /// A damaged file was replaced, now or before anybody followed.
    case recovered(StorageRecovery)
}

/// What was done about a storage file that could not be read in full.
public struct StorageRecovery: Hashable, Sendable {
    /// The name of the file that the damaged one was moved to, in the same folder.
    public let damagedFile: String
    /// How many favorites could be read from it and were kept.
    public let savedCount: Int

    /// Creates a report.
    public init(damagedFile: String, savedCount: Int) {
        self.damagedFile = damagedFile
        self.savedCount = savedCount
    }
}
