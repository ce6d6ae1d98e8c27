import BrowseDomain

/// Turns typed text into searches: after a pause, for the last text, and not twice for the same one.
@MainActor
final class SearchDebouncer<Search: Equatable & Sendable> {
    /// How long a person must pause for a search to begin.
    static var pause: Duration { .milliseconds(300) }

    /// Begins a search in the list.
    var begin: @MainActor (Search) -> ListLoad? = { _ in nil }
    /// Whether a search begins when the person pauses.
    private(set) var isWaiting = false

    /// What the results are of, or will be.
    private var current: Search?
    private let stop: @MainActor () -> Bool
    private let clear: @MainActor () -> Void
    private let work: BackgroundWork

    /// - Parameters:
    ///   - list: Shows the results.
    ///   - clock: Measures pauses.
    init<Row>(_ list: ListController<Row>, clock: any Clock<Duration>) {
        stop = {
            list.stop()
            return list.list.pageCount == 0
        }
        clear = { list.clear() }
        work = BackgroundWork(clock: clock)
    }

    /// Takes what was typed or chosen.
    ///
    /// - Parameters:
    ///   - search: What to search for; `nil` is nothing.
    ///   - waits: Whether more may follow at once, as with letters; a choice does not wait.
    func type(_ search: Search?, waits: Bool = true) {
        stopWaiting()
        guard let search else {
            current = nil
            return clear()
        }
        // White space at the end, or a letter and back: the results are right already.
        guard search != current else { return }
        // A response to an older text must not arrive any more, whatever happens during the pause.
        if stop() { current = nil }
        guard waits else {
            guard let load = start(search) else { return }
            return work.run { await load() }
        }
        isWaiting = true
        work.run(after: Self.pause) { [weak self] in await self?.start(search)?() }
    }

    /// Searches at once, from the first page.
    func submit(_ search: Search?) -> ListLoad? {
        guard let search else {
            type(nil)
            return nil
        }
        stopWaiting()
        return start(search)
    }

    /// Forgets a search that waits for a pause.
    func stopWaiting() {
        work.cancelWaiting()
        isWaiting = false
    }

    private func start(_ search: Search) -> ListLoad? {
        isWaiting = false
        current = search
        return begin(search)
    }
}
