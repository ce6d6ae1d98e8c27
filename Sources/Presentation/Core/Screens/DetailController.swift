public import BrowseDomain

/// Loads one entity for a screen, then related items, and writes its part of the screen's state.
///
/// ```swift
/// func show(_ id: Book.ID) async {
///     let load = book.begin { [books] () throws(BrowseError) in try await books.book(id) }
///     await load()
/// }
/// ```
///
/// All callers share a load. It's canceled when all of them have been, unless ``ScreenLoad/keep()`` was called. A cached entity
/// stays, with a notice, if the server can't be reached, and is removed if the server no longer has it.
@MainActor
public final class DetailController<Entity: Equatable & Sendable, Details: Equatable & Sendable> {
    typealias Fetch = @Sendable () async throws(BrowseError) -> Entity

    /// The end of the last load that wasn't canceled.
    private enum Outcome: Equatable {
        case none, loaded
        case failed(Message)
    }

    /// The related list, without the types of its rows and items.
    private struct Related {
        let begin: @MainActor (Entity, RowRetention) -> ScreenLoad
        let clear: @MainActor () -> Void
        let retry: @MainActor () async -> Void
    }

    /// The entity; `nil` until it's loaded.
    public private(set) var entity: Entity?

    private let options: ScreenOptions
    private let makeDetails: @MainActor (Entity) -> Details
    private let publish: @MainActor () -> Void
    private let showNotice: @MainActor (Message?) -> Void
    private var content = DetailState<Details>()
    private var outcome = Outcome.none
    private var fetch: Fetch?
    private var load: CoalescedLoad?
    /// Changes when the controller starts over.
    private var generation = 0
    private var related: Related?
    private var accountObserver: AccountObserver?
    private var relatedLoad = ScreenLoad([])
    private var follow: @MainActor () -> CoalescedLoad? = { nil }
    /// Returns whether an entity is a favorite; `nil` if it can't be one.
    private var isMarked: (@MainActor (Entity) -> Bool)?
    private var refreshFavorite: @MainActor (Entity) -> Void = { _ in }
    private(set) var setFavorite: @MainActor (_ change: (Bool) -> Bool) async -> Void = { _ in
        ScreenMisuse.record("markFavorite(in:as:)")
    }

    /// Creates the controller of a screen that shows nothing.
    ///
    /// - Parameters:
    ///   - store: The state of the screen.
    ///   - keyPath: The entity's part of the state.
    ///   - notice: The message about a failure while the entity is shown.
    ///   - options: The texts and the load policy.
    ///   - details: Describes an entity.
    public init<State>(
        in store: StateStore<State>,
        at keyPath: WritableKeyPath<State, DetailState<Details>>,
        notice: WritableKeyPath<State, Message?>,
        options: ScreenOptions,
        details: @escaping @MainActor (Entity) -> Details
    ) {
        self.options = options
        makeDetails = details
        publish = { [weak store] in store?.amend() }
        showNotice = { [weak store] message in store?.amend { $0[keyPath: notice] = message } }
        store.addPart { [weak self] state in
            guard let self else { return }
            state[keyPath: keyPath] = content
            state[keyPath: keyPath].isFavorite = isMarked.map { isMarked in entity.map(isMarked) ?? false }
        }
    }

    deinit { load?.cancel() }

    /// The intents of the entity, for the front end.
    public var controls: DetailControls { controls() }

    /// The intents of the entity, for a screen that loads more than the entity.
    ///
    /// - Parameter reload: Loads what the screen shows, when the person retries or refreshes.
    public func controls(reload: (@MainActor () async -> Void)? = nil) -> DetailControls {
        DetailControls(retry: reload ?? retry, refresh: reload ?? refresh) {
            await self.setFavorite($0)
        } dismissNotice: {
            self.show(nil)
        }
    }

    /// Loads a list of related items after the entity.
    ///
    /// - Parameters:
    ///   - list: The list; it's empty until the entity is loaded.
    ///   - empty: The message of a list without rows.
    ///   - page: Fetches the items, away from the main actor.
    ///   - row: Makes the row of an item.
    public func relate<Row, Item: Sendable>(
        _ list: ListController<Row>,
        empty: Message,
        page: @escaping @Sendable (Entity) async throws(BrowseError) -> Page<Item>,
        row: @escaping @MainActor @Sendable (Item) -> Row
    ) {
        related = Related { entity, retention in
            list.begin(retention, empty: empty) { _ throws(BrowseError) in
                try await page(entity)
            } accept: { page, _ in
                page.map(row)
            }
        } clear: {
            list.clear()
        } retry: {
            if list.pagedList.hasFailed { await list.retry() } else { await list.loadMore() }
        }
    }

    /// Shows whether the entity is a favorite, and lets the person change that.
    ///
    /// - Parameters:
    ///   - repository: The storage of favorites.
    ///   - isComplete: Whether a fresh entity has all that its favorite shows, so that a stored one is updated.
    ///   - makeFavorite: Makes the favorite of an entity.
    public func markFavorite(
        in repository: any FavoriteRepository,
        isComplete: @escaping @MainActor (Entity) -> Bool = { _ in true },
        as makeFavorite: @escaping @MainActor (Entity) -> Favorite
    ) {
        let tracker = FavoriteTracker(repository: repository)
        tracker.addObserver { [weak self] _ in self?.publish() }
        follow = { tracker.follow() }
        refreshFavorite = { entity in
            if isComplete(entity) { tracker.refresh { [makeFavorite(entity)] } }
        }
        isMarked = { tracker.contains(makeFavorite($0).id) }
        setFavorite = { [weak self] change in
            guard let self, let entity else { return }
            let favorite = makeFavorite(entity)
            let isShown = tracker.contains(favorite.id)
            show(nil)
            let error = await tracker.set(favorite, to: change(isShown), shownAs: isShown)
            // The screen can show another entity by now.
            if let error, self.entity.map(makeFavorite)?.id == favorite.id {
                show(texts.message(for: error).ofChange)
            }
        }
    }
}

extension DetailController {
    /// Starts over with an entity to load.
    ///
    /// - Parameter fetch: Fetches the entity, away from the main actor.
    /// - Returns: The load of the entity and its related items; call it to start the load.
    public func begin(_ fetch: @escaping @Sendable () async throws(BrowseError) -> Entity) -> ScreenLoad {
        self.fetch = fetch
        return start(fetch)
    }

    /// Starts over with an entity that is loaded already.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - fetch: Fetches the entity again when it's refreshed, away from the main actor.
    /// - Returns: The load of the related items and the favorite's mark.
    public func begin(
        with entity: Entity,
        refreshedBy fetch: @escaping @Sendable () async throws(BrowseError) -> Entity
    ) -> ScreenLoad {
        stop()
        self.fetch = fetch
        outcome = .loaded
        let related = receive(Loaded(entity, .fresh))
        show(nil)
        return ScreenLoad(related.loads + [follow()])
    }

    /// Removes the entity, cancels the load in flight, and shows a status in their place.
    public func clear(_ status: DetailState<Details>.Status = .idle) {
        stop()
        fetch = nil
        content.status = status
        publish()
    }

    /// Shows a message beside the entity, in place of the current one; `nil` removes it.
    public func show(_ notice: Message?) { showNotice(notice) }

    func retry() async {
        let isLoaded = entity != nil && outcome == .loaded && load?.canBeJoined != true
        if isLoaded { await related?.retry() } else { await refresh() }
    }

    /// Starts over when another account of a session, or none, is in use; see ``ListController``.
    public func restartOnAccountChange<User>(of session: SessionManager<User>) {
        accountObserver = AccountObserver(session) { [weak self] in
            if let self, let fetch { start(fetch).keep() }
        }
    }

    /// Loads the entity again; see ``DetailViewModel/refresh()``.
    public func refresh() async {
        if let load, load.canBeJoined { return await load.wait() }
        guard let fetch else { return ScreenMisuse.record(atStart: generation) }
        await (entity == nil ? start(fetch) : load(fetch))()
    }
}

extension DetailController {
    private var texts: Texts { options.texts }

    private func start(_ fetch: @escaping Fetch) -> ScreenLoad {
        stop()
        content.status = .loading
        return load(fetch)
    }

    private func stop() {
        load?.cancel()
        generation += 1
        (load, entity) = (nil, nil)
        outcome = .none
        content = DetailState()
        related?.clear()
        relatedLoad = ScreenLoad([])
    }

    /// Loads the entity, which stays until the response arrives.
    private func load(_ fetch: @escaping Fetch) -> ScreenLoad {
        generation += 1
        show(nil)
        // The work doesn't retain the controller while it waits.
        let (generation, isRefresh) = (generation, entity != nil)
        let policy = isRefresh ? options.policy.withoutPreview : options.policy
        let load = CoalescedLoad { [weak self] in
            let result = await Result.of { () throws(BrowseError) in
                try await policy.load(fetch) { cached in await self?.preview(cached, generation) }
            }
            await self?.receive(result, generation, isRefresh)?()
        }
        self.load = load
        load.onDelay(by: options.clock) { [weak self] in
            guard let self, generation == self.generation else { return }
            content.delay = texts(.delayed)
            publish()
        }
        return ScreenLoad([load, follow()])
    }

    private func preview(_ cached: Loaded<Entity>, _ generation: Int) {
        guard generation == self.generation else { return }
        // Related items may be cached too.
        receive(cached).start()
    }

    /// Processes the result of a load; returns the load of the related items.
    private func receive(
        _ result: Result<Loaded<Entity>, BrowseError>,
        _ generation: Int,
        _ isRefresh: Bool
    ) -> ScreenLoad? {
        guard generation == self.generation else { return nil }
        content.delay = nil
        switch result {
        case .success(let loaded):
            outcome = .loaded
            if loaded.provenance.date == nil { refreshFavorite(loaded.value) }
            // Related items of a cached entity are loading already.
            if loaded.value != entity || isRefresh { return receive(loaded) }
            setProvenance(loaded.provenance)
        case .failure(.cancelled):
            if entity == nil { content.status = .idle }
            // A refresh had removed it.
            if case .failed(let message) = outcome { show(message) }
        case .failure(let error) where entity == nil || error.isNotFound:
            (entity, outcome) = (nil, .none)
            content = DetailState()
            content.status = .failed(texts.message(for: error))
            related?.clear()
        case .failure(let error):
            outcome = .failed(texts.message(for: error))
            show(texts.message(for: error))
        }
        publish()
        return relatedLoad
    }

    /// Shows an entity, and begins to load its related items.
    private func receive(_ loaded: Loaded<Entity>) -> ScreenLoad {
        // The related items of a newer version are mostly the same.
        let retention: RowRetention = entity == nil ? .discard : .keepUntilPage
        entity = loaded.value
        content.status = .loaded(makeDetails(loaded.value))
        if let details = content.details as? any EntityDetails { ScreenMisuse.check(details.facts) }
        setProvenance(loaded.provenance)
        if let related { relatedLoad = related.begin(loaded.value, retention) }
        publish()
        return relatedLoad
    }

    private func setProvenance(_ provenance: Provenance) {
        content.provenance = provenance
        content.age = texts.age(of: provenance)
    }
}
