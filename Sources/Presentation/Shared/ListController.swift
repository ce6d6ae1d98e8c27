public import BrowseDomain

/// A row of a list.
public protocol ListRow: Identifiable, Hashable, Sendable where ID: Sendable {
    /// Where selecting the row leads; `nil` when it leads nowhere.
    var route: Route? { get }
}

extension ListRow {
    /// Leads nowhere.
    public var route: Route? { nil }
}

/// Loads the pages of one list for a screen, and writes the list's part of the screen's state.
///
/// A screen keeps its controller private, starts the list, and publishes ``controls`` for everything else:
///
/// ```swift
/// func show(_ list: GitHub.FollowList) async {
///     let load = store.update { state in
///         state = State()
///         return pages.begin(empty: nobody) { [repository] cursor throws(BrowseError) in
///             try await repository.page(of: list, at: cursor)
///         } row: {
///             UserRow($0)
///         }
///     }
///     await load()
/// }
/// ```
///
/// A load belongs to the list: all callers share it, and it is canceled once all of them have been. What a caller finds in
/// flight decides what it does:
///
/// | Caller | First page | Next page | All pages |
/// |---|---|---|---|
/// | `loadMore`, `retry` | waits for it | waits for it | returns |
/// | `rowAppeared` | watches it, then checks again | waits for it, then checks again | watches it, then checks again |
/// | `refresh` | waits for it | starts over | starts over |
/// | `loadAll` | waits for it, then loads | waits for it, then loads | waits for it |
///
/// A caller that watches a load doesn't keep it going.
@MainActor
public final class ListController<Row: ListRow> {
    typealias Accept = @MainActor @Sendable (Provenance) -> Page<Row>
    typealias Fetch = @Sendable (PageCursor?) async throws(BrowseError) -> Accept

    /// What the load in flight brings.
    enum LoadKind { case firstPage, nextPage, allPages }

    /// Called when a load has ended, before its result is published.
    var loadDidEnd: @MainActor () -> Void = {}

    private(set) var list: PagedList<Row>
    let texts: Texts
    let policy: LoadPolicy
    private(set) var fetch: Fetch?
    private(set) var favorites: FavoriteTracker?
    private var empty: Message?
    private(set) var marks: [any RowMarks<Row>] = []
    private var load: SharedLoad?
    private var kind = LoadKind.firstPage
    /// Counts what the list was about; a caller that waited finds out whether it still is about the same.
    private var subject = 0
    private let publish: @MainActor () -> Void
    private let showNotice: @MainActor (Message?) -> Void

    /// Creates the controller of a list that is empty.
    ///
    /// - Parameters:
    ///   - store: The state of the screen.
    ///   - content: The list's part of the state.
    ///   - notice: Where to report a favorite or star that couldn't be stored.
    ///   - texts: The texts for messages.
    ///   - policy: When cached pages may be shown.
    ///   - prefetchDistance: How close to the end a row must be for the next page to be loaded, in rows; at least 0.
    ///   - isShown: Whether the screen shows this list in a state, for a screen with several.
    public init<State>(
        in store: StateStore<State>,
        at content: WritableKeyPath<State, ListState<Row>>,
        notice: WritableKeyPath<State, Message?>? = nil,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        isShown: @escaping @MainActor (State) -> Bool = { _ in true }
    ) {
        list = PagedList(prefetchDistance: prefetchDistance)
        self.texts = texts
        self.policy = policy
        publish = { [weak store] in store?.amend() }
        showNotice = { [weak store] message in
            if let notice { store?.amend { $0[keyPath: notice] = message } }
        }
        store.addPart { [weak self] state in
            if let self, isShown(state) { state[keyPath: content] = self.content }
        }
    }

    deinit {
        load?.cancel()
    }

    /// What a front end can do with the list.
    public var controls: ListControls<Row> { ListControls(controller: self) }

    /// Whether the list has begun, and wasn't cleared since.
    var hasBegun: Bool { fetch != nil }

    /// Whether every remaining page is being loaded.
    private var isLoadingAll: Bool { list.current != nil && kind == .allPages }

    private var content: ListState<Row> {
        guard fetch != nil, let empty else { return ListState() }
        var state = ListState(list, texts: texts, empty: empty)
        state.isLoadingAll = isLoadingAll
        return state
    }
}

extension ListController {
    /// Starts over with other pages.
    ///
    /// - Parameters:
    ///   - retention: What happens to the rows.
    ///   - empty: The message of a list without rows.
    ///   - page: Fetches a page, away from the main actor.
    ///   - row: Makes a row of an item.
    /// - Returns: The load of the first page; it starts when it is called.
    public func begin<Item: Sendable>(
        _ retention: RowRetention = .discard,
        empty: Message,
        page: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> Page<Item>,
        row: @escaping @MainActor @Sendable (Item) -> Row
    ) -> ListLoad {
        begin(retention, empty: empty, fetch: page) { page, _ in page.map(row) }
    }

    /// Starts over with responses that contain more than a page, or whose rows depend on where they came from.
    func begin<Response: Sendable>(
        _ retention: RowRetention = .discard,
        empty: Message,
        fetch: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> Response,
        accept: @escaping @MainActor @Sendable (Response, Provenance) -> Page<Row>
    ) -> ListLoad {
        self.empty = empty
        self.fetch = { cursor throws(BrowseError) in
            let response = try await fetch(cursor)
            return { accept(response, $0) }
        }
        subject += 1
        return restart(retention)
    }

    /// Starts over with the same pages.
    func restart(_ retention: RowRetention = .discard, isRefresh: Bool = false) -> ListLoad {
        guard fetch != nil else { return ListLoad([]) }
        cancelLoad()
        list.reset(retention)
        let following = marks.compactMap { $0.follow(isRefresh: isRefresh) }
        guard let ticket = list.begin() else { return ListLoad(following) }
        let load = load(ticket)
        publish()
        return ListLoad([load] + following)
    }

    /// Removes the rows, and cancels the load in flight.
    public func clear() {
        cancelLoad()
        subject += 1
        fetch = nil
        list.reset()
        publish()
    }

    /// Cancels the load in flight; the rows stay.
    func stop() {
        cancelLoad()
        if let ticket = list.current { list.release(ticket) }
        publish()
    }

    /// Shows only some of the rows, also of later pages; `nil` shows all.
    public func filter(_ isIncluded: (@Sendable (Row) -> Bool)?) {
        list.filter(isIncluded)
        publish()
    }

    /// Changes rows that are loaded.
    func update(_ change: (inout PagedList<Row>) -> Void) {
        change(&list)
        publish()
    }

    /// Reports the result of an intent beside the list.
    func show(_ notice: Message?) {
        showNotice(notice)
    }

    /// Marks rows from now on.
    func add(_ marks: any RowMarks<Row>) {
        self.marks.append(marks)
    }

    /// Enables favorites.
    func setFavorites(_ tracker: FavoriteTracker) {
        favorites = tracker
    }
}

extension ListController {
    func loadMore() async {
        guard fetch != nil else { return }
        if let load = joinableLoad() {
            if kind != .allPages { await load.wait() }
        } else if let ticket = list.begin() {
            await run(ticket)
        }
    }

    func retry() async {
        guard fetch != nil else { return }
        let following = ListLoad(marks.compactMap { $0.follow(isRefresh: false) })
        if let load = joinableLoad() {
            if kind != .allPages { await load.wait() }
        } else if let ticket = list.retry() {
            await run(ticket)
        }
        await following()
    }

    func refresh() async {
        if kind == .firstPage, let load = joinableLoad() { return await load.wait() }
        await restart(.keepUntilPage, isRefresh: true)()
    }

    func rowAppeared(_ id: Row.ID) async {
        let count = list.loadedCount
        // Rows that arrive appear by themselves. A load that brings none, such as a canceled refresh, leaves this one waiting.
        while hasBegun, !Task.isCancelled, list.loadedCount == count, let position = list.position(of: id),
            list.isNearEnd(position)
        {
            if let load = joinableLoad() {
                // The row needs the page after it, and keeps nothing else going.
                if kind == .nextPage { await load.wait() } else { await load.observe() }
            } else if let ticket = list.begin() {
                await run(ticket, priority: position >= list.rows.count - 1 ? .visible : .prefetch)
            } else {
                return
            }
        }
    }

    /// Loads every remaining page.
    ///
    /// - Parameters:
    ///   - fetchAll: Fetches the pages from a cursor on, and delivers them in order.
    ///   - row: Makes a row of an item.
    public func loadAll<Item: Sendable>(
        _ fetchAll:
            @escaping @Sendable (
                PageCursor?, @MainActor (Page<Item>) async throws(BrowseError) -> Void
            ) async throws(BrowseError) -> Void,
        row: @escaping @MainActor @Sendable (Item) -> Row
    ) async {
        let subject = subject
        while let load = joinableLoad() {
            let loadsAll = kind == .allPages
            await load.wait()
            if loadsAll || Task.isCancelled || subject != self.subject || list.hasFailed { return }
        }
        guard fetch != nil, let first = list.begin() ?? list.retry() else { return }
        var options = LoadOptions.current
        options.source = policy.source
        let rest = RemainingPages(ticket: first)
        let load = makeLoad(.allPages) { [weak self, options] in
            let result = await Result.of { () throws(BrowseError) in
                try await options.load { () throws(BrowseError) in
                    try await fetchAll(first.cursor) { page throws(BrowseError) in
                        guard self?.receive(page.map(row), of: rest) == true else { throw .cancelled }
                    }
                }
            }
            await self?.end(rest, with: result)
        }
        publish()
        await load.wait()
    }
}

extension ListController {
    /// The load of all pages: the ticket of the next of them.
    @MainActor
    private final class RemainingPages {
        var ticket: PagedList<Row>.Ticket?

        init(ticket: PagedList<Row>.Ticket) {
            self.ticket = ticket
        }
    }

    /// The load in flight, unless all of its callers are gone; then it's given up.
    private func joinableLoad() -> SharedLoad? {
        guard let ticket = list.current, let load else { return nil }
        if load.canBeJoined { return load }
        cancelLoad()
        list.release(ticket)
        return nil
    }

    private func cancelLoad() {
        load?.cancel()
        load = nil
    }

    /// Publishes the result of the load, and resumes its callers without another turn through its task.
    private func finishLoad() {
        let finished = load
        load = nil
        // It may start another load.
        loadDidEnd()
        publish()
        finished?.finish()
    }

    private func run(_ ticket: PagedList<Row>.Ticket, priority: LoadPriority = .visible) async {
        let load = load(ticket, priority: priority)
        publish()
        await load.wait()
    }

    private func makeLoad(_ kind: LoadKind, _ work: @escaping @Sendable () async -> Void) -> SharedLoad {
        let load = SharedLoad(waitDidChange: { [weak self] in self?.waitDidChange() }, work)
        self.load = load
        self.kind = kind
        return load
    }

    /// Creates the load of a page. It holds the controller only while it delivers.
    private func load(_ first: PagedList<Row>.Ticket, priority: LoadPriority = .visible) -> SharedLoad {
        for marks in marks { marks.willFetch() }
        let isEmpty = list.loadedCount == 0
        return makeLoad(first.cursor == nil ? .firstPage : .nextPage) { [weak self, fetch, policy] in
            guard let fetch else { return }
            var next: PagedList<Row>.Ticket? = first
            // GitHub cuts its pages before it leaves out suspended accounts, so a page may be empty although more follow.
            // Nobody could scroll past it, so the next one is loaded at once, up to a limit.
            for emptyCount in 0... {
                guard let ticket = next else { return }
                // Only a first page is shown twice; where the page before was cached, so may this one be.
                let isFirst = ticket.cursor == nil && isEmpty
                let policy = policy == .cachedFirst && !isFirst ? .freshElseCached : policy
                let result = await Result.of { () throws(BrowseError) in
                    try await policy.load(priority: priority) { () throws(BrowseError) in
                        try await fetch(ticket.cursor)
                    } cached: {
                        await self?.preview($0, for: ticket)
                    }
                }
                next = await self?.receive(result, for: ticket, after: emptyCount)
            }
        }
    }

    private func preview(_ response: Loaded<Accept>, for ticket: PagedList<Row>.Ticket) {
        guard ticket == list.current else { return }
        if list.preview(marked(response.value(response.provenance)), for: ticket, from: response.provenance) {
            publish()
        }
    }

    /// Takes the result of a load; returns the ticket of the next page when this one was empty.
    private func receive(
        _ result: Result<Loaded<Accept>, BrowseError>,
        for ticket: PagedList<Row>.Ticket,
        after emptyCount: Int
    ) -> PagedList<Row>.Ticket? {
        guard ticket == list.current else { return nil }
        switch result {
        case .success(let response):
            let page = marked(response.value(response.provenance))
            list.receive(page, for: ticket, from: response.provenance)
            if page.items.isEmpty, emptyCount < 10, let next = list.begin() {
                for marks in marks { marks.willFetch() }
                return next
            }
        case .failure(let error):
            list.fail(ticket, with: error)
        }
        finishLoad()
        return nil
    }

    /// Takes a page of a load of all; `false` when it is no longer wanted.
    private func receive(_ page: Page<Row>, of rest: RemainingPages) -> Bool {
        guard let ticket = rest.ticket, ticket == list.current else { return false }
        list.receive(marked(page), for: ticket, from: ProvenanceRecord.current?.provenance ?? .fresh)
        rest.ticket = list.begin()
        publish()
        return true
    }

    private func end(_ rest: RemainingPages, with result: Result<Loaded<Void>, BrowseError>) {
        if let ticket = rest.ticket {
            guard ticket == list.current else { return }
            if case .failure(let error) = result { list.fail(ticket, with: error) } else { list.release(ticket) }
        }
        finishLoad()
    }

    private func marked(_ page: Page<Row>) -> Page<Row> {
        var rows = page.items
        for marks in marks { marks.mark(&rows) }
        return Page(items: rows, next: page.next, skipped: page.skipped)
    }

    private func waitDidChange() {
        if list.setWaitEnd(load?.waitEnd) { publish() }
    }
}

/// The load of a list's first page, or of a thing and what is related to it; call it to wait for its end.
public struct ListLoad: Sendable {
    let loads: [SharedLoad]

    init(_ loads: [SharedLoad]) {
        self.loads = loads
    }

    /// Starts the load if nobody has, and waits for its end or until the caller is canceled.
    public func callAsFunction() async {
        start()
        for load in loads { await load.wait() }
    }

    /// Starts the load without waiting for it.
    func start() {
        for load in loads { load.start() }
    }
}
