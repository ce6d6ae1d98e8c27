import BrowseDomain

/// A load of a page that was started.
struct PageLoad {
    fileprivate let run: @MainActor () async -> Void

    /// Waits until the load is done.
    @MainActor
    func callAsFunction() async { await run() }
}

/// Loads the pages of one list for a screen: what every list screen does in the same way.
///
/// The list itself is a ``PagedList``. A load that starts over is returned, so that the screen can show that it has begun
/// together with whatever else changed, as one state:
///
/// ```
/// let load = pages.restart { cursor in try await repository.page(of: list, at: cursor) }
/// publish { $0.title = title }
/// await load()
/// ```
@MainActor
final class PageLoader<Reply: Sendable, Row: Identifiable & Equatable & Sendable> where Row.ID: Sendable {
    typealias Fetch = @Sendable (PageCursor?) async throws(BrowseError) -> Reply
    typealias FetchAll =
        @Sendable (PageCursor?, @MainActor (Reply) async throws(BrowseError) -> Void) async throws(BrowseError) -> Void

    /// The list; a screen may change its rows.
    var list: PagedList<Row>
    /// Called when a page is about to be asked for.
    var willFetch: @MainActor () -> Void = {}
    /// Makes a page of rows of a reply that was waited for, and that came from there; called once for each.
    var accept: @MainActor (Reply, Provenance) -> Page<Row>? = { _, _ in nil }
    /// Called when a load began, brought a page, or ended.
    var didChange: @MainActor () -> Void = {}

    private let policy: LoadPolicy
    private let loads = TaskSlot()
    private var fetch: Fetch?
    private var sweep: Sweep?

    /// - Parameters:
    ///   - prefetchDistance: See ``PagedList/prefetchDistance``.
    ///   - policy: Which of what was read before may be shown.
    init(prefetchDistance: Int, policy: LoadPolicy) {
        list = PagedList(prefetchDistance: prefetchDistance)
        self.policy = policy
        loads.waitDidChange = { [weak self] in
            guard let self, list.setWaitEnd(loads.waitEnd) else { return }
            didChange()
        }
    }

    /// Whether every remaining page is being loaded.
    var isLoadingAll: Bool { sweep != nil }

    /// Starts over; what was on its way is cancelled, and dropped if it comes.
    ///
    /// - Parameters:
    ///   - oldRows: What becomes of the rows.
    ///   - fetch: Brings a page from now on; `nil` keeps what brought it before.
    func restart(_ oldRows: PagedList<Row>.OldRows = .go, _ fetch: Fetch? = nil) -> PageLoad {
        loads.cancel()
        sweep = nil
        if let fetch { self.fetch = fetch }
        list.reset(oldRows)
        guard let ticket = list.begin() else { return PageLoad {} }
        return PageLoad { await self.run(ticket) }
    }

    /// Forgets the list, and what was on its way.
    func clear() {
        loads.cancel()
        sweep = nil
        fetch = nil
        list.reset()
    }

    /// Cancels what is on its way; what came stays.
    func cancel() {
        loads.cancel()
        sweep = nil
        if let ticket = list.current { list.release(ticket) }
    }

    /// Loads the next page; does nothing when one is on its way, the last one failed, or there is none.
    func loadMore(priority: LoadPriority = .visible) async {
        guard fetch != nil, let ticket = list.begin() else { return }
        didChange()
        await run(ticket, priority: priority)
    }

    /// Loads the page that failed; does nothing when none did.
    func retry() async {
        guard fetch != nil, let ticket = list.retry() else { return }
        didChange()
        await run(ticket)
    }

    /// Loads the first page again; the rows stay until it is there, also when it does not come.
    func refresh() async {
        guard fetch != nil else { return }
        let load = restart(.stayUntilPage)
        didChange()
        await load()
    }

    /// Loads the next page when a row that is visible is near the end; at the end, somebody waits for it.
    func rowAppeared(at position: Int) async {
        guard list.wantsMore(at: position) else { return }
        await loadMore(priority: position >= list.rows.count - 1 ? .visible : .prefetch)
    }

    /// Loads every remaining page; does nothing while a page is on its way, or when there is none.
    ///
    /// - Parameter fetchAll: Brings the pages from a cursor on, in order.
    func loadAll(_ fetchAll: @escaping FetchAll) async {
        guard let ticket = list.begin() ?? list.retry() else { return }
        let sweep = Sweep(ticket: ticket)
        self.sweep = sweep
        didChange()
        await run(sweep, fetchAll)
    }

    private func run(_ first: PagedList<Row>.Ticket, priority: LoadPriority = .visible) async {
        // A load that was overtaken before it began must not take the place of the one that overtook it.
        guard let fetch, first == list.current else { return }
        var ticket = first
        // GitHub cuts its pages before it leaves out suspended accounts, so a page may be empty although more follow. Nobody
        // could scroll past it, so the next one is loaded at once; a server that sends nothing else is not followed for ever.
        for emptyPages in 0... {
            willFetch()
            // Pages after the first are not shown twice: where the one before was kept, so may this one be.
            let isFirst = ticket.cursor == nil && list.loadedCount == 0
            let policy = policy == .cachedFirst && !isFirst ? .freshOrKept : policy
            let result = await loads.load(policy, priority: priority) { [ticket] () throws(BrowseError) in
                try await fetch(ticket.cursor)
            } kept: { [weak self, ticket] in
                self?.preview($0, for: ticket)
            }
            switch result {
            case .success(let reply):
                guard ticket == list.current, let page = accept(reply.value, reply.provenance) else { return }
                list.receive(page, for: ticket, from: reply.provenance)
                guard page.items.isEmpty, emptyPages < 10, let next = list.begin() else { return didChange() }
                ticket = next
            case .failure(let error):
                guard list.fail(ticket, with: error) else { return }
                return didChange()
            }
        }
    }
}

extension PageLoader {
    private func preview(_ reply: Loaded<Reply>, for ticket: PagedList<Row>.Ticket) {
        guard ticket == list.current, let page = accept(reply.value, reply.provenance) else { return }
        if list.preview(page, for: ticket, from: reply.provenance) { didChange() }
    }

    /// One load of all pages: the right to bring the next of them.
    @MainActor
    private final class Sweep {
        var ticket: PagedList<Row>.Ticket?

        init(ticket: PagedList<Row>.Ticket) {
            self.ticket = ticket
        }
    }

    private func run(_ sweep: Sweep, _ fetchAll: @escaping FetchAll) async {
        guard self.sweep === sweep, let first = sweep.ticket else { return }
        var options = LoadOptions.current
        options.source = policy.source
        let result = await loads.run { [weak self, options] () throws(BrowseError) in
            try await options.load { () throws(BrowseError) in
                try await fetchAll(first.cursor) { reply throws(BrowseError) in
                    guard self?.receive(reply, in: sweep) == true else { throw .cancelled }
                }
            }
        }
        guard self.sweep === sweep else { return }
        self.sweep = nil
        if let ticket = sweep.ticket {
            if case .failure(let error) = result { list.fail(ticket, with: error) } else { list.release(ticket) }
        }
        didChange()
    }

    /// Takes a page of a load of all; `false` when it is no longer wanted.
    private func receive(_ reply: Reply, in sweep: Sweep) -> Bool {
        let provenance = ProvenanceRecord.current?.provenance ?? .fresh
        guard let ticket = sweep.ticket, ticket == list.current, let page = accept(reply, provenance) else {
            return false
        }
        list.receive(page, for: ticket, from: provenance)
        sweep.ticket = list.begin()
        didChange()
        return true
    }
}
