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

    /// The changes from now on, in order; the stream ends when the repository is deallocated.
    ///
    /// Read the favorites after subscribing, so that no change is missed; a change may be in both.
    /// If this repository has replaced a damaged file, the stream starts with
    /// ``FavoriteChange/recovered(_:)``.
    var changes: AsyncStream<FavoriteChange> { get }
}

extension FavoriteRepository {
    /// Does nothing.
    public func reportExternalChanges() async {}
}

/// A change of the favorites.
public enum FavoriteChange: Hashable, Sendable {
    /// A favorite was added after all others; it has a ``Favorite/sequenceNumber``.
    case added(Favorite)
    /// A favorite was removed; if it's in a page with another sequence number, it was added again.
    case removed(Favorite.ID, sequenceNumber: Int64)
    /// The title, image, or entity of a favorite changed, but not its ``Favorite/sequenceNumber``.
    case updated(Favorite)
    /// All favorites, which another process or the recovery of a damaged file may have changed.
    case replaced(Set<Favorite.ID>)
    /// This repository has replaced a damaged file, now or before the stream started.
    case recovered(StorageRecovery)
}

/// The result of recovering a storage file that couldn't be read completely.
public struct StorageRecovery: Hashable, Sendable {
    /// The new name of the damaged file, in the same folder.
    public let damagedFile: String
    /// The number of favorites that were recovered.
    public let savedCount: Int

    /// Creates a recovery report.
    public init(damagedFile: String, savedCount: Int) {
        self.damagedFile = damagedFile
        self.savedCount = savedCount
    }
}

/// A filter and an order for favorites.
public struct FavoriteQuery: Hashable, Sendable {
    /// An order of favorites.
    public enum Order: Hashable, Sendable {
        /// Sorts favorites in the order in which they were added.
        case added
        /// Sorts favorites by section and name, as ``FavoriteSortKey`` compares them.
        case name
    }

    /// The kinds to include; an empty set includes all.
    public var kinds: Set<Favorite.Kind>
    /// Part of the name, as ``TypedText/isPart(of:)`` finds it; blank matches all.
    public var filter: String
    /// The order of the favorites.
    public var order: Order

    /// Creates a query; by default for all favorites, in the order they were added.
    public init(kinds: Set<Favorite.Kind> = [], filter: String = "", order: Order = .added) {
        self.kinds = kinds
        self.filter = filter
        self.order = order
    }

    /// Returns whether the query includes a favorite.
    public func includes(_ favorite: Favorite) -> Bool {
        guard kinds.isEmpty || kinds.contains(favorite.kind) else { return false }
        return filter.isEmpty || TypedText(filter).isPart(of: favorite.title)
    }
}
