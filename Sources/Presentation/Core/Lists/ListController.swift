import BrowseDomain

/// Loads the pages of one list for a screen, and writes the list's part of the screen's state.
///
/// A screen keeps its controller private, starts the list, and publishes ``controls`` for
/// everything else:
///
/// ```swift
/// func show(_ shelf: Shelf) async {
///     await store.load { state in
///         state = State()
///         return pages.begin(empty: noBooks) { [repository] cursor throws(BrowseError) in
///             try await repository.page(of: shelf, at: cursor)
///         } row: {
///             BookRow($0)
///         }
///     }
/// }
/// ```
///
/// All callers of a list share its load, which is canceled when all of them have been, unless
/// ``ScreenLoad/keep()`` was called:
///
/// - Every call joins the load of a page that is in flight. ``ListIntents/rowAppeared(_:)`` and
///   ``ListIntents/loadAll(upTo:)`` then check whether they need another page.
/// - While all pages are loading together, only ``ListIntents/loadAll(upTo:)`` joins; `loadMore`,
///   `retry`, and rows return.
/// - ``ListIntents/refresh()`` joins only the load of the first page; it replaces any other.
/// - If the same list starts over before its first page has arrived, such as for another account,
///   the callers wait for the page that replaces it. Those of a later page return.
@MainActor
public final class ListController<Row: ListRow> {
    /// The pages that are loaded; change their rows with ``update(_:)``.
    public private(set) var pagedList: PagedList<Row>
    let options: ScreenOptions
    /// The pages; `nil` before the list begins.
    private var source: PageSource<Row>?
    /// Changes the marks of rows.
    var setters: [RowMark: @MainActor (Row, Bool) async -> Route?] = [:]
    /// Called with rows that the server has just sent or confirmed.
    var didReceiveFresh: ([Row]) -> Void = { _ in }
    /// Whether the rows are copies that are stored on the device, which need no cache.
    var isStored = false
    private var empty: Message?
    /// The marks that are applied to rows, such as favorites.
    var marks: [RowMarks<Row>] = []
    var accountObserver: AccountObserver?
    /// Returns why the session of the rows ended; `nil` if it goes on, or if they need none.
    var signOutReason: @MainActor () -> SignOutReason? = { nil }
    private var load: CoalescedLoad?
    /// Identifies the load in flight, or the last one.
    private var loadCount = 0
    /// Whether the load fetches all pages together.
    private var loadsAll = false
    private var isPaused = false
    /// The number of pages without new rows since the last one with some.
    private var barrenPageCount = 0
    /// The last position at which a row appeared; `nil` before the first one.
    private var lastAppearance: Int?
    /// Called when a load ends, before the state that shows the end is published.
    ///
    /// It may start another load. A load that ends because the list starts over or is cleared
    /// doesn't count.
    package var didEndLoad: @MainActor () -> Void = {}
    /// Changes when the list begins, and with each refresh, both of which end `loadAll(upTo:)`.
    private var generation = 0
    /// The last calls of `loadMore()` in a row without effect.
    private var idleCalls = 0
    private let publish: @MainActor () -> Void
    /// Shows a message, in place of one that a condition accepts.
    private let showNotice: @MainActor (_ message: Message?, _ replaces: @escaping (Message?) -> Bool) -> Void

    /// Creates the controller of a list that is empty.
    ///
    /// - Parameters:
    ///   - store: The state of the screen.
    ///   - content: The list's part of the state.
    ///   - notice: The message about a favorite or star that couldn't be stored.
    ///   - options: The texts, the load policy, and the prefetch distance.
    ///   - isShown: Whether a screen with several lists shows this one.
    public init<State>(
        in store: StateStore<State>,
        at content: WritableKeyPath<State, ListState<Row>>,
        notice: WritableKeyPath<State, Message?>? = nil,
        options: ScreenOptions,
        isShown: @escaping @MainActor (State) -> Bool = { _ in true }
    ) {
        pagedList = PagedList(prefetchDistance: options.prefetchDistance)
        self.options = options
        publish = { [weak store] in store?.update() }
        showNotice = { [weak store] message, replaces in
            store?.update { if let notice, replaces($0[keyPath: notice]) { $0[keyPath: notice] = message } }
        }
        store.addPart { [weak self] state in
            if let self, isShown(state) { state[keyPath: content] = self.content }
        }
        (self as? any FavoriteMarking)?.markFavorites()
    }

    deinit { load?.cancel() }

    /// Whether the list has begun, and hasn't been cleared since.
    public var hasBegun: Bool { source != nil }

    /// Whether pages are loaded automatically, which ends after several without new rows.
    private var mayHaveMoreRows: Bool { barrenPageCount <= 10 }

    /// Whether the list is empty, but the service said that there is something.
    private var lacksRows: Bool {
        pagedList.loadedCount == 0
            && (pagedList.isIncomplete || pagedList.isContradicted || pagedList.totalCount ?? 0 > 0)
    }

    /// Whether the only page is cached because the server couldn't be reached.
    ///
    /// With several pages, loading the first one again would move the rows.
    var isFallback: Bool { pagedList.pageCount == 1 && policy.isFallback(pagedList.provenance) }

    private var content: ListState<Row> {
        guard hasBegun, let empty else { return ListState() }
        var state = ListState(pagedList, texts: texts, empty: lacksRows ? texts.interrupted : empty)
        if isPaused || !mayHaveMoreRows { state.canLoadMore = false }
        if let signOutMessage { state.status = .failed(signOutMessage) }
        return state
    }
}

extension ListController {
    /// Starts over with other pages, loads the first one and the marks.
    func begin(_ retention: RowRetention, empty: Message, _ source: PageSource<Row>) -> ScreenLoad {
        self.source = marks.compactMap(\.beginRead).reduce(source) { $0.marked(from: $1) }
        self.empty = empty
        isPaused = false
        generation += 1
        // Callers of the list before don't wait for this one.
        load.take()?.cancel()
        return restart(retention)
    }

    /// Starts over with the same pages.
    ///
    /// Unlike ``ListIntents/refresh()``, it lets ``ListIntents/loadAll(upTo:)`` continue after the
    /// new first page, unless the list fetches all pages together.
    ///
    /// - Parameters:
    ///   - retention: How long the rows stay.
    ///   - isRefresh: Whether known marks are reloaded.
    /// - Returns: The load of the first page and of the marks; call it to start the load.
    public func restart(_ retention: RowRetention = .discard, isRefresh: Bool = false) -> ScreenLoad {
        guard hasBegun else { return ScreenLoad([]) }
        // Callers of a later page return, since it won't arrive.
        if pagedList.current?.cursor != nil || loadsAll { self.load.take()?.cancel() }
        pagedList.reset(retention)
        barrenPageCount = 0
        lastAppearance = nil
        let following = follow(isRefresh)
        let load = isPaused ? nil : pagedList.begin().map { self.load($0) }
        publish()
        return ScreenLoad([load] + following)
    }

    /// Removes the rows, and cancels the load in flight.
    package func clear() {
        load.take()?.cancel()
        generation += 1
        source = nil
        pagedList.reset()
        isPaused = false
        publish()
    }

    /// Cancels the load in flight, and loads nothing until the list resumes or starts over; the
    /// rows stay.
    func suspend() {
        isPaused = true
        load.take()?.cancel()
        if let ticket = pagedList.current { endLoad { $0.pause(ticket) } } else { publish() }
    }

    /// Ends the pause, if there is one, and loads the next page if a row near the end has appeared.
    func resume() {
        isPaused = false
        if let lastAppearance { loadIfNearEnd(lastAppearance) }
        publish()
    }

    /// The load of the first page that is in flight; `nil` if there is none to join.
    var firstPageLoad: CoalescedLoad? {
        guard let ticket = pagedList.current, ticket.cursor == nil, !loadsAll else { return nil }
        return load?.isCurrent == true ? joinableLoad() : nil
    }

    /// Whether the list has no page, and none is loading.
    ///
    /// The load was canceled, or failed before the pause.
    var needsFirstPage: Bool {
        pagedList.pageCount == 0 && joinableLoad() == nil && (isPaused || !pagedList.hasFailed)
    }

    /// Shows a message beside the list, in place of the current one; `nil` removes it.
    public func show(_ notice: Message?) { showNotice(notice) { _ in true } }

    /// Hides a message, unless another one is shown by now.
    @_spi(Services) public func hide(_ notice: Message?) { showNotice(nil) { $0 == notice } }

    /// Changes rows that are loaded, and publishes the list.
    ///
    /// Only update, insert, or remove rows: loads, pages, and the filter belong to the controller.
    /// If a removal brings the rows that have appeared near the end, the next page is loaded.
    public func update(_ change: (inout PagedList<Row>) -> Void) {
        let count = pagedList.loadedCount
        change(&pagedList)
        if pagedList.loadedCount < count { loadIfNearEnd(lastAppearance ?? 0) }
        publish()
    }

    private func loadIfNearEnd(_ position: Int) {
        guard hasBegun, !isPaused, mayHaveMoreRows, pagedList.isNearEnd(position), let ticket = pagedList.begin()
        else { return }
        load(ticket, priority: .prefetch).keep()
    }
}

extension ListController {
    func loadMore() async {
        // Calls that wait for a page together count once.
        let (pages, calls) = (pagedList.pageCount, idleCalls)
        defer {
            idleCalls = ScreenMisuse.count(calls, isIdle: pagedList.hasMore && pagedList.pageCount == pages, end: clear)
        }
        guard hasBegun, !isPaused else { return ScreenMisuse.record(atStart: generation) }
        if let load = joinableLoad() {
            if !loadsAll { await load.wait() }
        } else if let ticket = pagedList.begin() {
            barrenPageCount = 0
            await run(load(ticket))
        }
    }

    func retry() async {
        guard hasBegun else { return ScreenMisuse.record(atStart: generation) }
        let following = ScreenLoad(follow())
        if isPaused { return await following() }
        if let load = joinableLoad() {
            if !loadsAll { await load.wait() }
        } else if let ticket = pagedList.retry() ?? (pagedList.pageCount == 0 ? pagedList.begin() : nil) {
            barrenPageCount = 0
            await run(load(ticket))
        } else if lacksRows || pagedList.isContradicted || isFallback {
            await restart(.keepUntilPage)()
        }
        await following()
    }

    func refresh() async {
        guard hasBegun, !isPaused else { return ScreenMisuse.record(atStart: generation) }
        if let load = firstPageLoad { return await load.wait() }
        await reload()()
    }

    /// Ends the pause, and loads the list again from its first page; its rows stay meanwhile.
    func reload() -> ScreenLoad {
        isPaused = false
        generation += 1
        return restart(.keepUntilPage, isRefresh: true)
    }

    func rowAppeared(_ id: Row.ID) async {
        let count = pagedList.loadedCount
        if let position = pagedList.position(of: id) { lastAppearance = max(lastAppearance ?? 0, position) }
        // A load that adds no rows, such as a canceled one, leaves this row waiting for the next
        // page.
        while hasBegun, !isPaused, !Task.isCancelled, pagedList.loadedCount == count,
            let position = pagedList.position(of: id), pagedList.isNearEnd(position)
        {
            let priority: LoadPriority = position >= pagedList.rows.count - 1 ? .visible : .prefetch
            if let load = joinableLoad(priority) {
                guard !loadsAll else { return }
                await load.wait()
            } else if mayHaveMoreRows, let ticket = pagedList.begin() {
                let pageCount = pagedList.pageCount
                await run(load(ticket, priority: priority))
                // A repository can end a load as canceled that nobody canceled.
                if pagedList.pageCount == pageCount, joinableLoad(priority) == nil { return }
            } else {
                return
            }
        }
    }

    func loadAll(upTo rowLimit: Int) async -> Message? {
        let generation = generation
        ScreenMisuse.record(atStart: generation)
        while hasBegun, !isPaused, !Task.isCancelled, generation == self.generation {
            let count = pagedList.loadedCount
            if let load = joinableLoad() {
                await load.wait()
            } else if count < rowLimit, let ticket = pagedList.begin() {
                barrenPageCount = 0
                await run(load(ticket, allUpTo: rowLimit))
                // Pages without rows could go on forever. A first page replaces rows, so its number
                // of rows says nothing.
                let isAbandoned = pagedList.pageCount == 0 && joinableLoad() == nil
                if pagedList.loadedCount == count, ticket.cursor != nil || isAbandoned { break }
            } else {
                break
            }
        }
        guard generation == self.generation, !Task.isCancelled, pagedList.loadedCount < rowLimit,
            case .failed(let error) = pagedList.phase
        else { return nil }
        return texts.message(for: error)
    }

    private func follow(_ isRefresh: Bool = false) -> [CoalescedLoad] {
        marks.flatMap { $0.follow(isRefresh)?.loads ?? [] }
    }
}

extension ListController {
    /// Returns the load in flight, with at least the caller's priority.
    ///
    /// Ends one that was abandoned. A first page that was requested before a change of the account
    /// is requested again.
    private func joinableLoad(_ priority: LoadPriority = .visible) -> CoalescedLoad? {
        guard let ticket = pagedList.current, let load else { return nil }
        // A page behind the first one belongs to the list that is shown, which is older than a
        // change.
        if ticket.cursor == nil && !loadsAll ? load.isCurrent : load.canBeJoined {
            load.raisePriority(to: priority)
            return load
        }
        if load.canBeJoined {
            // Its callers wait for the new one: a row that appears must not end a person's refresh.
            for load in restart(.keepUntilPage).loads { load.start() }
        } else {
            endLoad { $0.release(ticket) }
        }
        // ``didEndLoad`` may have started another load.
        return joinableLoad(priority)
    }

    /// Takes the ticket back with the result of its load, calls ``didEndLoad``, and publishes the
    /// state.
    ///
    /// Nothing else takes a ticket back, so no published state says that a page is loading after
    /// its load has ended.
    private func endLoad(_ takeBack: (inout PagedList<Row>) -> Void) {
        takeBack(&pagedList)
        load = nil
        didEndLoad()
        publish()
    }

    private func run(_ load: CoalescedLoad) async {
        publish()
        await load.wait()
    }

    /// Starts the load of a page, or of all pages up to a number of rows if they can be fetched
    /// together.
    private func load(
        _ ticket: PagedList<Row>.Ticket,
        priority: LoadPriority = .visible,
        allUpTo rowLimit: Int? = nil
    ) -> CoalescedLoad {
        loadCount += 1
        let priority = CoalescedPriority(priority)
        loadsAll = rowLimit != nil && source?.allPages != nil
        let load =
            if let rowLimit, let allPages = source?.allPages {
                CoalescedLoad(self.allPages(by: allPages, upTo: rowLimit, in: loadCount))
            } else {
                CoalescedLoad(priority: priority, pages(from: ticket, priority: priority))
            }
        self.load?.cancel(replacedBy: load)
        self.load = load
        return load
    }

    /// Returns the work that loads a page, and those after it if it adds no rows. It doesn't retain
    /// the controller.
    private func pages(from first: PagedList<Row>.Ticket, priority: CoalescedPriority) -> CoalescedLoad.Work {
        // Only the first page is shown from the cache before it's fetched; later ones use the cache
        // as a fallback.
        let isShown = first.cursor != nil || !pagedList.showsNoneOfThis
        return { [weak self, source, policy] in
            var next: PagedList<Row>.Ticket? = first
            while let ticket = next, let source {
                let isShown = isShown || ticket != first
                let accepted = isShown ? await self?.accepted(at: ticket.cursor) : policy.accepted
                let result = await Result.of { () throws(BrowseError) in
                    try await policy.load(priority, isShown: isShown, accepting: accepted) { () throws(BrowseError) in
                        try await source.page(ticket.cursor)
                    } cached: {
                        await self?.preview($0, for: ticket)
                    }
                }
                next = await self?.receive(result, for: ticket)
            }
        }
    }

    /// The cached responses that are the answer for a page of a list that is shown.
    ///
    /// There are none for a first page, which was asked for again.
    private func accepted(at cursor: PageCursor?) -> LoadOptions.Age? {
        cursor == nil ? nil : policy.accepted(after: pagedList.provenance)
    }

    /// Returns the work that loads all pages together. It doesn't retain the controller.
    private func allPages(
        by fetch: @escaping FetchPages<Row>,
        upTo rowLimit: Int,
        in load: Int
    ) -> CoalescedLoad.Work {
        let accepted = accepted(at: pagedList.current?.cursor)
        return { [weak self, policy] in
            let result = await Result.of { () throws(BrowseError) in
                try await policy.load(isShown: true, accepting: accepted) { [weak self] () throws(BrowseError) in
                    // Pages that have arrived aren't requested again.
                    guard let next = await self?.pagedList.current else { throw .cancelled }
                    try await fetch(next.cursor) { page throws(BrowseError) in
                        guard self?.receive(page, in: load, upTo: rowLimit) == true else { throw .cancelled }
                    }
                } cached: { _ in
                }
            }
            await self?.endAllPages(in: load, result.failure)
        }
    }

    private func preview(_ response: Loaded<PageSource<Row>.Accept>, for ticket: PagedList<Row>.Ticket) {
        guard ticket == pagedList.current else { return }
        let page = marked(response.value(response.provenance), from: response.provenance)
        if pagedList.preview(page, for: ticket, from: response.provenance) { publish() }
    }

    /// Processes the result of a load. If the page adds no rows, returns the ticket of the next
    /// one.
    ///
    /// A page may be empty even if more follow: services omit suspended accounts. Without new rows,
    /// nothing would load the next one.
    private func receive(
        _ result: Result<Loaded<PageSource<Row>.Accept>, BrowseError>,
        for ticket: PagedList<Row>.Ticket
    ) -> PagedList<Row>.Ticket? {
        guard ticket == pagedList.current else { return nil }
        switch result {
        case .success(let response):
            if !pagedList.keepRows(insteadOf: response.provenance, for: ticket) {
                let known = policy.current(response.provenance)
                add(response.value(known), for: ticket, from: response.provenance)
                if barrenPageCount > 0, mayHaveMoreRows, let next = pagedList.begin() { return next }
            }
            endLoad { _ in }
        case .failure(let error):
            endLoad { $0.fail(ticket, with: error) }
        }
        return nil
    }

    private func add(_ page: Page<Row>, for ticket: PagedList<Row>.Ticket, from provenance: Provenance) {
        // The first page replaces all rows.
        let oldCount = ticket.cursor == nil ? 0 : pagedList.loadedCount
        let marked = marked(page, from: provenance)
        pagedList.receive(marked, for: ticket, from: provenance)
        if ticket.cursor == nil { pagedList.firstPageDate = provenance.date ?? texts.formats.now() }
        // Cached rows can be older than the stored favorites, and a feed's rows are these.
        if provenance.isCurrent, !isStored { didReceiveFresh(marked.items) }
        barrenPageCount = pagedList.loadedCount > oldCount ? 0 : barrenPageCount + 1
    }

    /// Processes a page of a load of all pages; returns `false` if that load ends, or is outdated.
    private func receive(_ page: Page<Row>, in load: Int, upTo rowLimit: Int) -> Bool {
        guard load == loadCount, let ticket = pagedList.current else { return false }
        add(page, for: ticket, from: ProvenanceRecord.current?.provenance ?? .fresh)
        let next = pagedList.begin()
        publish()
        return next != nil && pagedList.loadedCount < rowLimit && mayHaveMoreRows
    }

    private func endAllPages(in load: Int, _ error: BrowseError?) {
        guard load == loadCount, self.load != nil else { return }
        endLoad { if let ticket = $0.current { $0.fail(ticket, with: error ?? .cancelled) } }
        // Rows that appeared meanwhile didn't wait for this load.
        resume()
    }
}
