public import BrowseDomain

/// A favorite repository in memory.
///
/// It behaves like `SQLiteFavoriteRepository`; the same tests check both. Copies share their
/// favorites, and each has its own ``onCall``:
///
/// ```swift
/// let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "favorites.sqlite"))
/// var favorites = InMemoryFavoriteRepository()
/// favorites.onCall = { call throws(BrowseError) in
///     if case .add = call { throw full }
///     return nil
/// }
/// ```
public struct InMemoryFavoriteRepository: FavoriteRepository {
    /// A call.
    public enum Call: Hashable, Sendable {
        /// A page.
        case page(of: FavoriteQuery, at: PageCursor?)
        /// An addition.
        case add(Favorite)
        /// An update.
        case update([Favorite])
        /// A removal.
        case remove(Favorite.ID)
        /// A read of all identities.
        case ids
    }

    // The calls are concurrent, so that callers return to their actor by themselves: Swift 6.3's
    // optimizer deletes the return at the end of a call that ends in another actor's.
    private let storage: Storage
    /// Runs before each call.
    ///
    /// Its answer replaces a page, or the favorites whose identities are read.
    public var onCall: CallHook<Call, Page<Favorite>>?
    /// Replaces ``changes``.
    package var onChanges: (@Sendable () -> AsyncStream<FavoriteChange>)?

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - favorites: The initial favorites, in the order of adding.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    ///   - onCall: Runs before each call; see ``onCall``.
    public init(
        _ favorites: [Favorite] = [],
        pageSize: Int = 100,
        onCall: CallHook<Call, Page<Favorite>>? = nil
    ) {
        storage = Storage(favorites, pageSize: max(1, pageSize))
        self.onCall = onCall
    }

    /// Returns a page of favorites.
    ///
    /// - Throws: `.refused(.foreignPage)` for another order's cursor, or `.cancelled`.
    @concurrent
    public func page(of query: FavoriteQuery, at cursor: PageCursor?) async throws(BrowseError) -> Page<Favorite> {
        if let answer = try await onCall?(.page(of: query, at: cursor)) { return answer }
        return try await storage.page(of: query, at: cursor)
    }

    /// Adds a favorite; returns `false` if it existed already.
    @concurrent
    public func add(_ favorite: Favorite) async throws(BrowseError) -> Bool {
        _ = try await onCall?(.add(favorite))
        return try await storage.add(favorite)
    }

    /// Updates those favorites that are stored.
    @concurrent
    public func update(_ favorites: [Favorite]) async throws(BrowseError) {
        _ = try await onCall?(.update(favorites))
        await storage.update(favorites)
    }

    /// Removes a favorite; returns `false` if it didn't exist.
    @concurrent
    public func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
        _ = try await onCall?(.remove(id))
        return await storage.remove(id)
    }

    /// The identities of all favorites.
    @concurrent
    public func ids() async throws(BrowseError) -> Set<Favorite.ID> {
        if let answer = try await onCall?(.ids) { return Set(answer.items.map(\.id)) }
        return await storage.ids
    }

    /// The changes from now on.
    public var changes: AsyncStream<FavoriteChange> { onChanges?() ?? storage.broadcast.stream() }
}

extension Favorite {
    /// The favorite as read from a file, whose entity must be decoded.
    fileprivate func stored(_ number: Int64?) -> Favorite {
        guard let payload else { return self }
        return Favorite(id: id, title: title, image: image, payload: payload, sequenceNumber: number)
    }
}

/// The favorites that copies of a repository share.
private actor Storage {
    nonisolated let broadcast = Broadcast<FavoriteChange>()
    private var favorites: [Favorite] = []
    /// The order of adding, as numbers that aren't reused.
    private var numbers: [Favorite.ID: Int64] = [:]
    private var lastNumber: Int64 = 0
    private let pageSize: Int

    init(_ favorites: [Favorite], pageSize: Int) {
        self.pageSize = pageSize
        for favorite in favorites where numbers[favorite.id] == nil {
            lastNumber += 1
            numbers[favorite.id] = lastNumber
            self.favorites.append(favorite.stored(lastNumber))
        }
    }

    var ids: Set<Favorite.ID> { Set(numbers.keys) }

    func page(of query: FavoriteQuery, at cursor: PageCursor?) throws(BrowseError) -> Page<Favorite> {
        guard !Task.isCancelled else { throw .cancelled }
        var rows = favorites.filter(query.includes)
        switch query.order {
        case .added:
            if let cursor {
                guard let last = Int64(cursor.rawValue) else { throw Self.foreignPage }
                rows.removeAll { numbers[$0.id, default: 0] <= last }
            }
        case .name:
            rows.sort { FavoriteSortKey($0) < FavoriteSortKey($1) }
            if let cursor {
                guard let last = FavoriteSortKey(cursor) else { throw Self.foreignPage }
                rows.removeAll { FavoriteSortKey($0) <= last }
            }
        }
        let page = Array(rows.prefix(pageSize))
        guard rows.count > pageSize, let last = page.last else { return Page(items: page) }
        return Page(items: page, next: self.cursor(after: last, in: query.order))
    }

    func add(_ favorite: Favorite) throws(BrowseError) -> Bool {
        guard favorite.payload != nil else {
            throw .storageFailed(StorageFailure(reason: .notEncodable, file: "memory"))
        }
        guard numbers[favorite.id] == nil else { return false }
        lastNumber += 1
        numbers[favorite.id] = lastNumber
        var added = favorite
        added.sequenceNumber = lastNumber
        favorites.append(favorite.stored(lastNumber))
        broadcast.send(.added(added))
        return true
    }

    func update(_ favorites: [Favorite]) {
        for var favorite in favorites where favorite.payload != nil {
            guard let place = self.favorites.firstIndex(where: { $0.id == favorite.id }),
                self.favorites[place] != favorite,
                // A newer version of the app may keep more.
                (self.favorites[place].payload?.version ?? 0) <= (favorite.payload?.version ?? 0)
            else { continue }
            favorite.sequenceNumber = self.favorites[place].sequenceNumber
            self.favorites[place] = favorite.stored(favorite.sequenceNumber)
            broadcast.send(.updated(favorite))
        }
    }

    func remove(_ id: Favorite.ID) -> Bool {
        guard let number = numbers.removeValue(forKey: id) else { return false }
        favorites.removeAll { $0.id == id }
        broadcast.send(.removed(id, sequenceNumber: number))
        return true
    }

    private func cursor(after favorite: Favorite, in order: FavoriteQuery.Order) -> PageCursor {
        switch order {
        case .added: PageCursor(rawValue: "\(numbers[favorite.id, default: 0])")
        case .name: FavoriteSortKey(favorite).cursor
        }
    }

    private static var foreignPage: BrowseError {
        .refused(.foreignPage, BrowseError.RequestInfo(endpoint: "InMemoryFavoriteRepository.page(of:at:)"))
    }
}
