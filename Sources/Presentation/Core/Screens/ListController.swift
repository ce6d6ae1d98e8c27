public import BrowseDomain

/// A row of a list.
///
/// The description of a row's id is its stable text, which forms and web pages send back.
public protocol ListRow: Identifiable, Hashable, Sendable where ID: Sendable & LosslessStringConvertible {
    /// The destination of selecting the row; `nil` if it has none.
    var route: Route? { get }
}

extension ListRow {
    /// The default, `nil`: selecting the row leads nowhere.
    public var route: Route? { nil }
}

/// Loads the pages of one list for a screen, and writes the list's part of the screen's state.
///
/// A screen keeps its controller private, starts the list, and publishes ``controls`` for everything else:
///
/// ```swift
/// func show(_ shelf: Shelf) async {
///     let load = store.update { state in
///         state = State()
///         return pages.begin(empty: noBooks) { [repository] cursor throws(BrowseError) in
///             try await repository.page(of: shelf, at: cursor)
///         } row: {
///             BookRow($0)
///         }
///     }
///     await load()
/// }
/// ```
///
/// All callers of a list share its load. It's canceled when all of them have been, unless ``ScreenLoad/keep()`` was called. The
/// load in flight determines what a caller does:
///
/// | Caller | First page | Next page | All pages |
/// |---|---|---|---|
/// | `loadMore`, `retry` | waits for it | waits for it | returns |
/// | `rowAppeared` | observes it, then checks again | waits for it, then checks again | observes it, then checks again |
/// | `refresh` | waits for it | starts over | starts over |
/// | `loadAll` | waits for it, then loads | waits for it, then loads | waits for it |
///
/// All pages are one load if the list can fetch them together; otherwise, `loadAll` loads one page after another.
///
/// Observing a load doesn't keep it alive.
@MainActor
public final class ListController<Row: ListRow> {
    private typealias Accept = @MainActor @Sendable (Provenance) -> Page<Row>
    /// Fetches the pages from a cursor on, and delivers them in order.
    private typealias FetchAll =
        @Sendable (
            PageCursor?, @MainActor (Page<Row>) async throws(BrowseError) -> Void
        ) async throws(BrowseError) -> Void

    /// The pages that a load fetches.
    enum LoadKind { case firstPage, nextPage, allPages }

    /// The number of pages that are loaded automatically after one without new rows.
    ///
    /// ``ListIntents/loadMore()`` continues.
    private let barrenPageLimit = 10

    /// The pages that are loaded; change their rows with ``update(_:)``.
    public private(set) var pagedList: PagedList<Row>
    let options: ScreenOptions
    /// Fetches a page; `nil` before the list begins.
    private var fetch: (@Sendable (PageCursor?) async throws(BrowseError) -> Accept)?
    /// Fetches all pages together; `nil` if they are fetched one after another.
    private var fetchAll: FetchAll?
    /// The number of callers that load all pages one after another.
    private var allPagesCallerCount = 0
    /// Changes the marks of rows.
    var setters: [RowMark: @MainActor (Row, Bool) async -> Route?] = [:]
    /// Called with rows that the server has just sent or confirmed.
    var didReceiveFresh: ([Row]) -> Void = { _ in }
    private var empty: Message?
    /// Whether the service ended the search before it found anything.
    public var isInterrupted: Bool = false
    /// The marks that are applied to rows, such as favorites.
    var marks: [RowMarks<Row>] = []
    private var load: CoalescedLoad?
    private var kind = LoadKind.firstPage
    /// Whether the load takes longer than usual.
    private var isDelayed = false
    /// The current pause, an empty load that rows can wait for; `nil` if loading isn't paused.
    private var pause: CoalescedLoad?
    /// The number of pages without new rows since the last one with some.
    private var barrenPageCount = 0
    /// The last position at which a row appeared.
    private var lastAppearance = 0
    private var loadEndObservers: [@MainActor () -> Void] = []
    /// Changes when the list begins, and with each refresh, both of which end `loadAll(upTo:)`.
    private var generation = 0
    private let publish: @MainActor () -> Void
    private let showNotice: @MainActor (Message?) -> Void

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
        publish = { [weak store] in store?.amend() }
        showNotice = { [weak store] message in
            if let notice { store?.amend { $0[keyPath: notice] = message } }
        }
        store.addPart { [weak self] state in
            if let self, isShown(state) { state[keyPath: content] = self.content }
        }
    }

    deinit { load?.cancel() }

    /// The intents of the list, for the front end.
    public var controls: ListControls<Row> { ListControls(controller: self) }

    /// Whether the list has begun, and hasn't been cleared since.
    public var hasBegun: Bool { fetch != nil }

    /// The localized strings.
    public var texts: Texts { options.texts }

    /// Whether pages are loaded automatically, which ends after several without new rows.
    private var mayHaveMoreRows: Bool { barrenPageCount <= barrenPageLimit }

    /// Whether `loadAll(upTo:)` is loading pages.
    private var isLoadingAll: Bool { allPagesCallerCount > 0 || pagedList.current != nil && kind == .allPages }

    /// Whether the list is empty, but the service said that there is something.
    private var lacksRows: Bool {
        pagedList.loadedCount == 0 && (isInterrupted || pagedList.totalCount ?? 0 > 0)
    }

    private var content: ListState<Row> {
        guard hasBegun, let empty else { return ListState() }
        var state = ListState(pagedList, texts: texts, empty: lacksRows ? texts.interrupted : empty)
        state.isLoadingAll = isLoadingAll
        if isDelayed, pagedList.current != nil { state.delay = texts(.delayed) }
        if pause != nil || !mayHaveMoreRows { state.canLoadMore = false }
        return state
    }

    /// Calls a closure when a load ends, before the state that shows the end is published.
    ///
    /// A load that ends because the list starts over or is cleared doesn't count. The closure may start another load.
    public func onLoadEnd(_ observer: @escaping @MainActor () -> Void) {
        loadEndObservers.append(observer)
    }
}

extension ListController {
    /// Starts over with other pages.
    ///
    /// To load the same pages again, which keeps the rows if that fails, call ``ListIntents/refresh()``.
    ///
    /// - Parameters:
    ///   - retention: How long the rows stay.
    ///   - empty: The message of a list without rows.
    ///   - page: Fetches a page, away from the main actor. With `LoadPolicy.cachedFirst`, it can be called twice for the first
    ///     page, so it must not keep values between calls.
    ///   - allPages: Fetches the pages from a cursor on, several at a time, and delivers them in order; `nil` if the server
    ///     doesn't report how many there are.
    ///   - row: Makes the row of an item.
    /// - Returns: The load of the first page and of the marks; call it to start the load.
    public func begin<Item: Sendable>(
        _ retention: RowRetention = .discard,
        empty: Message,
        page: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> Page<Item>,
        allPages: (
            @Sendable (
                PageCursor?, @MainActor (Page<Item>) async throws(BrowseError) -> Void
            ) async throws(BrowseError) -> Void
        )? = nil,
        row: @escaping @MainActor @Sendable (Item) -> Row
    ) -> ScreenLoad {
        let load = begin(retention, empty: empty, fetch: page) { page, _ in page.map(row) }
        if let allPages {
            fetchAll = { cursor, receive throws(BrowseError) in
                try await allPages(cursor) { page throws(BrowseError) in try await receive(page.map(row)) }
            }
        }
        return load
    }

    /// Starts over with responses that contain more than a page, or whose rows depend on their provenance.
    ///
    /// - Parameters:
    ///   - retention: How long the rows stay.
    ///   - empty: The message of a list without rows.
    ///   - fetch: Fetches a response; see `page` of ``begin(_:empty:page:allPages:row:)``.
    ///   - accept: Returns the rows of a response, and updates the rest of the screen's state, such as a total. It isn't called
    ///     for responses that arrive too late.
    /// - Returns: The load of the first page and of the marks; call it to start the load.
    public func begin<Response: Sendable>(
        _ retention: RowRetention = .discard,
        empty: Message,
        fetch: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> Response,
        accept: @escaping @MainActor @Sendable (Response, Provenance) -> Page<Row>
    ) -> ScreenLoad {
        self.empty = empty
        isInterrupted = false
        self.fetch = { cursor throws(BrowseError) in
            let response = try await fetch(cursor)
            return { accept(response, $0) }
        }
        fetchAll = nil
        generation += 1
        endPause()
        return restart(retention)
    }

    /// Starts over with the same pages.
    ///
    /// Unlike ``ListIntents/refresh()``, it lets ``ListIntents/loadAll(upTo:)`` continue after the new first page, unless the list
    /// fetches all pages together.
    ///
    /// - Parameters:
    ///   - retention: How long the rows stay.
    ///   - isRefresh: Whether known marks are reloaded.
    /// - Returns: The load of the first page and of the marks; call it to start the load.
    public func restart(_ retention: RowRetention = .discard, isRefresh: Bool = false) -> ScreenLoad {
        guard hasBegun else { return ScreenLoad([]) }
        cancelLoad()
        pagedList.reset(retention)
        (barrenPageCount, lastAppearance) = (0, 0)
        let following = marks.flatMap { $0.follow(isRefresh)?.loads ?? [] }
        let load = pause == nil ? pagedList.begin().map { self.load($0) } : nil
        publish()
        return ScreenLoad([load] + following)
    }

    /// Removes the rows, and cancels the load in flight.
    public func clear() {
        cancelLoad()
        generation += 1
        (fetch, fetchAll) = (nil, nil)
        pagedList.reset()
        endPause()
        publish()
    }

    /// Cancels the load in flight, and loads nothing until the list resumes or starts over; the rows stay.
    ///
    /// - Returns: The pause; canceling it ends the tasks of rows that wait for its end.
    func suspend() -> CoalescedLoad {
        let pause = pause.flatMap { $0.canBeJoined ? $0 : nil } ?? CoalescedLoad { nil }
        self.pause = pause
        cancelLoad()
        if let ticket = pagedList.current { endLoad { $0.pause(ticket) } } else { publish() }
        return pause
    }

    /// Ends the pause; rows that are visible load the next page if it's needed.
    func resume() {
        endPause()
        publish()
    }

    private func endPause() {
        let ended = pause
        pause = nil
        ended?.cancel()
    }

    /// The load of the first page that is in flight; `nil` if there is none to join.
    var firstPageLoad: CoalescedLoad? { kind == .firstPage ? joinableLoad() : nil }

    /// Whether the list has no page, and none is loading.
    ///
    /// The load was canceled, or failed before the pause.
    var needsFirstPage: Bool {
        pagedList.pageCount == 0 && joinableLoad() == nil && (pause != nil || !pagedList.hasFailed)
    }

    /// Shows only rows whose field contains a text, as `TypedText.isPart(of:)` finds it.
    ///
    /// The filter applies to later pages too.
    ///
    /// - Parameters:
    ///   - text: The text, as the person typed it; a blank one shows all rows.
    ///   - field: Returns the field of a row.
    public func filter(containing text: String, in field: @escaping @Sendable (Row) -> String) {
        let text = TypedText(text)
        update { list in
            if text.isEmpty { list.filter(nil) } else { list.filter { text.isPart(of: field($0)) } }
        }
    }

    /// Shows a message beside the list, in place of the current one; `nil` removes it.
    public func show(_ notice: Message?) { showNotice(notice) }

    /// Changes rows that are loaded, and publishes the list.
    ///
    /// Only update, insert, or remove rows: loads, pages, and the filter belong to the controller. If a removal brings the rows that
    /// have appeared near the end, the next page is loaded.
    public func update(_ change: (inout PagedList<Row>) -> Void) {
        let count = pagedList.loadedCount
        change(&pagedList)
        if pagedList.loadedCount < count, hasBegun, pause == nil, mayHaveMoreRows, pagedList.isNearEnd(lastAppearance),
            let ticket = pagedList.begin()
        {
            load(ticket, priority: .prefetch).keep()
        }
        publish()
    }
}

extension ListController {
    func loadMore() async {
        guard hasBegun, pause == nil else { return }
        if let load = joinableLoad() {
            if kind != .allPages { await load.wait() }
        } else if let ticket = pagedList.begin() {
            barrenPageCount = 0
            await run(ticket)
        }
    }

    func retry() async {
        guard hasBegun else { return }
        let following = ScreenLoad(marks.flatMap { $0.follow(false)?.loads ?? [] })
        if pause != nil { return await following() }
        if let load = joinableLoad() {
            if kind != .allPages { await load.wait() }
        } else if let ticket = pagedList.retry() ?? (pagedList.pageCount == 0 ? pagedList.begin() : nil) {
            barrenPageCount = 0
            await run(ticket)
        } else if lacksRows {
            await restart()()
        }
        await following()
    }

    func refresh() async {
        guard pause == nil else { return }
        if kind == .firstPage, let load = joinableLoad() { return await load.wait() }
        generation += 1
        await restart(.keepUntilPage, isRefresh: true)()
    }

    func rowAppeared(_ id: Row.ID) async {
        let count = pagedList.loadedCount
        lastAppearance = max(lastAppearance, pagedList.position(of: id) ?? 0)
        // A load that adds no rows, such as a canceled refresh, leaves this row waiting for the next page.
        while hasBegun, !Task.isCancelled, pagedList.loadedCount == count, let position = pagedList.position(of: id),
            pagedList.isNearEnd(position)
        {
            let priority: LoadPriority = position >= pagedList.rows.count - 1 ? .visible : .prefetch
            if let pause {
                guard pause.canBeJoined else { return }
                await pause.observe()
            } else if let load = joinableLoad(priority) {
                // Only the load of the next page is for this row.
                if kind == .nextPage { await load.wait() } else { await load.observe() }
            } else if mayHaveMoreRows, let ticket = pagedList.begin() {
                await run(ticket, priority: priority)
            } else {
                return
            }
        }
    }

    func loadAll(upTo rowLimit: Int) async -> Message? {
        let (generation, fetchAll) = (generation, fetchAll)
        allPagesCallerCount += fetchAll == nil ? 1 : 0
        defer {
            allPagesCallerCount -= fetchAll == nil ? 1 : 0
            publish()
        }
        while hasBegun, pause == nil, !Task.isCancelled, generation == self.generation {
            let count = pagedList.loadedCount
            if let load = joinableLoad() {
                let loadsAll = kind == .allPages
                await load.wait()
                if loadsAll { break }
            } else if count < rowLimit, let ticket = pagedList.begin() {
                barrenPageCount = 0
                if let fetchAll {
                    await run(fetchAll, from: ticket, upTo: rowLimit)
                    break
                }
                await run(ticket)
                // Pages without rows could go on forever. A first page replaces rows, so its number of rows says nothing.
                if pagedList.loadedCount == count, ticket.cursor != nil { break }
            } else {
                break
            }
        }
        guard generation == self.generation, !Task.isCancelled, pagedList.loadedCount < rowLimit,
            case .failed(let error) = pagedList.phase
        else { return nil }
        return texts.message(for: error)
    }

    private func run(_ fetchAll: @escaping FetchAll, from first: PagedList<Row>.Ticket, upTo rowLimit: Int) async {
        var loadOptions = LoadOptions.current
        loadOptions.source = options.policy.source
        let rest = RemainingPages(ticket: first)
        let load = makeLoad(.allPages) { [weak self, loadOptions] in
            let result = await Result.of { () throws(BrowseError) in
                try await loadOptions.load { () throws(BrowseError) in
                    try await fetchAll(first.cursor) { page throws(BrowseError) in
                        guard self?.receive(page, of: rest, upTo: rowLimit) == true else { throw .cancelled }
                    }
                }
            }
            return CoalescedLoad.Delivery { self?.end(rest, with: result) }
        }
        publish()
        await load.wait()
    }
}

extension ListController {
    /// The ticket of the next page in a load of all pages.
    @MainActor
    private final class RemainingPages {
        var ticket: PagedList<Row>.Ticket?

        init(ticket: PagedList<Row>.Ticket) { self.ticket = ticket }
    }

    /// Returns the load in flight, with at least the caller's priority; ends one that can't be joined.
    private func joinableLoad(_ priority: LoadPriority = .visible) -> CoalescedLoad? {
        guard let ticket = pagedList.current, let load else { return nil }
        if load.canBeJoined {
            load.raisePriority(to: priority)
            return load
        }
        cancelLoad()
        endLoad { $0.release(ticket) }
        // An observer may have started another load.
        return joinableLoad(priority)
    }

    private func cancelLoad() {
        load?.cancel()
        load = nil
    }

    /// Takes the ticket back with the result of its load, notifies the observers, and publishes the state.
    ///
    /// Nothing else takes a ticket back, so no published state says that a page is loading after its load has ended.
    private func endLoad(_ takeBack: (inout PagedList<Row>) -> Void) {
        takeBack(&pagedList)
        load = nil
        for observer in loadEndObservers { observer() }
        publish()
    }

    private func run(_ ticket: PagedList<Row>.Ticket, priority: LoadPriority = .visible) async {
        let load = load(ticket, priority: priority)
        publish()
        await load.wait()
    }

    private func makeLoad(
        _ kind: LoadKind,
        priority: CoalescedPriority = CoalescedPriority(.visible),
        _ work: @escaping CoalescedLoad.Work
    ) -> CoalescedLoad {
        let load = CoalescedLoad(priority: priority, work)
        self.load = load
        self.kind = kind
        isDelayed = false
        // A load of all pages shows its progress.
        guard kind != .allPages else { return load }
        load.onDelay(by: options.clock) { [weak self, weak load] in
            guard let self, let load, load === self.load else { return }
            isDelayed = true
            publish()
        }
        return load
    }

    private func load(_ ticket: PagedList<Row>.Ticket, priority: LoadPriority = .visible) -> CoalescedLoad {
        let kind: LoadKind = ticket.cursor == nil ? .firstPage : .nextPage
        let priority = CoalescedPriority(priority)
        return makeLoad(kind, priority: priority, work(for: ticket, priority: priority))
    }

    /// Returns the work that loads a page. It doesn't retain the controller.
    private func work(for ticket: PagedList<Row>.Ticket, priority: CoalescedPriority) -> CoalescedLoad.Work {
        // Only the first page is shown from the cache before it's fetched; later ones use the cache as a fallback.
        let isFirst = ticket.cursor == nil && pagedList.showsNoneOfThis
        let policy = isFirst ? options.policy : options.policy.withoutPreview
        return { [weak self, fetch] in
            guard let fetch else { return nil }
            let result = await Result.of { () throws(BrowseError) in
                try await policy.load(priority: priority) { () throws(BrowseError) in
                    try await fetch(ticket.cursor)
                } cached: {
                    await self?.preview($0, for: ticket)
                }
            }
            return CoalescedLoad.Delivery { self?.receive(result, for: ticket, priority: priority) }
        }
    }

    private func preview(_ response: Loaded<Accept>, for ticket: PagedList<Row>.Ticket) {
        guard ticket == pagedList.current else { return }
        let page = marked(response.value(response.provenance))
        if pagedList.preview(page, for: ticket, from: response.provenance) { publish() }
    }

    /// Processes the result of a load. If the page adds no rows, returns the work that loads the next one.
    ///
    /// A page may be empty even if more follow: services omit suspended accounts. Without new rows, nothing would load the next
    /// one.
    private func receive(
        _ result: Result<Loaded<Accept>, BrowseError>,
        for ticket: PagedList<Row>.Ticket,
        priority: CoalescedPriority
    ) -> CoalescedLoad.Work? {
        guard ticket == pagedList.current else { return nil }
        switch result {
        case .success(let response):
            add(response.value(response.provenance), for: ticket, from: response.provenance)
            if barrenPageCount > 0, mayHaveMoreRows, let next = pagedList.begin() {
                return work(for: next, priority: priority)
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
        let marked = marked(page)
        pagedList.receive(marked, for: ticket, from: provenance)
        // Cached rows can be older than the stored favorites.
        if provenance.date == nil { didReceiveFresh(marked.items) }
        barrenPageCount = pagedList.loadedCount > oldCount ? 0 : barrenPageCount + 1
        if page.isPartial { show(texts.partial) }
    }

    /// Processes a page of a load of all pages; returns `false` if that load ends, or is outdated.
    private func receive(_ page: Page<Row>, of rest: RemainingPages, upTo rowLimit: Int) -> Bool {
        guard let ticket = rest.ticket, ticket == pagedList.current else { return false }
        add(page, for: ticket, from: ProvenanceRecord.current?.provenance ?? .fresh)
        rest.ticket = pagedList.begin()
        publish()
        return pagedList.loadedCount < rowLimit && mayHaveMoreRows
    }

    private func end(_ rest: RemainingPages, with result: Result<Loaded<Void>, BrowseError>) -> CoalescedLoad.Work? {
        guard rest.ticket == pagedList.current else { return nil }
        endLoad { list in
            guard let ticket = rest.ticket else { return }
            if case .failure(let error) = result { list.fail(ticket, with: error) } else { list.release(ticket) }
        }
        return nil
    }

    /// Consumes the page, so that its rows aren't copied.
    private func marked(_ page: consuming Page<Row>) -> Page<Row> {
        for marks in marks { marks.mark(&page.items) }
        return page
    }

    /// Returns rows with all marks, such as rows that ``update(_:)`` inserts.
    public func marked(_ rows: [Row]) -> [Row] {
        var rows = rows
        for marks in marks { marks.mark(&rows) }
        return rows
    }
}
