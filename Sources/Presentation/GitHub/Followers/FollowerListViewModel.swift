public import BrowseDomain
public import Observation

/// The screen with the followers of an account, or those it follows, page by page.
@MainActor @Observable
public final class FollowerListViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Whose followers, or whom they follow; `nil` before ``FollowerListViewModel/show(_:)``.
        public var list: GitHub.FollowList?
        /// The screen's title.
        public var title: String = ""
        /// What the person filters by; empty shows all.
        public var filter: String = ""
        /// Whether every remaining page is being loaded.
        public var isLoadingAll: Bool = false
        /// The rows, and what the list is doing.
        public var content: ListState<GitHub.User> = ListState()

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = StateBroadcast<State>()
    @ObservationIgnored private let loads = TaskSlot()
    @ObservationIgnored private var list: PagedList<GitHub.User>
    @ObservationIgnored private var sweep: Sweep?
    @ObservationIgnored private let repository: any GitHub.FollowerRepository
    @ObservationIgnored private let texts: Texts
    @ObservationIgnored private let pageConcurrency: Int

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - repository: Where followers come from.
    ///   - texts: The language.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - pageConcurrency: How many pages ``loadAll()`` may have on their way at once, 1 to 100.
    public init(
        repository: any GitHub.FollowerRepository,
        texts: Texts,
        prefetchDistance: Int = 10,
        pageConcurrency: Int = 4
    ) {
        self.repository = repository
        self.texts = texts
        self.pageConcurrency = pageConcurrency
        list = PagedList(prefetchDistance: prefetchDistance)
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension FollowerListViewModel {
    /// Starts over with a list: its title, no filter, no rows, then its first page.
    ///
    /// What was on its way for the list before is cancelled, and would be dropped if it came.
    public func show(_ list: GitHub.FollowList) async {
        self.list.filter(nil)
        await restart {
            $0 = State()
            $0.list = list
            $0.title =
                switch list {
                case .followers(let login): self.texts(.followersTitle(login))
                case .following(let login): self.texts(.followingTitle(login))
                }
        }
    }

    /// Loads the list again from its first page, and keeps the filter.
    public func refresh() async {
        guard state.list != nil else { return }
        await restart { $0.isLoadingAll = false }
    }

    /// Loads the next page; does nothing when one is on its way, the last one failed, or there is none.
    public func loadMore() async {
        guard state.list != nil, let ticket = list.begin() else { return }
        await load(ticket)
    }

    /// Loads the page that failed; does nothing when none did.
    public func retry() async {
        guard let ticket = list.retry() else { return }
        await load(ticket)
    }

    /// Tells that a row is visible, which loads the next page when it is near the end.
    ///
    /// - Parameter position: The position of the last visible row; rows may have been skipped before it.
    public func rowAppeared(at position: Int) async {
        guard list.wantsMore(at: position) else { return }
        await loadMore()
    }

    /// Loads every remaining page, several at a time where the server tells how many there are.
    ///
    /// Does nothing while a page is on its way. Rows appear as their pages come, in order. After a cancellation or a failure those that came stay, and
    /// ``loadMore()``, ``retry()`` or this method go on after them.
    public func loadAll() async {
        guard let owner = state.list, let first = list.begin() ?? list.retry() else { return }
        let sweep = Sweep(ticket: first)
        self.sweep = sweep
        publish { $0.isLoadingAll = true }
        let result = await loads.run { [weak self, repository, pageConcurrency] () throws(BrowseError) in
            try await repository.pages(of: owner, from: first.cursor, concurrency: pageConcurrency) {
                page throws(BrowseError) in
                guard await self?.receive(page, in: sweep) == true else { throw .cancelled }
            }
        }
        guard self.sweep === sweep else { return }
        self.sweep = nil
        if let ticket = sweep.ticket {
            if case .failure(let error) = result { list.fail(ticket, with: error) } else { list.release(ticket) }
        }
        publish { $0.isLoadingAll = false }
    }

    /// What the person filters by: a part of the login, in any case; setting it filters what is loaded and what will be.
    public var filter: String {
        get { state.filter }
        set {
            if newValue.isEmpty {
                list.filter(nil)
            } else {
                let match = TextMatch(newValue)
                list.filter { match.matches($0.login.rawValue) }
            }
            publish { $0.filter = newValue }
        }
    }

    /// Goes on to the profile of a row; `nil` when there is no such row.
    public func select(at position: Int) -> Route? {
        guard state.content.rows.indices.contains(position) else { return nil }
        return .userProfile(state.content.rows[position].login)
    }
}

extension FollowerListViewModel {
    /// One load of all pages: the right to bring the next of them.
    @MainActor
    private final class Sweep {
        var ticket: PagedList<GitHub.User>.Ticket?

        init(ticket: PagedList<GitHub.User>.Ticket) {
            self.ticket = ticket
        }
    }

    /// Takes a page of a load of all; `false` when it is no longer wanted.
    private func receive(_ page: Page<GitHub.User>, in sweep: Sweep) -> Bool {
        guard let ticket = sweep.ticket, list.receive(page, for: ticket) else { return false }
        sweep.ticket = list.begin()
        publish()
        return true
    }

    private func restart(_ change: (inout State) -> Void) async {
        loads.cancel()
        sweep = nil
        list.reset()
        guard let ticket = list.begin() else { return }
        await load(ticket, showing: change)
    }

    private func load(
        _ first: PagedList<GitHub.User>.Ticket,
        showing change: (inout State) -> Void = { _ in }
    ) async {
        publish(change)
        guard let owner = state.list else { return }
        var ticket = first
        // GitHub cuts its pages before it leaves out suspended accounts, so a page may be empty although more follow. Nobody
        // could scroll past it, so the next one is loaded at once; a server that sends nothing else is not followed for ever.
        for emptyPages in 0... {
            let result = await loads.run { [repository, ticket] () throws(BrowseError) in
                try await repository.page(of: owner, at: ticket.cursor)
            }
            switch result {
            case .success(let page):
                guard list.receive(page, for: ticket) else { return }
                guard page.items.isEmpty, emptyPages < 10, let next = list.begin() else { return publish() }
                ticket = next
            case .failure(let error):
                guard list.fail(ticket, with: error) else { return }
                return publish()
            }
        }
    }

    /// Shows the list as it is now, together with another change of the screen, as one state.
    private func publish(_ change: (inout State) -> Void = { _ in }) {
        var state = state
        change(&state)
        if let owner = state.list {
            state.content = ListState(list, texts: texts, empty: texts.emptyList(owner))
        }
        self.state = state
    }
}
