public import BrowseDomain

/// Loads one thing for a screen and then what is related to it, and writes the thing's part of the screen's state.
///
/// ```swift
/// func show(_ login: GitHub.Login) async {
///     let load = profile.begin { [users] () throws(BrowseError) in try await users.profile(of: login) }
///     await load()
/// }
/// ```
///
/// All callers share a load; it is canceled once all of them have been. A thing that was shown before the server answered
/// stays when the server can't be reached, with a notice, and goes when the server no longer has it.
@MainActor
public final class DetailController<Thing: Equatable & Sendable, Details: Equatable & Sendable> {
    typealias Fetch = @Sendable () async throws(BrowseError) -> Thing

    /// The related list, whatever its rows are.
    private struct Related {
        let begin: @MainActor (Thing, RowRetention) -> ListLoad
        let clear: @MainActor () -> Void
        let retry: @MainActor () async -> Void
    }

    /// The thing; `nil` while it isn't loaded.
    public private(set) var thing: Thing?

    let texts: Texts
    private let policy: LoadPolicy
    private let makeDetails: @MainActor (Thing) -> Details
    private let publish: @MainActor () -> Void
    private let amendNotice: @MainActor (@escaping (inout Message?) -> Void) -> Void
    private var content = DetailState<Details>()
    private var hasFailed = false
    private var fetch: Fetch?
    private var load: SharedLoad?
    private var identity: LoadIdentity?
    private var isLoading = false
    private var related: Related?
    private var relatedLoad = ListLoad([])
    private var follow: @MainActor () -> SharedLoad? = { nil }
    private(set) var toggle: @MainActor () async -> Void = {}

    /// Creates the controller of a screen that shows nothing.
    ///
    /// - Parameters:
    ///   - store: The state of the screen.
    ///   - keyPath: The thing's part of the state.
    ///   - notice: Where to report a failure, or a wait for a rate limit, beside a thing that is shown.
    ///   - texts: The texts for messages.
    ///   - policy: When cached things may be shown.
    ///   - details: Makes the texts that describe a thing.
    public init<State>(
        in store: StateStore<State>,
        at keyPath: WritableKeyPath<State, DetailState<Details>>,
        notice: WritableKeyPath<State, Message?>,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        details: @escaping @MainActor (Thing) -> Details
    ) {
        self.texts = texts
        self.policy = policy
        makeDetails = details
        publish = { [weak store] in store?.amend() }
        amendNotice = { [weak store] change in store?.amend { change(&$0[keyPath: notice]) } }
        store.addPart { [weak self] state in
            if let self { state[keyPath: keyPath] = content }
        }
    }

    deinit {
        load?.cancel()
    }

    /// What a front end can do with the thing.
    public var controls: DetailControls<Thing> {
        DetailControls {
            await self.retry()
        } toggleFavorite: {
            await self.toggle()
        }
    }

    /// Loads a list of related items after the thing.
    ///
    /// - Parameters:
    ///   - list: The list; it is empty while the thing isn't loaded.
    ///   - empty: The message of a list without rows.
    ///   - page: Fetches the items, away from the main actor.
    ///   - row: Makes a row of an item.
    public func relate<Row, Item: Sendable>(
        _ list: ListController<Row>,
        empty: Message,
        page: @escaping @Sendable (Thing) async throws(BrowseError) -> Page<Item>,
        row: @escaping @MainActor @Sendable (Item) -> Row
    ) {
        related = Related { thing, retention in
            list.begin(retention, empty: empty, page: { _ throws(BrowseError) in try await page(thing) }, row: row)
        } clear: {
            list.clear()
        } retry: {
            if list.list.hasFailed { await list.retry() } else { await list.loadMore() }
        }
    }

    /// Marks the thing if it is a favorite, and lets a person change that.
    ///
    /// - Parameters:
    ///   - repository: Where favorites are stored.
    ///   - store: The state of the screen.
    ///   - mark: The mark in the state.
    ///   - favorite: Makes a favorite of a thing.
    public func markFavorite<State>(
        in repository: any FavoriteRepository,
        store: StateStore<State>,
        at mark: WritableKeyPath<State, Bool>,
        as favorite: @escaping @MainActor (Thing) -> Favorite
    ) {
        let tracker = FavoriteTracker(repository: repository)
        tracker.addObserver { [weak self] _ in self?.publish() }
        follow = { tracker.follow() }
        store.addPart { [weak self] state in
            state[keyPath: mark] = self?.thing.map { tracker.contains(favorite($0).id) } ?? false
        }
        toggle = { [weak self] in
            guard let self, let thing else { return }
            let favorite = favorite(thing)
            show(await tracker.toggle(favorite, shownAs: tracker.contains(favorite.id)).map(texts.message(for:)))
        }
    }
}

extension DetailController {
    /// Starts over with a thing.
    ///
    /// - Parameter fetch: Fetches the thing, away from the main actor.
    /// - Returns: The load of the thing and of what is related to it; it starts when it is called.
    public func begin(_ fetch: @escaping @Sendable () async throws(BrowseError) -> Thing) -> ListLoad {
        stop()
        self.fetch = fetch
        content.status = .loading
        isLoading = true
        show(nil)
        // It outlives this controller only until its next step.
        let identity = LoadIdentity()
        let load = SharedLoad(waitDidChange: { [weak self] in self?.waitDidChange() }) { [weak self, policy] in
            let result = await Result.of { () throws(BrowseError) in
                try await policy.load(fetch) { cached in await self?.preview(cached, for: identity) }
            }
            await self?.receive(result, for: identity)?()
        }
        self.identity = identity
        self.load = load
        return ListLoad([load] + [follow()].compactMap(\.self))
    }

    /// Shows a thing that is there already.
    ///
    /// - Returns: The load of what is related to it, and of its mark.
    public func begin(with thing: Thing) -> ListLoad {
        stop()
        fetch = nil
        let related = receive(Loaded(thing, .fresh))
        show(nil)
        return ListLoad(related.loads + [follow()].compactMap(\.self))
    }

    /// Shows nothing, and cancels the load in flight.
    public func clear() {
        stop()
        fetch = nil
        publish()
    }

    /// Reports the result of an intent beside the thing.
    func show(_ notice: Message?) {
        amendNotice { $0 = notice }
    }

    func retry() async {
        if isLoading, let load, load.canBeJoined { return await load.wait() }
        if thing != nil, !hasFailed, !isLoading { return await related?.retry() ?? () }
        guard let fetch else { return }
        await begin(fetch)()
    }

    private func stop() {
        load?.cancel()
        (load, identity, thing) = (nil, nil, nil)
        (isLoading, hasFailed) = (false, false)
        content = DetailState()
        related?.clear()
        relatedLoad = ListLoad([])
    }

    private func preview(_ cached: Loaded<Thing>, for identity: LoadIdentity) {
        guard identity === self.identity else { return }
        // Related items are cached too, and needn't wait for the server.
        receive(cached).start()
    }

    /// Takes the result of a load; returns the load of related items to wait for.
    private func receive(
        _ result: Result<Loaded<Thing>, BrowseError>,
        for identity: LoadIdentity
    ) -> ListLoad? {
        guard identity === self.identity else { return nil }
        isLoading = false
        switch result {
        case .success(let loaded) where loaded.value == thing:
            setProvenance(loaded.provenance)
            showWait(nil)
        case .success(let loaded):
            _ = receive(loaded)
            showWait(nil)
        case .failure(.cancelled):
            if thing == nil { content.status = .idle }
            showWait(nil)
        case .failure(let error):
            if thing == nil || error.isNotFound {
                // A thing that is gone isn't shown any more.
                thing = nil
                content = DetailState()
                content.status = .failed(texts.message(for: error))
                related?.clear()
                showWait(nil)
            } else {
                hasFailed = true
                show(texts.message(for: error))
            }
        }
        return relatedLoad
    }

    /// Shows a thing, and begins to load related items.
    private func receive(_ loaded: Loaded<Thing>) -> ListLoad {
        // Of a newer version of the same thing, related items mostly stay the same.
        let retention: RowRetention = thing == nil ? .discard : .keepUntilPage
        thing = loaded.value
        content.status = .loaded(makeDetails(loaded.value))
        setProvenance(loaded.provenance)
        if let related { relatedLoad = related.begin(loaded.value, retention) }
        publish()
        return relatedLoad
    }

    private func setProvenance(_ provenance: Provenance) {
        content.provenance = provenance
        content.age = texts.age(of: provenance)
    }

    private func waitDidChange() {
        guard isLoading else { return }
        let message = load?.waitEnd.map(texts.waiting(until:))
        if thing == nil { content.status = message.map { .waiting($0) } ?? .loading }
        showWait(thing == nil ? nil : message)
    }

    /// Shows or removes the notice of a wait, and publishes everything else.
    private func showWait(_ message: Message?) {
        amendNotice { notice in
            if let message {
                notice = message
            } else if case .waiting = notice?.kind {
                notice = nil
            }
        }
    }
}

/// The identity of a load.
private final class LoadIdentity: Sendable {}
