import BrowseDomain

/// Searches as a person types, after a pause of 300 ms; doesn't repeat an unchanged search.
@MainActor
final class SearchDebouncer<Search: Equatable & Sendable> {
    static var pause: Duration { .milliseconds(300) }

    private var isWaiting = false
    /// The search that returned the results, or that is in flight.
    private var current: Search?
    private let begin: @MainActor (Search) -> ScreenLoad
    private let suspend: @MainActor () -> CoalescedLoad
    private let resume: @MainActor () -> Void
    private let needsFirstPage: @MainActor () -> Bool
    private let firstPageLoad: @MainActor () -> CoalescedLoad?
    private let clear: @MainActor () -> Void
    private let clock: any Clock<Duration>
    private var waiting: Task<Void, Never>?
    /// The pause of the list, which loads nothing meanwhile.
    private var pause: CoalescedLoad?

    /// Creates a debouncer, which sets a part of the state to `true` during the pause.
    ///
    /// `begin` starts the list over with a search.
    init<Row, State>(
        _ list: ListController<Row>,
        in store: StateStore<State>,
        isWaiting keyPath: WritableKeyPath<State, Bool>,
        clock: any Clock<Duration>,
        begin: @escaping @MainActor (Search) -> ScreenLoad
    ) {
        self.begin = begin
        self.clock = clock
        suspend = { list.suspend() }
        resume = { list.resume() }
        needsFirstPage = { list.needsFirstPage }
        firstPageLoad = { list.firstPageLoad }
        clear = { list.clear() }
        store.addPart { [weak self] in $0[keyPath: keyPath] = self?.isWaiting ?? false }
    }

    deinit {
        waiting?.cancel()
        pause?.cancel()
    }

    /// Searches after the pause, unless the search is unchanged.
    ///
    /// Call it inside an update of the state.
    ///
    /// - Parameters:
    ///   - search: The search; `nil` clears the list.
    ///   - waits: Whether to wait for the pause; `true` for typed text.
    func type(_ search: Search?, waits: Bool = true) {
        stopWaiting()
        guard let search else {
            current = nil
            return clear()
        }
        // The text may differ in white space only, or may have been changed back.
        if search == current, !needsFirstPage() { return resume() }
        // Nothing of the previous text may be requested or arrive during the pause.
        pause = suspend()
        guard waits else { return start(search).keep() }
        isWaiting = true
        waiting = Task { [clock, weak self] in
            guard (try? await clock.sleep(for: Self.pause)) != nil, !Task.isCancelled else { return }
            self?.start(search).keep()
        }
    }

    /// Searches at once, from the first page; call it inside an update of the state.
    ///
    /// A load of the first page for the same search, which is in flight, is joined.
    ///
    /// - Parameter search: The search; `nil` clears the list.
    /// - Returns: The load of the first page; call it to start the load.
    func submit(_ search: Search?) -> ScreenLoad? {
        guard let search else {
            type(nil)
            return nil
        }
        stopWaiting()
        if search == current, let load = firstPageLoad() { return ScreenLoad([load]) }
        return start(search)
    }

    /// Cancels a search that waits for the pause, and ends the tasks of rows that wait with it.
    func cancelSearch() {
        stopWaiting()
        pause?.cancel()
    }

    private func stopWaiting() {
        waiting?.cancel()
        isWaiting = false
    }

    private func start(_ search: Search) -> ScreenLoad {
        isWaiting = false
        current = search
        return begin(search)
    }
}
