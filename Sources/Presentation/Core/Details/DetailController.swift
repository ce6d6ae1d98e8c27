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
/// All callers share a load. It's canceled when all of them have been, unless ``ScreenLoad/keep()``
/// was called. If the same entity is loaded again meanwhile, such as for another account, they wait
/// for that load. A cached entity stays, with a notice, if the server can't be reached, and is
/// removed if the server no longer has it, unless it's a favorite, of which this is the last copy.
@MainActor
public final class DetailController<Entity: Equatable & Sendable, Details: Equatable & Sendable> {
    /// Fetches the entity, away from the main actor.
    public typealias Fetch = @Sendable () async throws(BrowseError) -> Entity

    /// The end of the last load that wasn't canceled.
    private enum Outcome: Equatable {
        case none, loaded
        case failed(Message)
    }

    /// A related list or entity, without its types.
    private struct Related {
        let clear: @MainActor () -> Void
        let retry: @MainActor () async -> Void
        let begin: @MainActor (Entity, RowRetention) -> ScreenLoad
    }

    /// The entity; `nil` until it's loaded.
    public private(set) var entity: Entity?

    /// The entity and its source, as a preview for another screen; `nil` until it's loaded.
    public var preview: EntityPreview<Entity>? { entity.map { EntityPreview($0, from: source) } }

    private let options: ScreenOptions
    private var source = PreviewSource.saved
    private let makeDetails: @MainActor (Entity) -> Details
    private let publish: @MainActor () -> Void
    /// Shows a message, in place of one that a condition accepts.
    private let showNotice: @MainActor (_ message: Message?, _ replaces: @escaping (Message?) -> Bool) -> Void
    private var content = DetailState<Details>()
    private var outcome = Outcome.none
    private var fetch: Fetch?
    private var load: CoalescedLoad?
    /// Whether the last load ended without the server's answer, while it can be loading related
    /// items.
    private var lacksAnswer = false
    /// Changes when the controller starts over.
    private var generation = 0
    private var related: [Related] = []
    /// Whether the entity is loaded beside another one, whose notices stay.
    private var isRelated = false
    private var accountObserver: AccountObserver?
    /// Returns why the session of the entity ended; `nil` if it goes on, or if it needs none.
    private var signOutReason: @MainActor () -> SignOutReason? = { nil }
    private var relatedLoad = ScreenLoad([])
    private var follows: [@MainActor () -> ScreenLoad?] = []
    /// Returns whether an entity is a favorite; `nil` if it can't be one.
    private var isMarked: (@MainActor (Entity) -> Bool)?
    private var refreshFavorite: @MainActor (Entity) -> Void = { _ in }
    private(set) var setFavorite: @MainActor (_ change: (Bool) -> Bool) async -> Void = { _ in
        let remedy = "Set favorites of its ScreenOptions, and call markFavorite(as:) of its controller."
        ScreenMisuse.record(without: "favorite", remedy: remedy)
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
        publish = { [weak store] in store?.update() }
        showNotice = { [weak store] message, replaces in
            store?.update { if replaces($0[keyPath: notice]) { $0[keyPath: notice] = message } }
        }
        store.addPart { [weak self] state in
            guard let self else { return }
            state[keyPath: keyPath] = content
            state[keyPath: keyPath].isFavorite = isMarked.map { isMarked in entity.map(isMarked) ?? false }
        }
        (self as? any FavoriteMarking)?.markFavorites()
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

    /// Loads a list of related items after the entity, beside those of other calls.
    ///
    /// - Parameters:
    ///   - list: The list; it's empty until the entity is loaded.
    ///   - empty: The message of a list without rows.
    ///   - page: Fetches a page of the items, away from the main actor; the first has no cursor.
    ///   - row: Makes the row of an item.
    public func relate<Row, Item: Sendable>(
        _ list: ListController<Row>,
        empty: Message,
        page: @escaping @Sendable (Entity, PageCursor?) async throws(BrowseError) -> Page<Item>,
        row: @escaping @MainActor @Sendable (Item) -> Row
    ) {
        let part = Related(clear: list.clear, retry: list.retry) { entity, retention in
            let fetch = { @Sendable (cursor: PageCursor?) async throws(BrowseError) in try await page(entity, cursor) }
            return list.begin(retention, empty: empty, page: fetch, row: row)
        }
        related.append(part)
    }

    /// Loads another entity after this one, such as its text, and again when this one is refreshed.
    ///
    /// - Parameters:
    ///   - other: The controller of the other entity; it's empty until this one is loaded.
    ///   - isSame: Whether a version of this entity has the same other entity as the one before.
    ///   - fetch: Fetches the other entity, away from the main actor.
    public func relate<Other, OtherDetails>(
        _ other: DetailController<Other, OtherDetails>,
        ifSame isSame: @escaping @MainActor (Entity, Entity) -> Bool = { _, _ in true },
        fetch: @escaping @Sendable (Entity) async throws(BrowseError) -> Other
    ) {
        other.isRelated = true
        var last: Entity?
        let part = Related(clear: { other.clear() }, retry: other.retry) { entity, retention in
            defer { last = entity }
            // The load that began with a cached entity continues.
            let isKept = retention == .keepUntilPage && last.map { isSame($0, entity) } == true
            if isKept { return ScreenLoad { await other.refresh() } }
            return other.begin { () throws(BrowseError) in try await fetch(entity) }
        }
        related.append(part)
    }

    /// Adds a load of what the screen shows beside the entity, such as a mark, to each load.
    ///
    /// - Parameter follow: Starts the load, and observes changes; returns `nil` if callers don't
    ///   wait for it.
    public func onLoad(_ follow: @escaping @MainActor () -> ScreenLoad?) { follows.append(follow) }

    /// Shows whether the entity is a favorite, and lets the person change that.
    ///
    /// Does nothing without ``ScreenOptions/favorites``. If the entity is `Favoritable`, the
    /// controller has called it already.
    ///
    /// - Parameter makeFavorite: Makes the favorite of an entity, which also replaces the stored
    ///   one when a fresh entity arrives.
    public func markFavorite(as makeFavorite: @escaping @MainActor (Entity) -> Favorite) {
        guard let repository = options.favorites else { return }
        let tracker = FavoriteTracker(repository: repository)
        tracker.addObserver { [weak self] _ in self?.publish() }
        onLoad { tracker.follow().map { ScreenLoad([$0]) } }
        refreshFavorite = { entity in tracker.refresh { [makeFavorite(entity)] } }
        isMarked = { tracker.contains(makeFavorite($0).id) }
        setFavorite = { [weak self] change in
            guard let self, let entity else { return ScreenMisuse.record(atStart: 0, by: "A favorite's change") }
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
    /// With `LoadPolicy.cached(upTo:)`, a preview of that age isn't loaded. If the person has
    /// changed the entity since its list was read, load the list again, or call ``refresh()``.
    ///
    /// - Parameters:
    ///   - preview: The entity of a row or a favorite, which stays until the response arrives;
    ///     `nil` if none is known.
    ///   - fetch: Fetches the entity, away from the main actor.
    /// - Returns: The load of the entity and its related items. Call it to start the load;
    ///   otherwise, the next ``DetailViewModel/retry()`` does.
    public func begin(with preview: EntityPreview<Entity>? = nil, _ fetch: @escaping Fetch) -> ScreenLoad {
        self.fetch = fetch
        // Callers of the entity before don't wait for this one.
        load.take()?.cancel()
        guard let preview else { return start(fetch) }
        stop()
        let accepted = preview.source.accepted(by: options.policy, at: texts.formats.now())
        let related = receive(preview.value, from: accepted.map(readNow) ?? preview.source)
        if accepted != nil {
            outcome = .loaded
            return ScreenLoad(related.loads + followed)
        }
        return ScreenLoad(load(fetch).loads + related.loads)
    }

    /// Removes the entity, cancels the load in flight, and shows a status in their place.
    public func clear(_ status: DetailState<Details>.Status = .idle) {
        load.take()?.cancel()
        stop()
        fetch = nil
        content.status = status
        publish()
    }

    /// Shows a message beside the entity, in place of the current one; `nil` removes it.
    public func show(_ notice: Message?) { showNotice(notice) { _ in true } }

    /// Hides a message, unless another one is shown by now.
    @_spi(Services) public func hide(_ notice: Message?) { showNotice(nil) { $0 == notice } }

    /// Loads the entity if it isn't loaded, or else related items; see ``DetailViewModel/retry()``.
    public func retry() async {
        _ = followed
        guard fetch != nil else { return ScreenMisuse.record(atStart: generation) }
        let isLoaded = entity != nil && outcome == .loaded && load?.canBeJoined != true
        guard isLoaded, !options.policy.isFallback(content.provenance) else { return await refresh() }
        // At once: a list that waits for its time limit holds up no other.
        await withDiscardingTaskGroup { group in
            for part in related { group.addTask { await part.retry() } }
        }
    }

    /// Starts over when another account of a session, or none, is in use; see ``ListController``.
    public func restartOnAccountChange<User>(of session: SessionManager<User>) {
        signOutReason = { if case .signedOut(let reason) = session.current { reason } else { nil } }
        accountObserver = AccountObserver(session) { [weak self] _, isOther in
            if isOther { self?.restart().keep() }
        }
    }

    /// Starts over with the same entity; does nothing if the controller shows nothing.
    public func restart() -> ScreenLoad { fetch.map(start) ?? ScreenLoad([]) }

    /// Loads the entity again; see ``DetailViewModel/refresh()``.
    public func refresh() async {
        // A person who asks again gets the server's answer.
        let isAsked = lacksAnswer && LoadOptions.current.isRetry
        if let load, load.isCurrent, !isAsked { return await load.wait() }
        // The server may not answer this time, either. Then only they can still arrive.
        if isAsked { relatedLoad.keep() }
        guard let fetch else { return ScreenMisuse.record(atStart: generation) }
        await (entity == nil ? start(fetch) : load(fetch, isRefresh: true))()
    }
}

extension DetailController {
    private var texts: Texts { options.texts }
    private var followed: [CoalescedLoad] { follows.flatMap { $0()?.loads ?? [] } }

    private func start(_ fetch: @escaping Fetch) -> ScreenLoad {
        stop()
        content.status = .loading
        return load(fetch)
    }

    /// Removes the entity and its related items; a load in flight ends when it's replaced.
    private func stop() {
        generation += 1
        entity = nil
        source = .saved
        outcome = .none
        content = DetailState()
        for part in related { part.clear() }
        relatedLoad = ScreenLoad([])
    }

    /// Loads the entity, which stays until the response arrives.
    private func load(_ fetch: @escaping Fetch, isRefresh: Bool = false) -> ScreenLoad {
        generation += 1
        if !isRelated { show(nil) } else if case .failed(let message) = outcome { hide(message) }
        // The work doesn't retain the controller while it waits.
        let generation = generation
        let policy = options.policy
        let isShown = entity != nil
        let accepted = isRefresh ? nil : policy.accepted
        let load = CoalescedLoad { [weak self] in
            let result = await Result.of { () throws(BrowseError) in
                try await policy.load(isShown: isShown, accepting: accepted, fetch) { cached in
                    await self?.preview(cached, generation)
                }
            }
            // Only then is it known whether the entity is a favorite.
            if result.failure?.isNotFound == true { await ScreenLoad(self?.followed ?? [])() }
            await self?.receive(result, generation, isRefresh)?()
        }
        self.load?.cancel(replacedBy: load)
        self.load = load
        lacksAnswer = false
        return ScreenLoad([load] + followed)
    }

    private func preview(_ cached: Loaded<Entity>, _ generation: Int) {
        guard generation == self.generation else { return }
        // Related items may be cached too. Their only caller can be a row, which must not cancel
        // them.
        receive(cached.value, from: readNow(cached.provenance)).keep()
    }

    /// Processes the result of a load; returns the work that waits for the related items.
    private func receive(
        _ result: Result<Loaded<Entity>, BrowseError>,
        _ generation: Int,
        _ isRefresh: Bool
    ) -> CoalescedLoad.Work? {
        guard generation == self.generation else { return nil }
        // They end with the callers of the entity's load as soon as it waits for them. Until then,
        // a row that disappears can be their only caller.
        let kept = relatedLoad.loads
        defer { for load in kept { load.release() } }
        switch result {
        case .success(let loaded):
            // The row that was opened can be newer than the cache.
            let newer = outcome == .none ? source.provenance(ifNewerThan: loaded.provenance) : nil
            outcome = .loaded
            lacksAnswer = !loaded.provenance.isCurrent
            if let newer {
                setSource(readNow(newer))
                break
            }
            if loaded.provenance.isCurrent { refreshFavorite(loaded.value) }
            // Related items of a cached entity are loading already.
            if loaded.value != entity || isRefresh {
                return receive(loaded.value, from: readNow(loaded.provenance)).join()
            }
            // Equal values can differ in what isn't shown, such as when they were read.
            entity = loaded.value
            setSource(readNow(loaded.provenance))
        case .failure(.cancelled):
            if entity == nil { content.status = .idle }
            // A refresh had removed it. Another one, such as about a star, can have appeared since.
            if case .failed(let message) = outcome { showNotice(message) { $0 == nil } }
        case .failure(let error) where error.isNotFound && entity.map { isMarked?($0) == true } == true:
            // The copy of a favorite, and the way to remove it, exist nowhere else.
            outcome = .none
            content.isUnavailable = true
            setSource(.saved)
        case .failure(let error) where entity == nil || error.isNotFound:
            entity = nil
            outcome = .none
            content = DetailState()
            let reason: SignOutReason? = if case .unauthorized = error { signOutReason() } else { nil }
            content.status = .failed(reason.map { texts.message(for: $0) } ?? texts.message(for: error))
            for part in related { part.clear() }
        case .failure(let error):
            outcome = .failed(texts.message(for: error))
            lacksAnswer = true
            show(texts.message(for: error))
            // Content that was current when it was read may not be by now.
            setSource(source)
        }
        publish()
        return relatedLoad.join()
    }

    /// Shows an entity, and begins to load its related items.
    private func receive(_ entity: Entity, from source: PreviewSource) -> ScreenLoad {
        // The related items of a newer version are mostly the same.
        let retention: RowRetention = self.entity == nil ? .discard : .keepUntilPage
        self.entity = entity
        content.status = .loaded(makeDetails(entity))
        content.isUnavailable = false
        if let details = content.details as? any EntityDetails { ScreenMisuse.check("facts", details.facts.map(\.id)) }
        setSource(source)
        relatedLoad = ScreenLoad(related.flatMap { $0.begin(entity, retention).loads })
        publish()
        return relatedLoad
    }

    private func readNow(_ provenance: Provenance) -> PreviewSource {
        PreviewSource(provenance, readAt: texts.formats.now())
    }

    private func setSource(_ source: PreviewSource) {
        self.source = source
        let provenance = source.provenance(at: texts.formats.now())
        content.provenance = provenance
        content.age = content.isUnavailable ? texts(texts.service.gone) : texts.age(of: provenance)
    }
}
