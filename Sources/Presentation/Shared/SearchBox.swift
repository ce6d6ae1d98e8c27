/// Turns what a person types into searches: after a pause, the last text wins, and nothing is searched for twice.
@MainActor
final class SearchBox<Search: Equatable & Sendable> {
    /// How long a person must pause for a search to begin.
    static var pause: Duration { .milliseconds(300) }

    /// Begins a search and returns what to wait for.
    var begin: @MainActor (Search) -> (@MainActor () async -> Void) = { _ in {} }
    /// Stops what is on its way for an earlier text; returns whether its results have not come at all.
    var stop: @MainActor () -> Bool = { false }
    /// Takes away the results.
    var clear: @MainActor () -> Void = {}

    /// What the results are of, or will be.
    private(set) var current: Search?
    /// Whether a search begins when the person pauses.
    private(set) var isWaiting = false

    private let work: BackgroundWork

    init(clock: any Clock<Duration>) {
        work = BackgroundWork(clock: clock)
    }

    /// Takes what was typed or chosen.
    ///
    /// - Parameters:
    ///   - search: What to search for; `nil` is nothing.
    ///   - waits: Whether more may follow at once, as with letters; a choice does not wait.
    func type(_ search: Search?, waits: Bool = true) {
        work.cancelWaiting()
        isWaiting = false
        guard let search else {
            current = nil
            return clear()
        }
        // White space at the end, or a letter and back: the results are right already.
        guard search != current else { return }
        // A reply to an older text must not come any more, whatever happens during the pause.
        if stop() { current = nil }
        guard waits else {
            let wait = start(search)
            return work.run(wait)
        }
        isWaiting = true
        work.run(after: Self.pause) { [weak self] in
            guard let wait = self?.start(search) else { return }
            await wait()
        }
    }

    /// Searches at once, from the first page.
    func submit(_ search: Search?) async {
        guard let search else { return type(nil) }
        work.cancelWaiting()
        await start(search)()
    }

    private func start(_ search: Search) -> @MainActor () async -> Void {
        isWaiting = false
        current = search
        return begin(search)
    }
}
